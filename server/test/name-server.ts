// A name server for tests: answers A and AAAA from a table, with no time to live, so that every question is asked anew.
import { createSocket } from 'node:dgram'
import { after } from 'node:test'

/** What a name leads to, this time. Asked twice for each look-up, for A and for AAAA. */
export type Zone = (name: string, type: 'A' | 'AAAA' | 'other') => Found | 'silence' | undefined

export interface Found {
  a?: string[]
  aaaa?: string[]
  cname?: string
}

const [typeA, typeCname, typeAaaa] = [1, 5, 28]

/** Until the end of the test. Returns `127.0.0.1:port`. */
export async function startNameServer(zone: Zone): Promise<string> {
  const { address, close } = await openNameServer(zone)
  after(close)
  return address
}

/** Also for programs that are no tests. */
export async function openNameServer(zone: Zone): Promise<{ address: string; close(): void }> {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const answer = answerTo(question, zone)
    if (answer !== undefined) socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() }
}

function answerTo(question: Buffer, zone: Zone): Buffer | undefined {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.subarray(at + 1, at + 1 + length).toString())
    at += 1 + length
  }
  const type = question.readUInt16BE(at + 1)
  const kind = type === typeA ? 'A' : type === typeAaaa ? 'AAAA' : 'other'
  const found = zone(labels.join('.').toLowerCase(), kind)
  if (found === 'silence') return undefined
  if (found === undefined) return message(question, { end: at + 5, records: [], code: 3 })
  const addresses = type === typeA ? (found.a ?? []) : type === typeAaaa ? (found.aaaa ?? []) : []
  const records = [
    ...(found.cname === undefined ? [] : [record(typeCname, nameBytes(found.cname))]),
    ...addresses.map((address) => record(type, type === typeA ? bytes4(address) : bytes6(address))),
  ]
  return message(question, { end: at + 5, records, code: 0 })
}

interface Answer {
  /** Where the question ends. */
  end: number
  records: Buffer[]
  code: number
}

function message(question: Buffer, { end, records, code }: Answer): Buffer {
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question.subarray(12, end), ...records])
}

/** For the name of the question. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])

const bytes4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

function bytes6(address: string): Buffer {
  const [front = '', back = ''] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const missing = 8 - groups(front).length - groups(back).length
  const all = [...groups(front), ...Array.from({ length: missing }, () => '0'), ...groups(back)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
