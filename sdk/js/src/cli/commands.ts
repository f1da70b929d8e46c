// Which command, and what is said when there is none.
import { MfukoError } from '../errors.ts'
import { doctor } from './doctor.ts'
import { listen } from './listen.ts'
import { listPayments } from './payments.ts'
import { messageOf, plain, type Terminal, UsageError } from './terminal.ts'
import { trigger } from './trigger.ts'

export const usage = `mfuko: try an integration without a public address

  mfuko listen --forward-to http://localhost:3000/ipn
      Forwards the events of test mode to your computer, signed as the service signs them.
      --kind gateway|callback    only those of initiate-payment, or of pay

  mfuko trigger payment.completed
      Makes it happen in test mode: payment.pending, .completed, .failed, .refunded
      --payment REFERENCE        a pending payment of yours, instead of a new one
      --kind gateway|callback    how the new one is asked for (callback)
      --amount 1000  --currency UGX  --ref ORDER-1  --notify URL

  mfuko payments list
      --status pending|completed|failed|refunded  --q TEXT  --limit 25

  mfuko doctor http://localhost:3000/ipn
      Sends good, forged, old, doubled, slow and wrong deliveries, and says what to fix.
      --kind gateway|callback    which shape (gateway)
      --payment REFERENCE        an order of yours in test mode; without it one is made up
      --state 'http://localhost:3000/orders/{ref}'   a page that shows whether the order is paid
      --amount 1000  --currency UGX  --ref ORDER-1

  Everywhere: --url http://localhost:8080 (or MFUKO_URL), --key svc_test_… (or MFUKO_API_KEY);
  doctor also --secret whsec_… (or MFUKO_CLIENT_SECRET). Better in the environment: others can see what you type.`

const commands: Record<string, (args: string[], terminal: Terminal) => Promise<number>> = {
  listen,
  trigger,
  payments: listPayments,
  doctor,
}

/** The exit code: 0 it is done, 1 it is not, 2 it was asked for wrongly. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '', ...rest] = args
  if (['', 'help', '--help', '-h'].includes(name)) {
    terminal.out(usage)
    return name === '' ? 2 : 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    terminal.err(`There is no command ${plain(name)}. Try: mfuko --help`)
    return 2
  }
  try {
    return await command(rest, terminal)
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(error.message)
      return 2
    }
    if (!(error instanceof MfukoError)) throw error
    terminal.err(`${messageOf(error)} (${error.code}${error.requestId ? `, ${error.requestId}` : ''})`)
    for (const [field, problem] of Object.entries(error.errors)) terminal.err(`  ${field}: ${problem}`)
    return 1
  }
}
