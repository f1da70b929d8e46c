// The simulator as a program: `npm run simulator -- --port 8082`. With a channel to who started it, it
// says where it is, and ends when they are gone.
import { parseArgs } from 'node:util'
import { type Simulator, startSimulator } from './simulator.ts'

const usage = `npm run simulator -- [--port 8082] [--host 127.0.0.1] [--url <address>] [--data <folder>] [--seed <number>] [--speed <factor>]
  --port      where it listens; 0: any free port
  --attached  part of a larger program: takes another port when that one is taken, and ends with the program
  --host      who can reach it; there is no login, so 127.0.0.1 is this machine only
  --url       the address that browsers reach it at, when that is another
  --data      keeps what happened in this folder; without it a restart forgets
  --seed      of the chance that loses callbacks, to have the same ones lost again
  --speed     2: everything takes half the time`

const { values } = readArguments()
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const simulator = await open()
console.log(`The mobile-money network in a box is running.

  Virtual phones  ${simulator.url}
  For developers  ${simulator.url}/developers  (addresses, credentials, knobs)
  Seed            ${simulator.seed}

Ctrl-C stops it.`)

const stop = () => void simulator.close().then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('disconnect', stop)
process.send?.({ type: 'listening', url: simulator.url })
// Ctrl-C reaches every process of a terminal; the larger program still needs this one while it stops itself.
for (const signal of ['SIGINT', 'SIGHUP'] as const)
  process.on(signal, values.attached ? () => undefined : stop)

async function open(): Promise<Simulator> {
  const port = Number(values.port)
  const start = (chosen: number) =>
    startSimulator({
      port: chosen,
      host: values.host,
      dataDir: values.data,
      delays: 1 / Number(values.speed),
      ...(values.url === undefined ? {} : { url: values.url.replace(/\/$/, '') }),
      ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    })
  try {
    return await start(port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (values.attached) return start(0)
    console.error(
      `Port ${port} is taken. Choose another one: npm run simulator -- --port ${port === 65_535 ? port - 1 : port + 1}`,
    )
    process.exit(1)
  }
}

function readArguments() {
  try {
    const read = parseArgs({
      options: {
        port: { type: 'string', default: '8082' },
        attached: { type: 'boolean', default: false },
        host: { type: 'string', default: '127.0.0.1' },
        url: { type: 'string' },
        data: { type: 'string' },
        seed: { type: 'string' },
        speed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    })
    const { port, url, seed = '0', speed } = read.values
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error('--port is a number up to 65535')
    if (url !== undefined && !/^https?:\/\/./.test(url)) throw new Error('--url is an address of the web')
    if (!/^\d{1,10}$/.test(seed)) throw new Error('--seed is a whole number')
    if (!(Number(speed) > 0)) throw new Error('--speed is a number above 0')
    return read
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(1)
  }
}
