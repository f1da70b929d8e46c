// The proofs and the planted bugs there are: each file of tests/ exports `proof`, each of controls/ exports `controls`.
// There is no list to keep, so a new proof is a new file.
import { existsSync, readdirSync } from 'node:fs'
import type { Control, Proof } from './scene.ts'

export async function allProofs(): Promise<Proof[]> {
  const found = await modulesIn<{ proof?: Proof }>('tests')
  return found.map(({ name, module }) => {
    if (module.proof === undefined) throw new Error(`proof/tests/${name} exports no \`proof\``)
    return module.proof
  })
}

export async function allControls(): Promise<Control[]> {
  const found = await modulesIn<{ controls?: Control[] }>('controls')
  return found.flatMap(({ name, module }) => {
    if (module.controls === undefined) throw new Error(`proof/controls/${name} exports no \`controls\``)
    return module.controls
  })
}

async function modulesIn<T>(folder: string): Promise<{ name: string; module: T }[]> {
  const place = new URL(`${folder}/`, import.meta.url)
  if (!existsSync(place)) return []
  const names = readdirSync(place).filter((name) => /^t\d+[a-z]?-.*\.ts$/.test(name))
  return Promise.all(
    names.toSorted().map(async (name) => ({ name, module: (await import(new URL(name, place).href)) as T })),
  )
}
