// `npm run operator -- add|remove|totp|list`: who may use the operator's side. Only who can reach the database can change it:
// there is no endpoint for it. Works beside the running service or without it.
import { userInfo } from 'node:os'
import { systemClock } from './base/clock.ts'
import { StartError } from './base/errors.ts'
import { nothingThere, openCommandDatabase, runCommand, say } from './command.ts'
import { type Config, loadConfig } from './config.ts'
import { type Db, openDb } from './db/db.ts'
import * as operators from './operators/operators.ts'
import { loadSecrets } from './secrets.ts'
import * as users from './users/users.ts'

const usage = `Use: npm run operator -- list
     npm run operator -- add <handle, e-mail or phone>
     npm run operator -- remove <handle, e-mail or phone>
     npm run operator -- totp <handle, e-mail or phone>   a new authenticator app`
const role = 'operator'
const verbs = ['add', 'remove', 'totp']

/** True when it is so now. */
async function changeFromCommandLine(): Promise<boolean> {
  const [verb, name, ...more] = process.argv.slice(2)
  const known = verb === 'list' ? name === undefined : verbs.includes(verb ?? '') && name !== undefined
  if (!known || more.length > 0) throw new StartError(usage)
  const config = loadConfig()
  const database = await openCommandDatabase(config, { what: 'are no accounts' })
  const db = openDb({ url: database.url, connectionsMax: 1, name: 'mfuko operator' })
  try {
    if (!(await users.hasAccounts(db)))
      throw nothingThere({
        what: 'are no accounts',
        where: 'the database',
        maker: '`npm start`, or `npm run migrate`,',
      })
    if (name === undefined) await list(db)
    else if (verb === 'totp') await makeFactor(db, { name, config, dataDir: database.dataDir })
    else await change(db, { name, given: verb === 'add' })
    return true
  } finally {
    await db.close()
    await database.close()
  }
}

async function list(db: Db): Promise<void> {
  const found = await users.withRole(db, role)
  if (found.length === 0) say('There are no operators. Make one: npm run operator -- add <handle>')
  for (const { handle, name, email, phone } of found)
    say([`@${handle}`, name, email, phone].filter((part) => part !== undefined).join('  '))
}

async function personCalled(db: Db, name: string): Promise<users.Person> {
  const person = await users.findPerson(db, name)
  if (person !== undefined) return person
  throw new StartError(
    `Nobody is called ${name}. Register the account first; see who there is: npm run operator -- list`,
  )
}

/** The audit log says who sat at the terminal. */
const terminal = () => ({ kind: 'command', id: userInfo().username })

/** The secret is shown here and nowhere else. */
async function makeFactor(
  db: Db,
  { name, config, dataDir }: { name: string; config: Config; dataDir: string },
): Promise<void> {
  const { id, handle, roles } = await personCalled(db, name)
  if (!roles.includes(role))
    throw new StartError(`@${handle} is no operator. First: npm run operator -- add ${handle}`)
  const secrets = loadSecrets(config, dataDir)
  const secret = await operators.enrol({ db, secrets }, { user: id, by: terminal(), at: systemClock.now() })
  say(`Type this into @${handle}'s authenticator app, or make a QR code of the link. It is not shown again.`)
  say(`  secret  ${operators.toBase32(secret)}`)
  say(`  link    ${operators.enrolmentUri({ brand: config.BRAND_NAME, handle, secret })}`)
}

async function change(db: Db, { name, given }: { name: string; given: boolean }): Promise<void> {
  const person = await personCalled(db, name)
  const by = terminal()
  const changed = await users.changeRole(db, { user: person.id, role, given, by, at: systemClock.now() })
  const shown = `@${person.handle} (${person.name})`
  if (changed)
    say(given ? `${shown} is an operator now, and must log in again.` : `${shown} is no operator any more.`)
  else say(given ? `${shown} was an operator already.` : `${shown} was no operator.`)
}

runCommand(changeFromCommandLine)
