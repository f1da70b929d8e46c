import { createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'
import { type Mac, openMac } from './mac.ts'

/** Bytes that must never be printed. Logging, JSON and string building show `***`; only reveal() shows them. */
export class Secret {
  readonly #bytes: Buffer
  #key: KeyObject | undefined
  #mac: Mac | undefined
  /** Those it has replaced, the youngest first: what was made with them is still understood, nothing new is made. */
  readonly older: readonly Secret[]

  constructor(bytes: Buffer, older: Secret[] = []) {
    this.#bytes = bytes
    this.older = older
  }

  get length(): number {
    return this.#bytes.length
  }

  reveal(): Buffer {
    return this.#bytes
  }

  /** The same, to make HMACs with: bytes would be made into such a key each time, which takes longer than the rest. */
  key(): KeyObject {
    this.#key ??= createSecretKey(this.#bytes)
    return this.#key
  }

  /** For short texts, thousands of times a second. */
  mac(): Mac {
    this.#mac ??= openMac(this.#bytes)
    return this.#mac
  }

  equals(other: Secret): boolean {
    return this.length === other.length && timingSafeEqual(this.#bytes, other.#bytes)
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return '***'
  }

  [inspect.custom](): string {
    return '***'
  }
}
