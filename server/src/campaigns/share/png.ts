// Writes a PNG of at most 256 colours: a header, the colours, the compressed rows, an end. Nothing more is needed.
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

export interface Raster {
  width: number
  height: number
  colours: readonly Colour[]
  /** A number of a colour each, row by row. */
  pixels: Uint8Array
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const compress = promisify(deflate)

export async function toPng({ width, height, colours, pixels }: Raster): Promise<Buffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits a pixel, each the number of a colour.
  head.set([8, 3, 0, 0, 0], 8)
  // Each row begins with how it is filtered: not at all.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', await compress(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
