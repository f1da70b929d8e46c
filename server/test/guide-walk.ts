// Walks through a guide as a reader of one language does: writes the files that it shows, types its commands, opens its
// terminals, pays as its customer, and compares what is said. How a guide says it:
// - `<!-- tabs -->` … `<!-- /tabs -->`: the same in several languages, each under its name in bold. What is outside of them
//   is for everybody.
// - ```` ```js file=pay.mjs ````: a file. ```` ```sh ````: commands. ```` ```sh terminal=receiver ````: a command that goes on
//   running. ```` ```text terminal=receiver ````: a line that it says. ```` ```text output ````: what the program of the tabs
//   before it says, whose file was shown and not yet run. ```` ```text ````: what the command before it says. `json` and
//   `http`: what curl before it was answered.
// - `<!-- the customer pays -->`: somebody opens the latest address of a checkout, and pays.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { type GroupEnd, runGroup } from '../../scripts/process-group.ts'
import { openVisit } from '../../sdk/js/src/cli/checkout.ts'
import { compare, type Reply, runCurl, writtenUrl } from './guide-run.ts'
import { type Command, commandsOf, like, valueAt } from './guide-steps.ts'
import { eventually } from './notifications.ts'

export interface Block {
  line: number
  kind: string
  words: string[]
  text: string
  /** Absent: for everybody. */
  language: string | undefined
}

export type Step = Block | { line: number; act: string; language: string | undefined }

/** Is it one that guide-languages.test.ts walks through? */
export const isWalked = (markdown: string): boolean =>
  /^<!-- tabs -->$|^npm --prefix ..\/mfuko exec /m.test(markdown)

const customerPays = 'the customer pays'

export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  let language: string | undefined
  let inTabs = false
  let open: (Block & { lines: string[] }) | undefined
  for (const [at, text] of markdown.split('\n').entries()) {
    const line = at + 1
    if (open !== undefined) {
      if (text === '```') {
        const { lines, ...block } = open
        steps.push({ ...block, text: `${lines.join('\n')}\n` })
        open = undefined
      } else open.lines.push(text)
    } else if (text.startsWith('```')) {
      const [kind = '', ...words] = text.slice(3).split(' ')
      open = { line, kind, words, text: '', language, lines: [] }
    } else if (text === `<!-- ${customerPays} -->`) steps.push({ line, act: customerPays, language })
    else if (text === '<!-- tabs -->') inTabs = true
    else if (text === '<!-- /tabs -->') {
      inTabs = false
      language = undefined
    } else if (inTabs) language = /^\*\*([A-Za-z]+)\*\*$/.exec(text)?.[1] ?? language
  }
  return steps
}

export const languagesOf = (steps: readonly Step[]): string[] => [
  ...new Set(steps.flatMap(({ language }) => language ?? [])),
]

export interface Walk {
  /** Where the reader works. */
  folder: string
  language: string | undefined
  /** Where the service really is. */
  address: string
  /** In the place of 3000. */
  port: number
  /** What the terminals know. */
  variables: Map<string, string>
  /** Of every program that is started. */
  environment: NodeJS.ProcessEnv
  /** Between two steps. */
  onStep: () => Promise<void> | void
  /** What a command is really run as, where it brings something that is here already; empty: nothing. */
  realCommand: (written: string) => string
}

interface State {
  walk: Walk
  reply: Reply | undefined
  output: string
  /** A program that is written and not yet run. */
  pending: string | undefined
  paymentUrl: string | undefined
  terminals: Map<string, Terminal>
}

interface Terminal {
  output: string
  end: GroupEnd | undefined
  stop: () => Promise<unknown>
}

const commandMs = 60_000
const terminalMs = 110_000

export async function walkThrough(steps: readonly Step[], walk: Walk): Promise<void> {
  const own = steps.filter(({ language }) => language === undefined || language === walk.language)
  const state: State = {
    walk,
    reply: undefined,
    output: '',
    pending: undefined,
    paymentUrl: undefined,
    terminals: new Map(),
  }
  try {
    for (const [at, step] of own.entries()) {
      await walk.onStep()
      await takeStep(state, step, own[at + 1]).catch((error: unknown) => {
        const said = [...state.terminals].map(([name, { output }]) => `\n${name} says:\n${output}`)
        throw new Error(
          `line ${step.line}: ${error instanceof Error ? error.message : error}${said.join('')}`,
        )
      })
    }
  } finally {
    await Promise.all([...state.terminals.values()].map(({ stop }) => stop()))
  }
}

async function takeStep(state: State, step: Step, next: Step | undefined): Promise<void> {
  if ('act' in step) return pay(state)
  const { kind, words } = step
  const block = { ...step, text: step.text.replaceAll(/\b3000\b/g, String(state.walk.port)) }
  const named = (what: string) => words.find((word) => word.startsWith(`${what}=`))?.slice(what.length + 1)
  const file = named('file')
  const terminal = named('terminal')
  if (file !== undefined) return writeProgram(state, { file, text: block.text })
  if (kind === 'sh' && terminal !== undefined) return openTerminal(state, terminal, block.text)
  if (kind === 'sh') return runCommands(state, block, next)
  if (terminal !== undefined) return hear(state, terminal, block.text)
  if (words.includes('output')) return runPending(state, block.text)
  if (kind === 'text') assertLike(state.output, block.text)
}

