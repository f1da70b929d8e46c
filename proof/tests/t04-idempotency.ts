// Requests are repeated: at once and by many, with another body, after the process died, by others, after a week. What was
// asked for once happens once, and everybody hears the same answer; and the table of keys gives no PIN away.
import { openStage } from '../rig/stage.ts'
import { verdict } from '../rig/verdict.ts'
import type { Proof } from '../scene.ts'
import { expiry, independent, judgeEffects, killed, offline, otherBody, sameKeys } from './races/repeating.ts'

const sizes = {
  gate: { keys: 16, oneProcess: 8, bodies: 4, kills: 3 },
  night: { keys: 200, oneProcess: 100, bodies: 100, kills: 30 },
}

export const proof: Proof = {
  id: 'T4',
  title: 'Repeated requests',
  promise: 'A request that is repeated with its key happens once, and gets its first answer, byte for byte.',
  minutes: { gate: 8, night: 30 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const stage = await openStage(scene, { processes: 2, connections: 64 })
    let unknown = 0
    const parts = {
      'many at once, over two processes': () => sameKeys(stage, { keys: size.keys }),
      'many at once, in one process and its batches': () =>
        sameKeys(stage, { keys: size.oneProcess, services: stage.services.slice(0, 1) }),
      'with another body': () => otherBody(stage, { rounds: size.bodies }),
      'of others': () => independent(stage),
      'a copy of the table': () => offline(stage),
      'after a kill': async () => {
        unknown = (await killed(stage, { rounds: size.kills })).unknown
      },
      'counted in the database': async () => {
        scene.figure('keys whose effects were counted', await judgeEffects(stage))
      },
    }
    for (const [name, part] of Object.entries(parts)) {
      if (scene.faults().length > 0) return
      await part()
      scene.say(name)
    }
    if (scene.faults().length > 0) return
    await verdict(stage)
    const later = await openStage(scene, { processes: 1, clock: true })
    await expiry(later)
    // A key that is over is a new one to the service, which those who compare answers can't know.
    await verdict(later, { check: { rules: [3, 4, 5, 6, 7, 8, 10] } })
    scene.figure('keys, each 50 times at once', size.keys + size.oneProcess)
    scene.figure('keys with two bodies at once', size.bodies)
    scene.figure('kills around a commit', size.kills)
    scene.figure('requests without an answer then, asked again', unknown)
  },
}
