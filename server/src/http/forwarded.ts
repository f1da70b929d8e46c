// Which address a proxy tells of whom it speaks for. Proxies pass on whatever they were told, and people are counted and
// written down by it: only addresses may come through.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** Some proxies add the port: `41.1.2.3:5678`, `[2001:db8::1]:5678`. */
const withPort = /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::\d+)?$/i

/** The newest is the last. What is no address is nobody, and nobody's word on who came before is taken. */
export function keepAddresses(headers: IncomingHttpHeaders): void {
  const told = headers['x-forwarded-for']
  if (told === undefined) return
  const addresses = String(told)
    .split(',')
    .map((part) => addressIn(part.trim()))
  const known = addresses.slice(addresses.lastIndexOf(undefined) + 1)
  if (known.length === 0) delete headers['x-forwarded-for']
  else headers['x-forwarded-for'] = known.join(', ')
}

function addressIn(text: string): string | undefined {
  const [, four, six] = isIP(text) === 0 ? (withPort.exec(text) ?? []) : [text, text]
  const address = four ?? six ?? ''
  return isIP(address) === 0 ? undefined : address
}
