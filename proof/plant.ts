// Planted bugs: does a proof see what it is there for? The tree is copied, one text in it is replaced, and the copy's own
// proof is run on the copy. It must not hold, and for the reason that was expected. A text that is not there exactly once
// is a stale control, and that is a failure too. The tree itself is never touched.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ControlResult } from './report.ts'
import type { Control, Result } from './scene.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export async function runControl(
  control: Control,
  { seed, say, signal }: { seed: number; say(line: string): void; signal: AbortSignal },
): Promise<ControlResult> {
  const { proof, name } = control
  const began = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-proof-plant-'))
  const ended = (bitten: boolean, why: string): ControlResult => {
    const seconds = Math.round((performance.now() - began) / 1_000)
    return { proof, name, bitten, why, seconds }
  }
  try {
    copyTree(folder)
    for (const change of [control, ...(control.also ?? [])]) {
      const stale = plant(folder, change)
      if (stale !== undefined) return ended(false, stale)
    }
    const result = await runCopy({ folder, proof, seed, say, signal })
    if (result === undefined) return ended(false, 'the run of the copy told nothing')
    if (result.held) return ended(false, `${proof} holds all the same`)
    const reason = result.faults.find((fault) => control.expect?.test(fault) ?? true)
    if (reason !== undefined) return ended(true, reason)
    return ended(false, `${proof} does not hold, but for another reason: ${result.faults[0]}`)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** What git knows, as it is on the disk now; the packages and the built pages are those of the tree. */
function copyTree(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  for (const path of listed.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(root, path), join(folder, path))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const path of ['server/node_modules', 'proof/node_modules', 'web/dist']) {
    if (!existsSync(join(root, path))) continue
    if (path.endsWith('node_modules')) symlinkSync(join(root, path), join(folder, path))
    else cpSync(join(root, path), join(folder, path), { recursive: true })
  }
}

/** Why it could not be planted. */
function plant(
  folder: string,
  { file, find, put }: Pick<Control, 'file' | 'find' | 'put'>,
): string | undefined {
  const path = join(folder, file)
  if (!existsSync(path)) return `stale: ${file} is not there any more`
  const text = readFileSync(path, 'utf8')
  const times = text.split(find).length - 1
  if (times !== 1) return `stale: what is to be replaced is in ${file} ${times} times`
  writeFileSync(
    path,
    text.replace(find, () => put),
  )
  return undefined
}

interface Copy {
  folder: string
  proof: string
  seed: number
  say(line: string): void
  signal: AbortSignal
}

async function runCopy({ folder, proof, seed, say, signal }: Copy): Promise<Result | undefined> {
  const out = join(folder, 'proof-result.json')
  const child = spawn(process.execPath, [join(folder, 'proof/proof.ts'), proof, '--out', out], {
    cwd: folder,
    // What is compiled of the copy goes with it.
    env: { ...process.env, SEED: String(seed), NODE_COMPILE_CACHE: join(folder, 'compiled') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let rest = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const each of lines) say(`  | ${each}`)
    })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  await once(child, 'close')
  signal.removeEventListener('abort', stop)
  if (!existsSync(out)) return undefined
  const [result] = JSON.parse(readFileSync(out, 'utf8')) as Result[]
  return result
}
