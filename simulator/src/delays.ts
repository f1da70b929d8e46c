// How long things take, in milliseconds. A test makes them short.

export interface Delays {
  /** From the order to its end, when everything is well. */
  pay: number
  /** How long a prompt waits for a person. */
  prompt: number
  /** When the success comes that nobody waits for any more: longer than a checkout lives. */
  late: number
  /** Between the two of a callback that comes twice, and behind a forged one. */
  between: number
  /** Of a callback that a knob makes late. */
  late_callback: number
  /** How long a callback waits at most for another to overtake it. */
  reordered: number
  /** Of the answer to a question that is answered by a callback. */
  answer: number
  /** Before a callback that nobody took is sent again, by a provider that does so. */
  retry: number
}

const usual: Delays = {
  pay: 1_000,
  prompt: 60_000,
  late: 35 * 60_000,
  between: 500,
  late_callback: 30_000,
  reordered: 3_000,
  answer: 200,
  retry: 180_000,
}

/** A number scales them all. */
export function delaysOf(given: number | Partial<Delays> = 1): Delays {
  if (typeof given !== 'number') return { ...usual, ...given }
  const scaled = Object.entries(usual).map(([name, value]) => [name, value * given])
  return Object.fromEntries(scaled) as Delays
}
