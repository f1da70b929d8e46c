// What a check finds. However wrong the books are, only the first rows are named, and all are counted.

export interface Findings {
  add(row: string, problems: readonly string[]): void
  /** The first ones, each with the row it is about. */
  problems: readonly string[]
  count(): number
  /** No more of them would be named. */
  full(): boolean
}

const namedMax = 20

export function openFindings(): Findings {
  const problems: string[] = []
  let count = 0
  return {
    add: (row, found) => {
      if (found.length === 0) return
      count += 1
      if (problems.length < namedMax) problems.push(`${row}: ${found.join('; ')}`)
    },
    problems,
    count: () => count,
    full: () => problems.length >= namedMax,
  }
}
