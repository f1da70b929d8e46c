// What was found. One broken thing may break a million rows: the first sentences of a rule are kept, the rest is counted.
export interface Faults {
  add(sentence: string): void
}

export interface Findings {
  faults: string[]
  /** Of all, those that are not kept included. */
  count: number
}

export interface Rulebook {
  rule(number: number): Faults
  findings(): Findings
}

const keptMax = 25

export function openRulebook(): Rulebook {
  const kept = new Map<number, string[]>()
  const counts = new Map<number, number>()
  return {
    rule: (number) => ({
      add: (sentence) => {
        const count = (counts.get(number) ?? 0) + 1
        counts.set(number, count)
        const sentences = kept.get(number) ?? []
        kept.set(number, sentences)
        if (sentences.length < keptMax) sentences.push(`rule ${number}: ${sentence}`)
      },
    }),
    findings: () => {
      const rules = [...kept.keys()].sort((one, other) => one - other)
      return {
        faults: rules.flatMap((number) => {
          const sentences = kept.get(number) ?? []
          const more = (counts.get(number) ?? 0) - sentences.length
          return more === 0 ? sentences : [...sentences, `rule ${number}: and ${more} more`]
        }),
        count: [...counts.values()].reduce((sum, count) => sum + count, 0),
      }
    },
  }
}
