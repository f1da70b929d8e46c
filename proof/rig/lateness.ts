// How late the timers of this process are: a machine that has much else to do is not the service's fault, so limits of
// time are longer by so much. Use:
//
//   const lateness = watchLateness()
//   …
//   if (tookMs > 5_000 + lateness()) scene.fault(…)
let totalMs = 0
let watches = false

/** Gives how many milliseconds were lost since it was called. */
export function watchLateness(): () => number {
  if (!watches) look()
  watches = true
  const before = totalMs
  return () => totalMs - before
}

const lookMs = 20
/** A timer is always a little late. */
const usualMs = 30

function look(): void {
  let last = performance.now()
  setInterval(() => {
    totalMs += Math.max(0, performance.now() - last - usualMs)
    last = performance.now()
  }, lookMs).unref()
}
