// Whoever has a copy of the database has nothing: no password, PIN, key, secret, link or token that went through the service is
// in it, nor in its files. What is sealed opens in its own row only. And each secret that protects it can be replaced while
// people go on.
import { openStage, type Stage } from '../rig/stage.ts'
import { verdict } from '../rig/verdict.ts'
import type { Proof } from '../scene.ts'
import { fillVault, type Vault } from './rest/planted.ts'
import { drain, rotate } from './rest/rotation.ts'
import { cellsWithPins, needlesOf, needlesOfPin, openSearch, scanFiles, scanTables } from './rest/search.ts'
import { swapAll } from './rest/swap.ts'

/** Acts of the traffic before and after each restart of all processes. */
const sizes = {
  gate: { people: 16, shops: 6, acts: 40 },
  night: { people: 120, shops: 40, acts: 600 },
}

/** What the service says when something was moved where it does not belong. */
const forgives = /what is sealed|unable to authenticate data|Unsupported state/

export const proof: Proof = {
  id: 'T13',
  title: 'Secrets at rest',
  promise:
    'A copy of the database gives nothing away, and every secret can be replaced without anybody noticing.',
  minutes: { gate: 8, night: 30 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const stage = await openStage(scene, { processes: 2, wire: false, connections: 32, env: drain })
    const vault = await fillVault(stage, size)
    scene.say(`${vault.secrets.length + vault.pins.length} secrets went through the service`)
    const { traffic, restarts, env } = await rotate(stage, size)
    if (scene.faults().length > 0) return
    await search(stage, vault)
    if (scene.faults().length > 0) return
    scene.say('the tables and the files')
    scene.figure('sealed values that were moved', await swapAll(stage, vault, env))
    scene.figure('restarts with other secrets', restarts)
    scene.figure('requests meanwhile, none of which failed', traffic.told.length)
    await verdict(stage, { unsure: traffic.unsure, forgives, check: { wholeJournal: false } })
  },
}

async function search(stage: Stage, vault: Vault): Promise<void> {
  const { scene } = stage
  const open = vault.open.map((text) => ({ what: text, bytes: Buffer.from(text) }))
  const needles = [...vault.secrets.flatMap(needlesOf), ...vault.pins.flatMap(needlesOfPin), ...open]
  const [inTables, inFiles] = [openSearch(needles), openSearch(needles)]
  const tables = await scanTables(stage, inTables)
  const files = await scanFiles(stage, inFiles)
  for (const { found } of [inTables, inFiles])
    for (const [what, where] of found) if (!vault.open.includes(what)) scene.fault(`${where} has ${what}`)
  for (const place of await cellsWithPins(stage, vault)) scene.fault(`${place} has a PIN`)
  // What is no secret is kept as it is: whoever does not find that has not looked.
  for (const text of vault.open)
    if (!inTables.found.has(text) || !inFiles.found.has(text))
      scene.fault(`the search is blind: ${text} is there, and was not found`)
  const megabytes = (inTables.bytes() + inFiles.bytes()) / 2 ** 20
  const byKind = Map.groupBy(vault.secrets, ({ kind }) => kind)
  const kinds = [...byKind].map(([kind, all]) => `${all.length} × ${kind}`)
  scene.figure('planted', [`${vault.pins.length} × PIN`, ...kinds].join(', '))
  scene.figure('forms looked for', needles.length - open.length)
  scene.figure('looked through', `${tables} tables, ${files} files, ${Math.round(megabytes)} MB`)
}
