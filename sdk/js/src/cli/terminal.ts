// What a command needs of the world around it, and how it reads what it was told.
import { parseArgs } from 'node:util'
import { createMerchantClient, type MerchantClient } from '../merchant.ts'

export interface Terminal {
  out: (line: string) => void
  err: (line: string) => void
  env: Readonly<Record<string, string | undefined>>
  /** Ctrl-C. */
  stop: AbortSignal
}

/** The person can mend it: one sentence that says how. Exit code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

export interface Told {
  values: Record<string, string | undefined>
  words: string[]
}

const common = ['url', 'key', 'prefix'] as const

/** Options have values, all of them. */
export function readTold(args: readonly string[], options: readonly string[]): Told {
  try {
    const names = [...common, ...options]
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    })
    return { values: values as Told['values'], words: positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export interface Shop extends MerchantClient {
  baseUrl: string
  /** The gateway's headers name the merchant too. */
  as(merchantId: number): MerchantClient
}

/** With the key of test mode: everything here is for trying things out. */
export function openShop({ values }: Told, { env }: Terminal): Shop {
  const baseUrl = (values.url ?? env.MFUKO_URL ?? 'http://localhost:8080').replace(/\/+$/, '')
  const apiKey = values.key ?? env.MFUKO_API_KEY
  if (apiKey === undefined)
    throw new UsageError('Which API key? Set MFUKO_API_KEY to the one of test mode, svc_test_…')
  if (apiKey.includes('_live_'))
    throw new UsageError(
      'This is a live key. Use the one of test mode, svc_test_…: no real money is moved here.',
    )
  const headerPrefix = values.prefix ?? env.MFUKO_HEADER_PREFIX ?? 'SVC'
  const options = { baseUrl, apiKey, headerPrefix }
  const as = (merchantId: number) => createMerchantClient({ ...options, merchantId })
  return { ...createMerchantClient(options), baseUrl, as }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** One of them, or a sentence that names them. */
export function oneOf<const T extends string>(
  text: string | undefined,
  { words, what }: { words: readonly T[]; what: string },
): T {
  const found = words.find((word) => word === text)
  if (found === undefined) throw new UsageError(`${what} is one of ${words.join(', ')}`)
  return found
}

/** Text of others, so that it can't change what the terminal shows. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '·')

export const timeOf = (date: Date): string => date.toTimeString().slice(0, 8)
