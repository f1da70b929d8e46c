// The only reader of the environment. Every setting is one row here: its name, what it is for, its type and
// a safe default. docs/reference/configuration.md is made from these rows.
import { StartError } from './base/errors.ts'
import { providerRows } from './config-providers.ts'
import {
  choice,
  database,
  type Group,
  headerWord,
  mailAddress,
  nameServers,
  networks,
  type Row,
  secondsList,
  text,
  url,
  wholeNumber,
} from './config-rows.ts'

/** Named after what they protect; each is 32 random bytes, in base64. No two may be equal. */
export const secretNames = ['jwt', 'pin', 'password', 'apikey', 'idem', 'enc', 'audit'] as const
export type SecretName = (typeof secretNames)[number]

/**
 * To replace one of these, put the new value in front of the old: `new,old`. The first is used from then on; what was
 * made with the others is still understood.
 */
export const replaceableSecrets: readonly SecretName[] = ['jwt', 'pin', 'password', 'apikey', 'enc']

const settings = {
  NODE_ENV: choice({
    group: 'Where it runs',
    about: 'In production nothing is generated or guessed: missing secrets and addresses stop the start.',
    of: ['development', 'test', 'production'],
    fallback: 'development',
  }),
  PORT: wholeNumber({
    group: 'Where it runs',
    about: 'Port of the API and the pages. 0 takes any free one and prints it.',
    from: 0,
    to: 65535,
    fallback: 8080,
  }),
  HOST: text({
    group: 'Where it runs',
    about: 'Network address to listen on. Outside production only this machine can connect.',
    fallback: '127.0.0.1',
    production: '0.0.0.0',
  }),
  BASE_URL: url({
    group: 'Where it runs',
    about:
      'The address people and merchants reach the service at. Outside production: `http://localhost:PORT`. In production it starts with `https://`, but for one on this machine itself.',
    schemes: ['http:', 'https:'],
    production: 'required',
    inProduction: (address) =>
      new URL(address).protocol === 'https:' || isThisMachine(address)
        ? undefined
        : 'start with https:// in production, or cookies could be read on their way. Only on the machine itself (http://localhost) it may be tried without.',
  }),
  ROLE: choice({
    group: 'Where it runs',
    about: 'What this process does: answer requests, do background work, or both.',
    of: ['all', 'api', 'worker'],
    fallback: 'all',
  }),
  WEB_CONCURRENCY: wholeNumber({
    group: 'Where it runs',
    about: 'How many processes answer requests on the one port. With 1 everything runs in a single process.',
    from: 1,
    to: 64,
    fallback: 1,
  }),
  WORKER_CONCURRENCY: wholeNumber({
    group: 'Where it runs',
    about: 'How many background jobs run at the same time in one process.',
    from: 1,
    to: 100,
    fallback: 4,
  }),
  DEMO: choice({
    group: 'Where it runs',
    about:
      'Fills an empty database with people, money and a shop to try things with, and opens the example shop. Never in production.',
    of: ['on', 'off'],
    fallback: 'on',
    production: 'off',
    inProduction: (value) =>
      value === 'off'
        ? undefined
        : 'be off in production: everybody knows the passwords of its people. Leave it out, or try the demo without NODE_ENV=production.',
  }),
  SHOP_PORT: wholeNumber({
    group: 'Where it runs',
    about: 'Port of the example shop. 0 takes any free one and prints it.',
    from: 0,
    to: 65535,
    fallback: 8090,
  }),
  SIMULATOR_PORT: wholeNumber({
    group: 'Where it runs',
    about:
      'Port of the [simulator](../guides/simulator.md) of the mobile-money networks, which is started too outside production. 0 takes any free one and prints it.',
    from: 0,
    to: 65535,
    fallback: 8082,
  }),
  DRAIN_SECONDS: wholeNumber({
    group: 'Where it runs',
    about:
      'How long a stopping process still takes requests after it has turned unready, so that a load balancer can notice.',
    from: 0,
    to: 20,
    fallback: 0,
    production: 5,
  }),
  DATABASE_URL: database({
    group: 'Database',
    about:
      'PostgreSQL 14 or later; or `embedded`, as is the default outside production: the PostgreSQL that comes with the packages, started with the service and kept in DATA_DIR. PgBouncer must pool sessions (the worker listens for jobs) and have `ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout`; set these two for the role instead, to `60s`.',
    production: 'required',
    secret: true,
  }),
  DATABASE_POOL: wholeNumber({
    group: 'Database',
    about: 'Most database connections of one process.',
    from: 2,
    to: 200,
    fallback: 10,
  }),
  DATABASE_WAIT_SECONDS: wholeNumber({
    group: 'Database',
    about:
      'How long a request waits for a database connection before it is answered with 503; one statement may take a second longer.',
    from: 1,
    to: 60,
    fallback: 2,
  }),
  DATA_DIR: text({
    group: 'Database',
    about:
      'Folder for the embedded database and generated secrets. Default: `.data` in the project; as root, when the database user could not enter that, a folder under `/var/lib/mfuko`.',
  }),
  BRAND_NAME: text({
    group: 'Web',
    about: 'The display name of the service, as the start message and the API reference show it.',
    fallback: 'Mfuko',
  }),
  TRUSTED_PROXIES: networks({
    group: 'Web',
    about:
      'Addresses or networks (CIDR) of the load balancers whose `X-Forwarded-For` is believed. Empty: none.',
    fallback: [],
  }),
  REQUESTS_MAX: wholeNumber({
    group: 'Web',
    about:
      'How many requests one process works on at the same time. Further ones are answered with 503 and `Retry-After` at once; health checks are always let in.',
    from: 10,
    to: 100_000,
    fallback: 1_000,
  }),
  RATE_LIMITS: choice({
    group: 'Web',
    about: '`off` lifts all rate limits, for load tests.',
    of: ['on', 'off'],
    fallback: 'on',
  }),
  REDIS_URL: url({
    group: 'Web',
    about:
      'Redis that shares the counts of rate limits between processes. Without it each process counts for itself.',
    schemes: ['redis:', 'rediss:'],
    secret: true,
  }),
  HEADER_PREFIX: headerWord({
    group: 'Notifications',
    about:
      'What the header names that carry the brand begin with: `SVC-API-Key` in requests, `SVC-Signature` in notifications. Merchants program against them: choose once.',
    fallback: 'SVC',
  }),
  LEGACY_HEADERS: choice({
    group: 'Web',
    about:
      "`off` refuses the old names `X-Merchant-Key` and `X-API-Key` of the gateway's headers, which are deprecated from 2026-07-01 on.",
    of: ['on', 'off'],
    fallback: 'on',
  }),
  NOTIFY_SCHEDULE: secondsList({
    group: 'Notifications',
    about:
      'When a notification that failed is sent again: seconds after each failed attempt, ±20 %. In test mode the first four are used.',
    most: 30,
    fallback: [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  }),
  ALLOW_PRIVATE_CALLBACKS: choice({
    group: 'Notifications',
    about:
      '`on` lets notifications go to this machine and to private networks, to any port. Outside production a shop on localhost is welcome; in production it would let merchants reach what is not meant for them.',
    of: ['on', 'off'],
    fallback: 'on',
    production: 'off',
  }),
  CALLBACK_ALLOW_CIDRS: networks({
    group: 'Notifications',
    about: 'Private addresses or networks (CIDR) that notifications may go to all the same. Empty: none.',
    fallback: [],
  }),
  NOTIFY_DNS: nameServers({
    group: 'Notifications',
    about:
      'Name servers that are asked where notifications go, like `10.0.0.2, 10.0.0.3:5353`. Empty: those of the system.',
    fallback: [],
  }),
  SMTP_URL: url({
    group: 'Mail',
    about:
      'Mail server, with name and password if it wants them: `smtp://name:password@mail.example.com:587`. Without it mails are kept for the operators to read, and outside production also printed. In production the connection must be encrypted; `?requireTLS=false` lifts that, for a relay on a network of your own.',
    schemes: ['smtp:', 'smtps:'],
    secret: true,
  }),
  MAIL_FROM: mailAddress({
    group: 'Mail',
    about: 'The address mails come from. Default: `no-reply@` and the host of BASE_URL.',
  }),
  CHECKOUT_MINUTES: wholeNumber({
    group: 'Money',
    about: 'How long a customer has to pay.',
    from: 1,
    to: 1440,
    fallback: 30,
  }),
  PRICES_FILE: text({
    group: 'Money',
    about:
      'JSON file with other fees and limits than those in [prices](prices.md). What it leaves out keeps its default.',
  }),
  ...providerRows,
  SECRET_KEYS_FILE: text({
    group: 'Safety',
    about:
      'JSON file with the secrets, `{ "jwt": "…", "pin": "…", … }`, in the place of the single variables below. Outside production both may be missing: secrets are then generated once and kept in `DATA_DIR/secrets.json`.',
  }),
  PASSWORD_COST: choice({
    group: 'Safety',
    about:
      'How hard a stolen password hash is to guess: `standard` takes 19 MiB and about 50 ms a login, `high` 64 MiB and about 300 ms (for machines with four cores or more). A raised one applies to each account from its next login on, and every login makes both hashes, so that its time does not tell whose password is an old one. Lowered again, the accounts of before answer later than names that nobody has.',
    of: ['standard', 'high'],
    fallback: 'standard',
  }),
  METRICS_PORT: wholeNumber({
    group: 'Watching it',
    about:
      'Port of `/metrics` (Prometheus) and `/status` (why it is ready or not). Keep it private. 0 takes any free one.',
    from: 0,
    to: 65535,
    fallback: 9464,
  }),
  METRICS_HOST: text({
    group: 'Watching it',
    about: 'Network address of the metrics port.',
    fallback: '127.0.0.1',
  }),
  LOG_LEVEL: choice({
    group: 'Watching it',
    about: 'How much is logged.',
    of: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    fallback: 'info',
  }),
  LOG_FORMAT: choice({
    group: 'Watching it',
    about: '`json` for machines, `text` for a person at a terminal.',
    of: ['json', 'text'],
    fallback: 'text',
    production: 'json',
  }),
} satisfies Record<
  string,
  Row<never> | Row<string> | Row<string | undefined> | Row<number> | Row<string[]> | Row<number[]>
>

type Settings = typeof settings
type Value<R> = R extends Row<infer T> ? T : never
/** Settings that always have a value once the configuration is read. */
type Certain = Exclude<
  keyof Settings,
  | 'BASE_URL'
  | 'DATABASE_URL'
  | 'DATA_DIR'
  | 'REDIS_URL'
  | 'SMTP_URL'
  | 'MAIL_FROM'
  | 'PRICES_FILE'
  | 'SECRET_KEYS_FILE'
  | keyof typeof providerRows
>

export type Config = { readonly [Name in Certain]: Value<Settings[Name]> } & {
  readonly [Name in Exclude<keyof Settings, Certain>]: Value<Settings[Name]> | undefined
} & {
  readonly production: boolean
  /** What SECRET_JWT and its sisters hold; secrets.ts reads and judges them. */
  readonly secretTexts: { readonly [Name in SecretName]?: string }
  /** Told to a fork by the process that has started the embedded database: where its files are. */
  readonly embeddedDir: string | undefined
}

type Environment = Record<string, string | undefined>

/** Reads everything, or throws one StartError that names every wrong setting. */
export function loadConfig(environment: Environment = process.env): Config {
  const production = environment.NODE_ENV === 'production'
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, row] of Object.entries<Row<unknown>>(settings)) {
    const given = environment[name]
    if (given !== undefined && given !== '') {
      const result = row.read(given)
      const refused = 'value' in result && production ? row.inProduction?.(result.value) : undefined
      if ('must' in result) problems.push(complaint({ name, given, must: result.must, secret: row.secret }))
      else if (refused !== undefined) problems.push(`${name} must ${refused}`)
      else values[name] = result.value
    } else if (production && row.production === 'required') {
      problems.push(`${name} must be set in production: ${row.about}`)
    } else {
      values[name] = production && row.production !== undefined ? row.production : row.fallback
    }
  }
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  const secretTexts = Object.fromEntries(
    secretNames.flatMap((name) => {
      const value = environment[secretVariable(name)]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  // Every row was read above by its own type, which the loop can't express.
  return { ...values, production, secretTexts, embeddedDir: environment[forkVariable] } as unknown as Config
}

const isThisMachine = (address: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)

export const secretVariable = (name: SecretName): string => `SECRET_${name.toUpperCase()}`

const complaint = (what: { name: string; given: string; must: string; secret: boolean | undefined }) =>
  `${what.name} must ${what.must}${what.secret ? '' : `, not "${what.given.slice(0, 64)}"`}.`

/** What a program forked by this one needs to know of choices that were made after the configuration was read. */
export const settingsForFork = (
  known: Partial<Record<keyof Settings, string>>,
  { embeddedDir }: Pick<Config, 'embeddedDir'>,
): Record<string, string> => ({
  ...known,
  WEB_CONCURRENCY: '1',
  ...(embeddedDir === undefined ? {} : { [forkVariable]: embeddedDir }),
})

/** No setting: only a fork reads it. */
const forkVariable = 'MFUKO_FORK_EMBEDDED_DIR'

const secretUses: Record<SecretName, string> = {
  jwt: 'signs the tokens of logged-in people',
  pin: 'keys the stored transaction PINs',
  password: 'peppers the stored passwords',
  apikey: 'keys the stored API keys of merchants',
  idem: 'keys the fingerprints of repeated requests',
  enc: 'seals client secrets, answers that showed a secret, live API keys for ten minutes, mails that show a code, seeds of authenticator apps and cookies of the checkout',
  audit: 'signs the audit log',
}

/** docs/reference/configuration.md, whole. */
export function configurationPage(): string {
  const groups: Group[] = [
    'Where it runs',
    'Database',
    'Web',
    'Notifications',
    'Mail',
    'Money',
    'Providers',
    'Safety',
    'Watching it',
  ]
  const lines = [
    '# Configuration',
    '',
    'Settings are environment variables. All are optional outside production. This page is generated from',
    '`server/src/config.ts` by `npm run docs`.',
    '',
  ]
  for (const group of groups) {
    lines.push(`## ${group}`, '', '| Setting | Value | Default | What it is for |', '|---|---|---|---|')
    for (const [name, row] of Object.entries<Row<unknown>>(settings)) {
      if (row.group === group) lines.push(`| \`${name}\` | ${row.form} | ${defaultOf(row)} | ${row.about} |`)
    }
    if (group === 'Safety') {
      for (const name of secretNames) {
        const value = `32 random bytes in base64 (\`openssl rand -base64 32\`)${
          replaceableSecrets.includes(name) ? '; to replace it: `new,old`' : ''
        }`
        lines.push(
          `| \`${secretVariable(name)}\` | ${value} | **required in production** | ${secretUses[name]} |`,
        )
      }
    }
    lines.push('')
  }
  return lines.join('\n')
}

function defaultOf(row: Row<unknown>): string {
  const shown = (value: unknown) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? 'none' : `\`${value}\``
  if (row.production === 'required') return `${shown(row.fallback)}; **required in production**`
  if (row.production !== undefined) return `${shown(row.fallback)}; ${shown(row.production)} in production`
  return shown(row.fallback)
}
