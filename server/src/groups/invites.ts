import { randomInt } from 'node:crypto'
import type { Group } from './room.ts'

/** Crockford's base 32: no I, L, O, U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 10

/** Short enough to read aloud, and 50 bits: not to be guessed by who may ask 30 times a minute. */
export const newInviteCode = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** `4F7K2-9QXWD` */
export const shownCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

export const inviteUrl = (
  baseUrl: string,
  { id, invite_code: code }: Pick<Group, 'id' | 'invite_code'>,
): string => `${baseUrl}/app/groups/${id}?invite=${shownCode(code)}`
