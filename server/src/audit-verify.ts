// `npm run audit:verify`: walks the chains of the audit log, beside the running service or without it, and names what
// was altered, removed or slipped in. With --new-secret, after SECRET_AUDIT was changed, it signs the heads anew.
import { parseArgs } from 'node:util'
import * as audit from './audit/audit.ts'
import { systemClock } from './base/clock.ts'
import { StartError } from './base/errors.ts'
import {
  counted,
  nothingThere,
  openCommandDatabase,
  openProgress,
  problemLines,
  runCommand,
  say,
} from './command.ts'
import { loadConfig } from './config.ts'
import { openDb } from './db/db.ts'
import { loadSecrets } from './secrets.ts'

/** True when the log is whole. */
async function verifyFromCommandLine(signal: AbortSignal): Promise<boolean> {
  const { newSecret } = readArguments()
  const config = loadConfig()
  const database = await openCommandDatabase(config, { what: 'are no audit logs' })
  const db = openDb({ url: database.url, connectionsMax: 1, name: 'mfuko audit' })
  try {
    if (!(await audit.hasLog(db))) {
      const maker = '`npm start`, or `npm run migrate`,'
      throw nothingThere({ what: 'are no audit logs', where: 'the database', maker })
    }
    const { audit: secret } = loadSecrets(config, database.dataDir)
    const progress = openProgress('events')
    const walk = newSecret ? audit.signAnew : audit.verify
    const onProgress = ({ events, of }: { events: number; of: number }) => progress.show({ done: events, of })
    const result = await walk(db, { secret, clock: systemClock, signal, onProgress }).finally(progress.end)
    say(report(result))
    return result.ok
  } finally {
    await db.close()
    await database.close()
  }
}

function readArguments(): { newSecret: boolean } {
  try {
    const { values } = parseArgs({ options: { 'new-secret': { type: 'boolean', default: false } } })
    return { newSecret: values['new-secret'] }
  } catch (cause) {
    throw new StartError('Use: npm run audit:verify, or npm run audit:verify -- --new-secret', { cause })
  }
}

function report({
  ok,
  events,
  days,
  waiting,
  seconds,
  tip,
  heads,
  problems,
  wrong,
}: audit.Verification): string {
  const read = `${counted(events)} events of ${counted(days)} ${days === 1 ? 'day' : 'days'}`
  const lines = [`The audit log is ${ok ? 'whole' : 'WRONG'}: ${read}, read in ${seconds.toFixed(1)} s.`]
  if (tip !== undefined)
    lines.push(`It ends on ${tip.day} after event ${tip.events} of that day: ${tip.hash}`)
  if (waiting > 0) lines.push(`${counted(waiting)} more ${waiting === 1 ? 'waits' : 'wait'} to be sealed.`)
  for (const { day, hash, signature } of heads) lines.push(`Signed the head of ${day}: ${hash} ${signature}`)
  return [...lines, ...(ok ? [] : problemLines({ wrong, problems }))].join('\n')
}

runCommand(verifyFromCommandLine)
