// Loaded into a process before its program (`--import`): its clock goes ahead by as many milliseconds as it is told, and so
// does that of the database, as far as it can see. So a real server lives through days in seconds, without a word of that
// in its code. It may also be told a time that is wrong: then only the clock of the machine is.
import { databaseClock } from '../../src/db/db.ts'

const present = Date.now
// From its first moment on, when it is born later.
let ahead = Number(new URL(import.meta.url).searchParams.get('ms'))
let wrong = 0
const told = () => present() + ahead + wrong

const shifted = new Proxy(Date, {
  construct: (target, given: unknown[]) =>
    given.length === 0 ? new target(told()) : Reflect.construct(target, given),
  apply: () => new Date(told()).toString(),
})
const { now } = databaseClock
databaseClock.now = () => new Date(now().getTime() + ahead)
Date.now = told
globalThis.Date = shifted

process.on('message', (message: { type?: string; ms?: number }) => {
  if (message.type === 'ahead') ahead = message.ms ?? ahead
  if (message.type === 'wrong') wrong = message.ms ?? wrong
})
