/** States what must hold. Failing is a bug: it is answered with 500 and logged whole. */
export function check(condition: unknown, mustHold: string): asserts condition {
  if (!condition) throw new Error(`broken promise: ${mustHold}`)
}
