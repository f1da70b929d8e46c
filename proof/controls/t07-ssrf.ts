// Bugs of the kind that lets a shop reach what only the service can.
import type { Control } from '../scene.ts'

const proof = 'T7'
const file = 'server/src/notifications/send.ts'

export const controls: Control[] = [
  {
    proof,
    name: 'addresses are judged only when they are given',
    file,
    find: 'if (refused.length > 0 || addresses.length === 0)',
    put: 'if (addresses.length === 0)',
    expect: /reached a canary/,
    also: [
      { file, find: `if (wrong !== '') return`, put: `if (wrong === 'never') return` },
      {
        file,
        find: 'if (remoteAddress === undefined || !guard.isAllowed(remoteAddress)) {',
        put: 'if (remoteAddress === undefined) {',
      },
    ],
  },
  {
    proof,
    name: 'a name is looked up to be judged, and again to be connected to',
    file,
    find: 'const socket = await connectInTime(origin, { host: literal ?? host, addresses })',
    put: `const again = literal === undefined ? await resolveInTime(host, resolve) : addresses
  const socket = await connectInTime(origin, { host: literal ?? host, addresses: again })`,
    expect: /reached a canary/,
  },
  {
    proof,
    name: 'IPv4 in the clothes of IPv6 is judged as IPv6',
    file: 'server/src/notifications/guard.ts',
    find: 'const plain = unmapped(address)',
    put: 'const plain = isIP(address) === 0 ? undefined : address',
    expect: /::ffff:|reached a canary/,
    also: [
      {
        file: 'server/src/notifications/guard.ts',
        find: ': allowed6.check(plain, family) && !denied6.check(plain, family)',
        put: ': !/^(::1?$|64:|f[cdef])/.test(plain) && !denied6.check(plain, family)',
      },
    ],
  },
  {
    proof,
    name: 'redirects are followed',
    file,
    find: 'inTime(listen(tell), {',
    put: `inTime(listen((heard) => {
      tell(heard)
      const to = /^redirect to (.*), not followed$/.exec(heard.detail ?? '')?.[1]
      if (to !== undefined) void fetch(to, { method: 'POST', body }).catch(() => undefined)
    }), {`,
    expect: /reached a canary/,
  },
]
