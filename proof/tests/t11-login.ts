// Somebody without a password, a PIN or a token tries to get in: by asking who is there and looking at the clock, by
// guessing everything at once, by using what is over.
import { openClient } from '../rig/client.ts'
import { openStage } from '../rig/stage.ts'
import { databaseAway, verdict } from '../rig/verdict.ts'
import type { Person } from '../rig/world.ts'
import type { Proof } from '../scene.ts'
import { exhaust, guessAtOnce } from './access/guessing.ts'
import { accounts, apiKeys, checkouts, pins, someCheckouts } from './access/names.ts'
import { cutOff, oneSuccessor, unheard } from './access/sessions.ts'

const sizes = {
  gate: { logins: 120, asks: 300, guessed: 5, exhausted: 1, guesses: 400, sessions: 2, cuts: 0 },
  night: { logins: 2_000, asks: 2_000, guessed: 50, exhausted: 1, guesses: 9_999, sessions: 10, cuts: 2 },
}

export const proof: Proof = {
  id: 'T11',
  title: 'Login, PIN and tokens',
  promise:
    'Neither answers nor their times tell who has an account; a PIN can be guessed five times, however many try at once; what is revoked is refused everywhere within 2 seconds.',
  minutes: { gate: 6, night: 40 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const stage = await openStage(scene, {
      ...{ processes: 3, clock: true, connections: 16 },
      env: { TRUSTED_PROXIES: '127.0.0.1' },
    })
    const { people } = stage.world
    const tokens = await someCheckouts(stage)
    const one = stage.services[0]
    if (one === undefined) throw new Error('there are three')
    const client = await openClient({ url: one.url, folder: stage.folder, name: 'curious', connections: 2 })
    scene.defer(client.close)
    const asking = { stage, client, times: size.asks }
    const [lucky, revokedMs, cutMs]: [boolean[], number[], number[]] = [[], [], []]
    const parts = {
      'guesses at once': async () => {
        for (const person of people.slice(0, size.guessed)) lucky.push(await guessAtOnce(stage, person))
      },
      'tokens that are over': async () => {
        for (const person of people.slice(50, 50 + size.sessions))
          revokedMs.push(...(await oneSuccessor(stage, { person })), await unheard(stage, { person }))
      },
      'lines that hang': async () => {
        for (let round = 0; round < size.cuts; round++)
          cutMs.push(await cutOff(stage, { person: people[55] as Person }))
      },
      'all PINs there are': async () => {
        for (const person of people.slice(60, 60 + size.exhausted))
          await exhaust(stage, { person, guesses: size.guesses })
      },
      'who has an account': () => accounts({ ...asking, times: size.logins }),
      'which keys there are': () => apiKeys(asking),
      'who has a PIN': () => pins(asking),
      // Of lines that hang it complains, as it should.
      'the books': () => verdict(stage, size.cuts > 0 ? { forgives: databaseAway } : {}),
      'which checkouts there were': () => checkouts(asking, tokens),
    }
    for (const [name, part] of Object.entries(parts)) {
      await part()
      scene.say(name)
      // One is enough to know.
      if (scene.faults().length > 0) return
    }
    const through = lucky.filter(Boolean).length
    scene.figure('people whose PIN was guessed 200 times at once, over 3 processes', lucky.length)
    scene.figure('of these guessed within the five tries (1 in 40 by chance)', through)
    // With more luck than that, something is compared that is not counted.
    if (through > 2 + lucky.length / 8) scene.fault(`${through} of ${lucky.length} PINs were guessed`)
    scene.figure('PINs that were guessed to the end', `${size.exhausted}, ${size.guesses} guesses each`)
    scene.figure('revoked tokens refused everywhere after at most', `${Math.max(...revokedMs)} ms`)
    if (cutMs.length > 0) scene.figure('nobody let in without news after', `${Math.max(...cutMs)} ms`)
  },
}
