// Loaded into a process before its program (`--import`): while the file NAMES_AWAY is there, no name leads anywhere, as
// when the name servers are down.
import dns from 'node:dns'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const file = process.env.NAMES_AWAY ?? ''
const isName = (text: string) => !/^[\d.]+$|:/.test(text)
const failure = (name: string) =>
  Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' })

type Anything = (...given: never[]) => unknown

/** `tell` says how one is told. */
const without = <Work extends Anything>(
  work: Work,
  tell: (error: Error, given: unknown[]) => unknown,
): Work =>
  ((...given: Parameters<Work>) => {
    const name = String(given[0])
    return isName(name) && existsSync(file) ? tell(failure(name), given) : work(...given)
  }) as Work

const byCallback = (error: Error, given: unknown[]) =>
  process.nextTick(given.at(-1) as (error: Error) => void, error)
const byPromise = (error: Error) => Promise.reject(error)

Object.assign(dns, { lookup: without(dns.lookup, byCallback) })
Object.assign(dns.promises, { lookup: without(dns.promises.lookup, byPromise) })
syncBuiltinESMExports()
