// What people, programs and attackers have sent to others: values that were read in two ways, cut in the middle, run as
// something else, or not expected at all. The words are in nasties.json, by kind: a new one is a line there. Here are
// those that are made: whole families of characters, and what is long or deep.
import words from './nasties.json' with { type: 'json' }

const chars = (...codes: number[]) => codes.map((code) => String.fromCodePoint(code))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

/** As they stand in JSON, without quotes. Some are no JSON at all. */
export const numberTexts: readonly string[] = [
  ...words.numbers,
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
  `${'9'.repeat(64)}`,
  `1.${'0'.repeat(62)}`,
  `1e${'0'.repeat(60)}3`,
]

const invisible = chars(
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x17b4, 0x180e, 0x3164, 0xfeff, 0xffa0, 0xfffc, 0xfffd, 0xffff],
  ...[0x1fffe, 0x10fffd, 0x10ffff, 0xe0001, 0xe007f, 0xfdd0],
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202f),
  ...range(0x2060, 0x206f),
)
const controls = chars(...range(0x01, 0x1f), ...range(0x7f, 0x9f))
const spaces = chars(0x20, 0x09, 0x0a, 0x0d, 0xa0, 0x1680, 0x2000, 0x2003, 0x2009, 0x200a, 0x205f, 0x3000)

/** JavaScript can hold them, UTF-8 can't. In JSON they come as `\ud800`. */
const halves = ['\ud800', 'a\udfff', '\udc00\ud800', '\ud83d', 'a\ud83db']
const nuls = ['\0', 'ami\0na', '\0\0\0\0', 'juma\0@example.test']

const long = [
  ...[20, 21, 64, 128, 129, 141, 255, 256, 501, 2_049, 5_000, 10_000].map((length) => 'a'.repeat(length)),
  ...['ä', '\\', '"', ' ', '=', '1', '-', 'a@', 'a.'].map((part) => part.repeat(1_500)),
  `${'a'.repeat(3_000)}!`,
  `${'a'.repeat(139)}😀`,
  `Z${'\u0301\u0316\u0489'.repeat(60)}algo`,
  `${'a'.repeat(65)}@example.test`,
  `a@${'b'.repeat(64)}.test`,
  `a@${'b.'.repeat(130)}test`,
  ...['𒐫', '﷽', '\u1100\u1161\u11a8', '👩‍👩‍👧‍👦', 'a\u0308', '\u0301', '😀'].flatMap((one) =>
    [10, 70, 128].map((n) => one.repeat(n)),
  ),
]

const ids = ['usr', 'ses', 'mrq', 'pay', 'msg'].flatMap((kind) =>
  ['0', 'z'].map((one) => `${kind}_${one.repeat(22)}`),
)

/** Text for any field, by kind: of a large one each is met less often. */
export const textKinds: readonly (readonly string[])[] = [
  ['', ...words.unicode, ...spaces.flatMap((space) => [space, `${space}amina${space}`])],
  [...invisible.flatMap((mark) => [mark, `ami${mark}na`]), ...controls.map((control) => `ami${control}na`)],
  [...halves, ...nuls],
  words.properties,
  words.code,
  words.names,
  words.secrets,
  words.times,
  [...words.keys, ...ids],
  words.numbers,
  long,
]
export const texts: readonly string[] = textKinds.flat()

/** HTML that would show or run if it were not escaped. */
export const marks: readonly string[] = ['<script>alert(1)', '<img src=x onerror', '<svg/onload']

const nested = (depth: number, [open = '', close = '']: string[]) =>
  `${open.repeat(depth)}${close.repeat(depth)}`
const many = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join(',')

/** Whole values, as they stand in JSON. */
export const valueTexts: readonly string[] = [
  ...words.values,
  nested(19, ['[', ']']),
  nested(25, ['[', ']']),
  nested(19, ['{"a":', '}']).replace(':}', ':1}'),
  `[${many(990, () => '1')}]`,
  `[${many(1_100, () => '1')}]`,
  `{${many(150, (n) => `"k${n}":1`)}}`,
  `{${many(250, (n) => `"k${n}":1`)}}`,
]

/** Whole bodies that have little to do with what is asked for. */
export const bodies: readonly Buffer[] = [
  ...words.bodies,
  nested(21, ['[', ']']),
  nested(30_000, ['[', ']']),
  nested(10_000, ['{"a":', '}']),
  `{${many(5_000, (n) => `"k${n}":${n}`)}}`,
  `[${many(20_000, () => '0')}]`,
  `{"a":"${'a'.repeat(70_000)}"}`,
  `{"a":${'9'.repeat(60_000)}}`,
  ' '.repeat(65_537),
].map((text) => Buffer.from(text))

export const byteBodies: readonly Buffer[] = [
  Buffer.from('\ufeff{"amount":1}', 'utf16le'),
  Buffer.from([0xff]),
  Buffer.from([0xc0, 0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
  Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3]),
  Buffer.alloc(1_000),
]

/** Fields that nobody asked for, as they stand in a body. */
export const extraFields: readonly string[] = words.extraFields
export const contentTypes: readonly string[] = words.contentTypes

/** As a client can send them: a value is of visible letters, spaces, tabs, and bytes above 127. */
export const headers: readonly (readonly [name: string, value: string])[] = [
  ...words.headers.map(([name = '', value = '']) => [name, value] as const),
  ['idempotency-key', 'a'.repeat(255)],
  ['idempotency-key', 'a'.repeat(256)],
  ['user-agent', 'a'.repeat(4_000)],
  ['x-forwarded-for', 'a'.repeat(500)],
  ['accept-encoding', 'a'.repeat(1_000)],
  ['accept-language', 'x'.repeat(500)],
  ['cookie', `a=${'b'.repeat(3_000)}`],
  ['a'.repeat(300), 'a'],
]

export const authorizations: readonly string[] = [
  ...words.authorizations,
  `Bearer ${'a'.repeat(2_048)}`,
  `Bearer ${'a'.repeat(2_049)}`,
  `Bearer ${'a.'.repeat(1_000)}`,
]

/** Parts of an address, encoded as they are. */
export const pathTexts: readonly string[] = [
  ...words.paths,
  ...[200, 201, 2_000].map((length) => 'a'.repeat(length)),
  '%61'.repeat(67),
  '%E2%82%AC'.repeat(66),
]

/** Whole queries. */
export const queryTexts: readonly string[] = [
  ...words.queries,
  `q=${'a'.repeat(101)}`,
  `a=${'b'.repeat(6_000)}`,
  'a=b&'.repeat(1_500),
]
