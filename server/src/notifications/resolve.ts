// What addresses a name leads to. Asked of the name servers directly and not through getaddrinfo: that has four threads
// for the whole process, and merchants' slow name servers would hold them up.
import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name, or it rejects. */
export type Resolve = (name: string) => Promise<string[]>

const tryMs = 2_000
const tries = 2

export interface ResolverOptions {
  /** In the place of the system's: `127.0.0.1:5353`. */
  servers?: readonly string[]
  /**
   * Names of this machine's own (localhost, /etc/hosts). `first`: the system is asked, for all names. `last`: for those
   * that no name server knows. `never`: where private addresses are refused they can't help.
   */
  localNames: 'first' | 'last' | 'never'
}

export function openResolver({ servers, localNames }: ResolverOptions): Resolve {
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (servers !== undefined) resolver.setServers(servers)
  const askSystem: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)
  if (localNames === 'first') return askSystem
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    if (localNames === 'last') return askSystem(name)
    const [failure] = answers
    throw failure.status === 'rejected' ? failure.reason : new Error('the name has no address')
  }
}
