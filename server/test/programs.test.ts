// How the tests get a browser and other programs of the machine: what is there is used, what can be installed is
// installed, else a sentence says what to do. On made-up folders with small shell scripts; nothing is installed.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { findBrowser, type Installer } from '../../scripts/browser.ts'
import { ensureSystemPackage, type Found } from '../../scripts/system-package.ts'

const base = mkdtempSync(join(tmpdir(), 'mfuko-programs-'))
after(() => rmSync(base, { recursive: true, force: true }))

let folders = 0
/** Name → shell script. */
function makeFolder(programs: Record<string, string>): string {
  const folder = join(base, String(folders++))
  mkdirSync(folder)
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

const adviceOf = (found: Found): string => ('advice' in found ? found.advice : `found ${found.path}`)

describe('system package', () => {
  const ensure = (folder: string, mayInstall: boolean, said: string[] = []) =>
    ensureSystemPackage({
      command: 'gizmo',
      aptPackage: 'gizmo-pkg',
      say: (line) => said.push(line),
      folders: [folder],
      mayInstall,
    })

  /** Writes down how it was called; `install` makes the program. */
  const aptGet = `
    echo "$@" >> "$(dirname "$0")/calls"
    case "$*" in *install*) cp "$0" "$(dirname "$0")/gizmo";; esac`

  test('there already: nothing is said or done', async () => {
    const folder = makeFolder({ gizmo: 'true', 'apt-get': 'exit 1' })
    const said: string[] = []
    assert.deepEqual(await ensure(folder, true, said), { path: join(folder, 'gizmo') })
    assert.deepEqual(said, [])
  })

  test('missing, as root: installed', async () => {
    const folder = makeFolder({ 'apt-get': aptGet })
    const said: string[] = []
    assert.deepEqual(await ensure(folder, true, said), { path: join(folder, 'gizmo') })
    assert.match(said.join('\n'), /Installing gizmo-pkg/)
  })

  test('missing, lists that cannot be refreshed: installed all the same', async () => {
    const folder = makeFolder({ 'apt-get': `case "$*" in *update*) exit 100;; esac\n${aptGet}` })
    assert.deepEqual(await ensure(folder, true), { path: join(folder, 'gizmo') })
  })

  test('there, but not the real thing: the next place, or installed', async () => {
    const stub = makeFolder({ gizmo: 'exit 1', 'apt-get': 'exit 1' })
    const real = makeFolder({ gizmo: 'true' })
    const ensureIn = (folders: string[]) =>
      ensureSystemPackage({
        command: 'gizmo',
        aptPackage: 'gizmo-pkg',
        say: () => undefined,
        folders,
        mayInstall: true,
        works: (path) => !path.startsWith(stub),
      })
    assert.deepEqual(await ensureIn([stub, real]), { path: join(real, 'gizmo') })
    const installer = makeFolder({ 'apt-get': aptGet })
    assert.deepEqual(await ensureIn([installer, stub]), { path: join(installer, 'gizmo') })
  })

  test('missing, and apt-get fails: says so in its words', async () => {
    const folder = makeFolder({ 'apt-get': 'echo "E: Unable to locate package" >&2; exit 100' })
    assert.match(adviceOf(await ensure(folder, true)), /gizmo was not found.*E: Unable to locate package/s)
  })

  test('missing, not root: says what to install', async () => {
    const folder = makeFolder({ 'apt-get': aptGet })
    assert.match(
      adviceOf(await ensure(folder, false)),
      /gizmo was not found on this machine\. Install it.*gizmo/,
    )
  })

  test('missing, no apt-get: says what to install', async () => {
    assert.match(adviceOf(await ensure(makeFolder({}), true)), /gizmo was not found on this machine/)
  })
})

describe('browser', () => {
  const say = () => undefined
  const programs = makeFolder({
    good: 'echo Chromium 140.0',
    other: 'echo Chromium 141.0',
    stub: 'echo "install the snap"; exit 1',
  })
  const at = (name: string) => join(programs, name)
  const installs =
    (name: string): Installer =>
    async () => ({ path: at(name) })
  const refuses: Installer = async () => ({ advice: 'no network' })

  const cases = [
    {
      name: 'CHROMIUM_PATH comes first',
      wanted: at('other'),
      candidates: [at('good')],
      expected: at('other'),
    },
    {
      name: 'the first that is there',
      candidates: [at('none'), at('good'), at('other')],
      expected: at('good'),
    },
    { name: 'a stub is no browser', candidates: [at('stub'), at('good')], expected: at('good') },
    {
      name: 'none: the first way to install',
      installers: [installs('good'), installs('other')],
      expected: at('good'),
    },
    {
      name: 'none, and a way that fails: the next',
      installers: [refuses, installs('stub'), installs('other')],
      expected: at('other'),
    },
  ]
  for (const { name, wanted, candidates = [], installers = [], expected } of cases) {
    test(name, async () =>
      assert.deepEqual(await findBrowser({ say, wanted, candidates, installers }), { path: expected }),
    )
  }

  test('nothing works: says what to install', async () => {
    const found = await findBrowser({ say, candidates: [at('none')], installers: [refuses] })
    assert.match(adviceOf(found), /No browser was found.*Install Chromium.*CHROMIUM_PATH/)
  })

  test('CHROMIUM_PATH that does not run: says so, and takes no other', async () => {
    const found = await findBrowser({ say, wanted: at('none'), candidates: [at('good')], installers: [] })
    assert.match(adviceOf(found), /CHROMIUM_PATH is .*none.*Correct it or unset it/)
  })
})
