// For work on many that do not belong together: what one of them can't have must not keep the others from theirs. What went
// wrong is noted, and told when all have had their turn.

export interface Problems {
  /** For `catch`. */
  note(problem: unknown): undefined
  /** Throws if there were any. */
  tell(): void
}

/** `what`: of the sentence "3 reminders could not be sent". */
export function openProblems(what: string): Problems {
  const problems: unknown[] = []
  return {
    note: (problem) => {
      problems.push(problem)
    },
    tell: () => {
      if (problems.length > 0) throw new AggregateError(problems, `${problems.length} ${what}`)
    },
  }
}
