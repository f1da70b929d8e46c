// Which sections fit what was typed, best first. Every word must begin a word of the section; where it stands decides how
// much it counts.

/** Address, title of the page, heading of the section, its text. */
export type Entry = readonly [address: string, page: string, heading: string, text: string]

export interface Hit {
  address: string
  page: string
  heading: string
  /** The part of the text around the first word that was found. */
  excerpt: string
}

const hitsMost = 12
const excerptChars = 150
const weights = { page: 6, heading: 9, text: 1 }

/** `POST /api/send`, `SMTP_URL` and `whsec_` are words too: they are looked for as they are typed. */
export const wordsOf = (typed: string): string[] =>
  typed
    .toLowerCase()
    .split(/[\s,;:"'()]+/)
    .filter((word) => word !== '')
    .slice(0, 8)

export function find(entries: readonly Entry[], typed: string): Hit[] {
  const words = wordsOf(typed).map((word) => ({ word, begins: beginning(word) }))
  if (words.length === 0) return []
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, words) }))
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, hitsMost)
    .map(({ entry: [address, page, heading, text] }) => ({
      address,
      page,
      heading,
      excerpt: excerptOf(
        text,
        words.map(({ begins }) => begins),
      ),
    }))
}

/** At the beginning of a word. */
export const beginning = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`, 'iu')

function scoreOf([, page, heading, text]: Entry, words: readonly { word: string; begins: RegExp }[]): number {
  let score = 0
  for (const { word, begins } of words) {
    const places = [
      begins.test(page) ? weights.page : 0,
      begins.test(heading) ? weights.heading : 0,
      begins.test(text) ? weights.text + Math.min(text.toLowerCase().split(word).length - 1, 5) * 0.2 : 0,
    ]
    const best = places.reduce((sum, place) => sum + place, 0)
    if (best === 0) return 0
    score += best
  }
  // Of two that say the same, the shorter is more likely about it.
  return score + 1 / (1 + text.length / 500)
}

function excerptOf(text: string, words: readonly RegExp[]): string {
  const found = words.map((word) => text.search(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...(found.length > 0 ? found : [0])) - 40)
  const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const end = begin + excerptChars
  const cut = text.slice(begin, end)
  return `${begin > 0 ? '… ' : ''}${end < text.length ? `${cut.replace(/\s+\S*$/, '')} …` : cut}`
}
