// Loaded into a process before its program (`--import`): its clock goes ahead by as many milliseconds as it is told. So a
// real server lives through days in seconds, without a word of that in its code.
const present = Date.now
// From its first moment on, when it is born later.
let ahead = Number(new URL(import.meta.url).searchParams.get('ms'))

const shifted = new Proxy(Date, {
  construct: (target, given: unknown[]) =>
    given.length === 0 ? new target(present() + ahead) : Reflect.construct(target, given),
  apply: () => new Date(present() + ahead).toString(),
})
Date.now = () => present() + ahead
globalThis.Date = shifted

process.on('message', (message: { type?: string; ms?: number }) => {
  if (message.type === 'ahead') ahead = message.ms ?? ahead
})
