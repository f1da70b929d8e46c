// Loaded into a process before its program (`--import`): its clock is so many milliseconds ahead, as `?ms=` says. So a
// real server lives through days in seconds, without a word of that in its code.
const ahead = Number(new URL(import.meta.url).searchParams.get('ms'))
const present = Date.now

const shifted = new Proxy(Date, {
  construct: (target, given: unknown[]) =>
    given.length === 0 ? new target(present() + ahead) : Reflect.construct(target, given),
  apply: () => new Date(present() + ahead).toString(),
})
Date.now = () => present() + ahead
globalThis.Date = shifted
