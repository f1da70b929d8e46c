// The service's own keys. In production they come from the operator and are judged before anything starts;
// elsewhere they are made once and kept beside the data, so that a newcomer has nothing to do.
import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './base/errors.ts'
import { Secret } from './base/secret.ts'
import { type Config, replaceableSecrets, type SecretName, secretNames, secretVariable } from './config.ts'

export type Secrets = Readonly<Record<SecretName, Secret>>

const bytesMin = 32

export function loadSecrets(config: Config, dataDir: string): Secrets {
  return givenSecrets(config) ?? judged(keptSecrets(dataDir))
}

/** Those of the operator, judged; nothing where they may be made instead. */
export function givenSecrets(config: Config): Secrets | undefined {
  const file = config.SECRET_KEYS_FILE
  const texts: Partial<Record<string, string>> = {
    ...(file === undefined ? {} : readKeysFile(file)),
    ...config.secretTexts,
  }
  return Object.keys(texts).length === 0 && !config.production ? undefined : judged(texts)
}

/** Refuses missing, short and equal ones: an equal pair would let one leaked key open two doors. */
function judged(texts: Partial<Record<string, string>>): Secrets {
  const problems: string[] = []
  const secrets: Partial<Record<SecretName, Secret>> = {}
  const known: KnownSecret[] = []
  for (const name of secretNames) {
    const text = texts[name]
    if (text === undefined) {
      problems.push(
        `The secret "${name}" is missing. Set ${secretVariable(name)}, or add it to SECRET_KEYS_FILE.`,
      )
      continue
    }
    const [secret, ...older] = text.split(',').map((value) => new Secret(Buffer.from(value.trim(), 'base64')))
    if (secret === undefined) continue
    if (older.length > 0 && !replaceableSecrets.includes(name)) {
      problems.push(
        `The secret "${name}" takes one value. These take older ones too: ${replaceableSecrets.join(', ')}.`,
      )
    }
    problems.push(...[secret, ...older].flatMap((one) => problemOf(one, { name, known }) ?? []))
    known.push(...[secret, ...older].map((one) => ({ name, secret: one })))
    secrets[name] = new Secret(secret.reveal(), older)
  }
  if (problems.length > 0) {
    throw new StartError(`${problems.join('\n')}\nMake each with: openssl rand -base64 32`)
  }
  return secrets as Secrets
}

interface KnownSecret {
  name: SecretName
  secret: Secret
}

function problemOf(secret: Secret, { name, known }: { name: SecretName; known: KnownSecret[] }) {
  const twin = known.find((other) => other.secret.equals(secret))
  if (secret.length < bytesMin)
    return `The secret "${name}" is too short: it must be at least ${bytesMin} bytes, in base64.`
  if (new Set(secret.reveal()).size < 8)
    return `The secret "${name}" is not random. Make one with: openssl rand -base64 32`
  if (twin !== undefined)
    return `The secrets "${twin.name}" and "${name}" are equal. Each needs a value of its own.`
  return undefined
}

function readKeysFile(path: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartError(`SECRET_KEYS_FILE can't be read: ${path}. Check the path and its permissions.`, {
      cause,
    })
  }
  return parseKeys(text, path)
}

function parseKeys(text: string, path: string): Record<string, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = undefined
  }
  const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  if (!isMap || Object.values(parsed as object).some((value) => typeof value !== 'string')) {
    throw new StartError(
      `The secrets in ${path} are not a JSON object of strings. Restore the file from a backup.`,
    )
  }
  return parsed as Record<string, string>
}

/**
 * Made once. Written whole under another name and then linked into place: a killed start leaves no half file,
 * and of two first starts at once, both end up with the same one.
 */
function keptSecrets(dataDir: string): Record<string, string> {
  const path = join(dataDir, 'secrets.json')
  try {
    return readOrMake(dataDir, path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (cause instanceof StartError || code === undefined) throw cause
    throw new StartError(
      `The generated secrets can't be kept in ${path} (${code}). Set DATA_DIR to a folder that this user can write to, or give the secrets in SECRET_KEYS_FILE.`,
      { cause },
    )
  }
}

function readOrMake(dataDir: string, path: string): Record<string, string> {
  const read = () => parseKeys(readFileSync(path, 'utf8'), path)
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  const made = Object.fromEntries(secretNames.map((name) => [name, randomBytes(32).toString('base64')]))
  writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return read()
}
