// What the operator charges in the place of the defaults. Read once, and judged before anything starts.
import { readFileSync } from 'node:fs'
import { AppError, StartError } from './base/errors.ts'
import { type Prices, readPrices } from './base/prices.ts'
import type { Config } from './config.ts'
import { type Json, readJson } from './http/json-body.ts'

export function loadPrices({ PRICES_FILE: path }: Pick<Config, 'PRICES_FILE'>): Prices {
  if (path === undefined) return readPrices()
  const changes = parseFile(readFile(path), path)
  try {
    return readPrices(changes)
  } catch (cause) {
    if (!(cause instanceof StartError)) throw cause
    const sentence = `PRICES_FILE can't be used: ${path}. Compare it with docs/reference/prices.md.`
    throw new StartError(`${sentence}\n${cause.message}`, { cause })
  }
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new StartError(`PRICES_FILE can't be read: ${path}. Check the path and its permissions.`, { cause })
  }
}

/** By the reader of request bodies, because it refuses a key that appears twice: which price would hold? */
function parseFile(bytes: Buffer, path: string): Json {
  try {
    return readJson(bytes)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw new StartError(cause.message.replace('The body', `PRICES_FILE (${path})`), { cause })
  }
}
