// A crowd in a process of its own, and what is left to do when it has gone: its journal becomes part of the stage's, and
// what nobody knows is asked again. Use:
//
//   const load = await openLoad(stage)
//   const peak = await load.closed({ clients: 64, ms: 5_000 })
//   const [half] = await load.open([{ perSecond: peak.donePerSecond / 2, ms: 15_000 }])
//   await verdict(stage, { unsure: await load.end() })
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Crowd, Left } from './crowd.ts'
import type { StepFigures } from './crowd-figures.ts'
import type { Told } from './crowd-process.ts'
import type { Stage } from './stage.ts'
import { eachOf } from './world.ts'

export interface Load extends Pick<Crowd, 'closed' | 'open'> {
  pid: number
  /** Payments of which nobody knows whether they were paid. */
  end(): Promise<Left['unsure']>
}

const program = fileURLToPath(new URL('crowd-process.ts', import.meta.url))

export async function openLoad(stage: Stage): Promise<Load> {
  const { scene, world, front, folder } = stage
  const child = fork(program, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  scene.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const tell = async (told: Told): Promise<unknown> => {
    child.send(told)
    const gone = ended.then(() => Promise.reject(new Error('the process of the crowd ended')))
    const [message] = (await Promise.race([once(child, 'message'), gone])) as [{ answer: unknown }]
    return message.answer
  }
  const ports = stage.services.map(({ port }) => port)
  const { host } = new URL(front.url)
  const seed = scene.chance.below(2 ** 31)
  await tell({
    type: 'options',
    options: { world, receiverUrl: stage.receiver.url, ports, host, folder, seed },
  })
  return {
    pid: child.pid ?? 0,
    closed: async (options) => (await tell({ type: 'closed', ...options })) as StepFigures,
    open: async (steps) => (await tell({ type: 'open', steps: [...steps] })) as StepFigures[],
    end: async () => {
      const left = (await tell({ type: 'end' })) as Left
      child.disconnect()
      await pipeline(createReadStream(left.journal), createWriteStream(stage.client.journal, { flags: 'a' }))
      await eachOf(left.unknown, 32, (request) => stage.client.act(request))
      return left.unsure
    },
  }
}
