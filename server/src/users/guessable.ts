// Is a password one that is tried first? A list of all of them would be long and never complete: they are a few words,
// rows of the keyboard, years and repeats, one after another. So the password is taken apart into such pieces, and
// refused when two make the whole of it (three, when it is short). Held in November 2026 against two lists of passwords that
// leaked, most frequent first: all 30 000 of zxcvbn 4.4.2 and all 49 233 of @zxcvbn-ts/language-common 4.1.3. Of these 1 090
// and 1 557 have ten characters or more, and every one of them is refused. Of 20 000 passphrases of two words of diceware
// some fifteen are refused, of three words hardly one, of four none.
import { readFileSync } from 'node:fs'

const words = new Set(
  readFileSync(new URL('./common-words.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter(Boolean),
)
const shortMax = 12
const pieceMin = 3
/** A piece is hardly longer, and looking at all pieces of a very long text would take long. */
const lookedAtMax = 40

const rows = [
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qweasdzxc',
  '147258369',
  '13579',
  '24680',
  '1029384756',
]
const walks = rows.flatMap((row) => [row + row.slice(0, 3), [...row].toReversed().join('')])

/** What people write in the place of letters. */
const lookAlikes: Record<string, string> = {
  '@': 'a',
  $: 's',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '!': 'i',
  '5': 's',
  '7': 't',
}

/** `own` are words about the person, that others know too. */
export function isGuessable(password: string, own: readonly string[]): boolean {
  const whole = password.normalize('NFKC').toLowerCase()
  const text = whole.slice(0, lookedAtMax)
  const known = new Set(own.map((word) => word.normalize('NFKC').toLowerCase()))
  return known.has(whole) || piecesOf(text, known) <= (text.length <= shortMax ? 3 : 2)
}

/** The least number of pieces the text falls into, where what is no known piece counts by its letters. */
function piecesOf(text: string, own: ReadonlySet<string>): number {
  const plain = text.replace(/[@$!01357]/g, (sign) => lookAlikes[sign] ?? sign)
  const least = [0]
  for (let end = 1; end <= text.length; end++) {
    let best = (least[end - 1] ?? 0) + 1
    for (let start = 0; start <= end - pieceMin; start++) {
      const before = least[start] ?? 0
      if (before + 1 >= best) continue
      if (isPiece(text.slice(start, end), own) || isWord(plain.slice(start, end), own)) best = before + 1
    }
    least.push(best)
  }
  return least[text.length] ?? 0
}

const isWord = (piece: string, own: ReadonlySet<string>): boolean => words.has(piece) || own.has(piece)

const isPiece = (piece: string, own: ReadonlySet<string>): boolean =>
  isWord(piece, own) ||
  walks.some((walk) => walk.includes(piece)) ||
  /^(?:19|20)\d\d$/.test(piece) ||
  isRepeat(piece)

/** `aaaa`, `121212`, `abcabcabc`, `romanroman` */
function isRepeat(piece: string): boolean {
  for (let unit = 1; unit <= 6 && 2 * unit <= piece.length; unit++) {
    if (piece.length % unit === 0 && piece === piece.slice(0, unit).repeat(piece.length / unit))
      return unit < 4 || piece.length > 8
  }
  return false
}
