// PostgreSQL refuses to run as root. So root runs it as another user: the owner of the data when there are some,
// else the system user `postgres`. That user must be able to enter the folder of the data; whether it can is
// tried for real, because modes, ACLs and mounts all have a say.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../base/errors.ts'

export interface Account {
  name: string
  uid: number
  gid: number
}

export interface Place {
  dataDir: string
  /** Absent: we are an ordinary user, and everything runs as ourselves. */
  account?: Account
}

export interface PlaceOptions {
  dataDir: string
  fallbackDir?: string | undefined
  say: (line: string) => void
}

export const isRoot = (): boolean => process.getuid?.() === 0

const userName = 'postgres'
const plainEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** Where root keeps the data, and as whom the database runs. Data that exist are never left for an empty place. */
export function choosePlace({ dataDir, fallbackDir, say }: PlaceOptions): Place {
  const withData = [dataDir, fallbackDir].find((folder) => folder !== undefined && hasCluster(folder))
  const account = ownerOf(withData) ?? postgresAccount(say)
  for (const folder of withData === undefined ? [dataDir, fallbackDir] : [withData]) {
    if (folder === undefined || !canReach(account, folder)) continue
    if (folder !== dataDir) say(`The data are in ${folder}: the user ${account.name} can't enter ${dataDir}.`)
    return { dataDir: folder, account }
  }
  const closed = withData ?? dataDir
  throw new StartError(
    `PostgreSQL runs as the user ${account.name}, who can't enter the data folder ${closed}. Open its parent folders for others (chmod o+x), or set DATA_DIR to a folder elsewhere, such as /var/lib/mfuko/data.`,
  )
}

/** Data that root copied here (from a backup, say) are given to the user of the database. */
export function giveFolder(folder: string, { uid, gid }: Account): void {
  if (statSync(folder).uid !== 0) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, gid)
  }
  // The folder itself comes last: it tells that the rest is done.
  lchownSync(folder, uid, gid)
}

/** Runs a small program to its end, as the account or as ourselves. `problem` says in words why it failed. */
export function runAs(
  account: Account | undefined,
  command: string,
  args: string[],
): { ok: boolean; problem: string } {
  const as = account === undefined ? {} : { uid: account.uid, gid: account.gid }
  const result = spawnSync(command, args, {
    ...as,
    // The current folder may be closed to the account.
    cwd: '/',
    env: plainEnvironment,
    encoding: 'utf8',
    timeout: 20_000,
  })
  const lastLine = result.stderr?.trim().split('\n').at(-1)
  return {
    ok: result.status === 0,
    problem: result.error?.message ?? (lastLine || `exit code ${result.status}`),
  }
}

export const hasCluster = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres', 'PG_VERSION'))

function ownerOf(dataDir: string | undefined): Account | undefined {
  if (dataDir === undefined) return undefined
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  return uid === 0 ? undefined : { name: nameOf(uid), uid, gid }
}

const nameOf = (uid: number): string =>
  accounts().find((account) => account.uid === uid)?.name ?? `number ${uid}`

/** Can the account pass through every folder above, and through the folder itself if it exists? */
function canReach(account: Account, folder: string): boolean {
  openOwnFolder(folder)
  const existing = nearestExisting(folder)
  // A file in its place: making the folder will fail, and that is told in better words.
  if (!statSync(existing).isDirectory()) return true
  // The shell is there for everybody, so when it can't be run, it is the change of user that failed.
  const { ok: works, problem } = runAs(account, '/bin/sh', ['-c', 'exit 0'])
  if (!works) {
    throw new StartError(
      `PostgreSQL refuses to run as root, and root can't become the user ${account.name} here (${problem}). Start Mfuko as an ordinary user, or set DATABASE_URL.`,
    )
  }
  return runAs(account, '/bin/sh', ['-c', 'test -x "$1"', 'sh', existing]).ok
}

/** A data folder of root's own is opened for passing through; its files stay closed. Others are left alone. */
function openOwnFolder(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (!stat?.isDirectory() || stat.uid !== 0 || (stat.mode & 0o001) !== 0) return
  const names = readdirSync(folder)
  const known = ['postgres', 'postgres-password.json', 'secrets.json', 'server.lock']
  if (names.length === 0 || names.some((name) => known.includes(name))) chmodSync(folder, 0o711)
}

const nearestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))

function postgresAccount(say: (line: string) => void): Account {
  const existing = findAccount()
  if (existing) return existing
  const grouped = existsSync('/etc/group') && /^postgres:/m.test(readFileSync('/etc/group', 'utf8'))
  const common = [
    '--system',
    '--no-create-home',
    '--home-dir',
    '/var/lib/postgresql',
    '--shell',
    '/bin/false',
  ]
  const tries = [
    ['useradd', ...common, ...(grouped ? ['--gid', userName] : ['--user-group']), userName],
    // busybox
    ['addgroup', '-S', userName],
    ['adduser', '-S', '-D', '-H', '-h', '/var/lib/postgresql', '-s', '/bin/false', '-G', userName, userName],
  ]
  const problems = tries.flatMap(([command = '', ...args]) => {
    if (findAccount()) return []
    const { ok, problem } = runAs(undefined, command, args)
    return ok ? [] : [problem]
  })
  const made = findAccount()
  if (made) {
    say('Created the system user postgres, because PostgreSQL refuses to run as root.')
    return made
  }
  throw new StartError(
    `PostgreSQL refuses to run as root, and the system user postgres could not be created (${problems[0]}). Start Mfuko as an ordinary user, or set DATABASE_URL.`,
  )
}

/** Users from a directory service are not in the file, but `id` knows them. */
function findAccount(): Account | undefined {
  const listed = accounts().find(({ name }) => name === userName)
  if (listed) return listed
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, userName], { encoding: 'utf8', env: plainEnvironment })
    return status === 0 ? Number(stdout) : 0
  })
  return uid && gid ? { name: userName, uid, gid } : undefined
}

function accounts(): Account[] {
  if (!existsSync('/etc/passwd')) return []
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
