// The kinds of settings: how the text of each is read, and what is said of a text that can't be.
import { createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'

export type Group =
  | 'Where it runs'
  | 'Database'
  | 'Web'
  | 'Notifications'
  | 'Mail'
  | 'Money'
  | 'Providers'
  | 'Safety'
  | 'Watching it'

export interface Row<T> {
  group: Group
  about: string
  /** What the documentation says the value looks like. */
  form: string
  /** Absent: the setting may be missing. */
  fallback?: T
  /** Another default in production; 'required' refuses to start without a value. */
  production?: T | 'required'
  /** Why a value that is good elsewhere is refused in production, and what to do: what follows "… must". */
  inProduction?(value: T): string | undefined
  /** The value never appears in a message. */
  secret?: boolean
  /** Reads the text or says, as the end of a sentence, what it must be. */
  read(text: string): { value: T } | { must: string }
}

type About<T> = Pick<Row<T>, 'group' | 'about' | 'fallback' | 'production' | 'inProduction' | 'secret'>

export const text = (row: About<string>): Row<string> => ({
  ...row,
  form: 'text',
  read: (value) => ({ value }),
})

export const wholeNumber = (row: About<number> & { from: number; to: number }): Row<number> => ({
  ...row,
  form: `whole number, ${row.from} to ${row.to}`,
  read: (value) => {
    const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= row.from && number <= row.to) return { value: number }
    return { must: `be a whole number from ${row.from} to ${row.to}` }
  },
})

export const choice = <const T extends string>(row: About<T> & { of: readonly T[] }): Row<T> => ({
  ...row,
  form: row.of.map((one) => `\`${one}\``).join(' or '),
  read: (value) => {
    const found = row.of.find((one) => one === value)
    return found === undefined ? { must: `be one of ${row.of.join(', ')}` } : { value: found }
  },
})

export const url = (row: About<string> & { schemes: readonly string[] }): Row<string> => ({
  ...row,
  form: `address (${row.schemes.map((scheme) => `\`${scheme}//…\``).join(', ')})`,
  read: (value) => {
    const scheme = URL.canParse(value) ? new URL(value).protocol : ''
    if (row.schemes.includes(scheme)) return { value: value.replace(/\/$/, '') }
    return { must: `be an address that starts with ${row.schemes.map((one) => `${one}//`).join(' or ')}` }
  },
})

/** A file with a certificate or a public key; the value is what is in it. */
export const pem = (row: About<string> & { readFile(path: string): string }): Row<string> => ({
  ...row,
  form: 'path of a file',
  read: (path) => {
    try {
      const text = row.readFile(path)
      createPublicKey(text)
      return { value: text }
    } catch {
      return { must: 'be the path of a readable PEM file with a certificate or a public key' }
    }
  },
})

export const mailAddress = (row: About<string>): Row<string> => ({
  ...row,
  form: 'e-mail address',
  read: (value) =>
    /^[^\s@<>(),:;"\\]+@[^\s@<>(),:;"\\]+$/.test(value)
      ? { value }
      : { must: 'be one e-mail address, like no-reply@example.com' },
})

export const secondsList = (row: About<number[]> & { most: number }): Row<number[]> => ({
  ...row,
  form: 'seconds, comma separated',
  read: (value) => {
    const parts = value.split(',').map((part) => part.trim())
    const fits = parts.length <= row.most && parts.every((part) => /^[1-9][0-9]{0,6}$/.test(part))
    if (fits) return { value: parts.map(Number) }
    return { must: `be at most ${row.most} whole numbers of seconds, like 5,30,120` }
  },
})

export const headerWord = (row: About<string>): Row<string> => ({
  ...row,
  form: 'letters and digits',
  read: (value) =>
    /^[A-Za-z][A-Za-z0-9]{0,19}$/.test(value)
      ? { value }
      : { must: 'be a word of at most 20 letters and digits' },
})

export const networks = (row: About<string[]>): Row<string[]> => ({
  ...row,
  form: 'list, comma separated',
  read: (value) => {
    const parts = value.split(',').map((part) => part.trim())
    const named = parts.filter((part) => part !== '')
    if (named.every(isNetwork)) return { value: named }
    return { must: 'be a list of addresses or networks, like 10.0.0.1, 192.168.0.0/16, fd00::/8' }
  },
})

export const nameServers = (row: About<string[]>): Row<string[]> => ({
  ...row,
  form: 'list, comma separated',
  read: (value) => {
    const parts = value.split(',').map((part) => part.trim())
    const named = parts.filter((part) => part !== '')
    if (named.every(isServer)) return { value: named }
    return {
      must: 'be a list of addresses, with or without a port, like 10.0.0.2, 10.0.0.3:5353, [fd00::2]:53',
    }
  },
})

/** `10.0.0.2`, `10.0.0.2:53`, `fd00::2`, `[fd00::2]:53` */
function isServer(text: string): boolean {
  if (isIP(text) !== 0) return true
  const [, six, four, port = '0'] = /^(?:\[(.+)\]|([0-9.]+)):([0-9]{1,5})$/.exec(text) ?? []
  const isAddress = six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6
  return isAddress && Number(port) >= 1 && Number(port) <= 65535
}

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8` */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && (bits === undefined || Number(bits) <= (version === 4 ? 32 : 128))
}

/** An address, or the word for the database that comes with the packages: that is the same as none at all. */
export const database = (row: About<string | undefined>): Row<string | undefined> => {
  const address = url({ ...row, fallback: '', production: '', schemes: ['postgres:', 'postgresql:'] })
  return {
    ...row,
    form: `${address.form} or \`embedded\``,
    read: (value) => (value === 'embedded' ? { value: undefined } : address.read(value)),
  }
}