async function pay({ walk, paymentUrl }: State): Promise<void> {
  assert.ok(paymentUrl, 'the address of a checkout was seen before')
  await openVisit(walk.address, paymentUrl).pay()
}

function writeProgram(state: State, { file, text }: { file: string; text: string }): void {
  const path = join(state.walk.folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  state.pending = runOf(file)
}

/** How a program is run, where the guide does not say it. */
function runOf(file: string): string | undefined {
  if (file.endsWith('.mjs')) return `node ${file}`
  if (file.endsWith('.php')) return `php ${file}`
  if (file.endsWith('.py')) return `python3 ${file}`
  return file.endsWith('.go') ? `go run ./${dirname(file)}` : undefined
}

/** For a reader whose language is not among the tabs before it, there is nothing to see. */
async function runPending(state: State, expected: string): Promise<void> {
  if (state.pending === undefined) return
  await runInShell(state, state.pending)
  state.pending = undefined
  assertLike(state.output, expected)
}

async function runCommands(state: State, { text, kind }: Block, next: Step | undefined): Promise<void> {
  const shown =
    next !== undefined && 'kind' in next && ['json', 'http'].includes(next.kind) ? next : undefined
  const commands = commandsOf(text)
  const last = commands.findLast((command) => 'curl' in command)
  for (const command of commands) {
    const answer =
      command === last && shown !== undefined ? { kind: shown.kind, text: shown.text } : undefined
    await runCommand(state, command, answer)
  }
  assert.equal(kind, 'sh')
}

async function runCommand(
  state: State,
  command: Command,
  answer: { kind: string; text: string } | undefined,
): Promise<void> {
  const { walk } = state
  if ('set' in command) {
    walk.variables.set(command.set, command.value.replace(writtenUrl, walk.address))
  } else if ('mailedTo' in command) {
    assert.fail('a guide in several languages has no mail')
  } else if ('keep' in command) {
    walk.variables.set(command.keep, valueAt(JSON.parse(state.reply?.text ?? ''), command.path))
  } else if ('run' in command) {
    state.pending = undefined
    await runInShell(state, command.run)
  } else {
    await walk.onStep()
    const { reply, request } = await runCurl(command, walk)
    state.reply = reply
    seeCheckout(state, reply.text)
    if (answer !== undefined) compare(answer, { reply, request })
    else assert.ok(reply.status < 400, `${reply.status} ${reply.text}`)
  }
}

function seeCheckout(state: State, text: string): void {
  state.paymentUrl = /https?:[^\s"]+\/checkout\?token=[\w-]+/.exec(text)?.[0] ?? state.paymentUrl
}

const environmentOf = ({ environment, variables }: Walk): NodeJS.ProcessEnv => ({
  ...environment,
  ...Object.fromEntries(variables),
})

async function runInShell(state: State, command: string): Promise<void> {
  const { walk } = state
  const real = walk.realCommand(command)
  if (real === '') return
  const end = await runGroup({
    command: 'bash',
    args: ['-ec', real],
    cwd: walk.folder,
    env: environmentOf(walk),
    limitMs: commandMs,
  })
  assert.deepEqual([end.how, end.code], ['exited', 0], `${command}\n${end.output}`)
  state.output = end.output
  seeCheckout(state, end.output)
}

async function openTerminal(state: State, name: string, text: string): Promise<void> {
  const { walk } = state
  const stopping = new AbortController()
  const terminal: Terminal = { output: '', end: undefined, stop: async () => undefined }
  const ended = runGroup({
    command: 'bash',
    args: ['-ec', `exec ${walk.realCommand(text.trim())}`],
    cwd: walk.folder,
    env: environmentOf(walk),
    limitMs: terminalMs,
    stop: stopping.signal,
    onOutput: (said) => {
      terminal.output += said
    },
  }).then((end) => {
    terminal.end = end
  })
  terminal.stop = () => {
    stopping.abort()
    return ended
  }
  state.terminals.set(name, terminal)
  state.pending = undefined
  await eventually(async () => {
    assert.equal(terminal.end, undefined, `${text} has ended: ${terminal.output}`)
    if (name === 'receiver') await reach(walk.port)
    else assert.match(terminal.output, /\n/)
  }, commandMs)
}

const reach = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })

/** What a terminal says in between, like the log of its server, is nobody's business. */
async function hear({ terminals, walk }: State, name: string, expected: string): Promise<void> {
  const terminal = terminals.get(name)
  assert.ok(terminal, `a terminal ${name} was opened`)
  const wanted = expected.trimEnd().split('\n')
  await eventually(async () => {
    await walk.onStep()
    const said = terminal.output.split('\n').map((line) => line.trimEnd())
    for (const line of wanted)
      assert.ok(
        said.some((one) => like(line, one)),
        `it does not say: ${line}`,
      )
  }, 15_000)
}

function assertLike(output: string, expected: string): void {
  const said = output.trimEnd().split('\n')
  const wanted = expected.trimEnd().split('\n')
  assert.equal(said.length, wanted.length, output)
  for (const [at, line] of wanted.entries()) assert.ok(like(line, said[at] ?? ''), `${line}\nis\n${said[at]}`)
}

export const readSteps = (path: string): Step[] => stepsOf(readFileSync(path, 'utf8'))
