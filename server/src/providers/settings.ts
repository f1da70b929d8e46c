// What the adapters share in reading their settings.
import { StartError } from '../base/errors.ts'
import { Secret } from '../base/secret.ts'

/** The values when all are given, nothing when none is. Half of them are a mistake that should be heard of at once. */
export function allOrNone<Name extends string>(
  provider: string,
  given: Record<Name, string | undefined>,
): Record<Name, string> | undefined {
  const names = Object.keys(given) as Name[]
  const missing = names.filter((name) => given[name] === undefined)
  if (missing.length === names.length) return undefined
  if (missing.length === 0) return given as Record<Name, string>
  throw new StartError(
    `${provider} is set up in part: set ${missing.join(', ')} too, or none of its settings.`,
  )
}

export const secretOf = (text: string): Secret => new Secret(Buffer.from(text))
export const textOf = (secret: Secret): string => secret.reveal().toString()
