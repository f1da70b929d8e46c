// What `npm test` promises to the person who runs it, seen from outside with small test files in a folder of their
// own: the closing line counts leaf tests, the exit code says whether all is well, a file that did not run to its
// end never passes, and stopping leaves nothing running.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runChecks } from '../../scripts/test-checks.ts'
import { filesToRunAgain } from '../../scripts/test-files.ts'
import {
  check,
  failing,
  imports,
  listen,
  makeFolder,
  neverEnding,
  passing,
  projectRoot,
  startRunner,
} from './runner-runs.ts'

describe('closing line and exit code', { concurrency: 2, timeout: 240_000 }, () => {
  test('passing: suites and parents do not count', () =>
    check(
      { 'a.test.ts': passing },
      { closing: '3 passed, 0 failed', code: 0, says: [/✔ a\.test\.ts \(3 tests, /] },
    ))

  test('failing: told whole, with what the file printed', () =>
    check(
      { 'a.test.ts': failing },
      {
        closing: '1 passed, 1 failed',
        code: 1,
        says: [
          /✖ outer > bad\n/,
          /\+ {3}a: 1\n +- {3}a: 2/,
          /a\.test\.ts:\d/,
          /words on the way/,
          /Failed:\n.*a\.test\.ts: outer > bad/,
        ],
      },
    ))

  test('skipped and to do: counted apart, with the reason', () =>
    check(
      {
        'a.test.ts': `${imports} test('one', { skip: 'no moon' }, () => {}); test.todo('two'); test('three', () => {})`,
      },
      {
        closing: '1 passed, 0 failed, 2 skipped',
        code: 0,
        says: [/one: skipped, no moon/, /two: skipped, to do/],
      },
    ))

  test('crashing: an error outside of the tests', () =>
    check(
      {
        'a.test.ts': `${imports} await test('good', () => {}); throw new Error('outside')`,
      },
      {
        closing: '1 passed, 1 failed',
        code: 1,
        says: [/outside of its tests/, /Error: outside\n +at .*a\.test\.ts/],
      },
    ))

  test('crashing: does not even parse', () =>
    check({ 'a.test.ts': 'const a: = 1' }, { closing: '0 passed, 1 failed', code: 1, says: [/SyntaxError/] }))

  test('a process that ends halfway with exit code 0 has not passed', () =>
    check(
      {
        'a.test.ts': `${imports} test('good', () => {}); test('leaves', () => process.exit(0)); test('after that', () => {})`,
      },
      {
        // Whether the first one was told in time is chance.
        closing: /^[01] passed, 1 failed$/,
        code: 1,
        says: [/ended (its process )?before/],
      },
    ))

  test('empty: without any test, with and without node:test', () =>
    check(
      { 'a.test.ts': 'export {}', 'b.test.ts': `${imports} describe('nothing inside', () => {})` },
      { closing: '0 passed, 2 failed', code: 1, says: [/has no test/] },
    ))

  test('a hook that fails counts, and what it kept from running counts too', () =>
    check(
      {
        'a.test.ts': `${imports} describe('suite', () => { before(() => { throw new Error('hook') }); it('inside', () => {}) })`,
      },
      { closing: '0 passed, 2 failed', code: 1, says: [/Error: hook/] },
    ))

  test('never-ending: ended at the limit, with the name of the test', () =>
    check(
      { 'a.test.ts': neverEnding },
      {
        closing: '1 passed, 1 failed',
        code: 1,
        limit: 3,
        says: [/Not finished after 3 s.*Running then: waits\./],
      },
    ))

  test('never-ending: a timer left open after the tests', () =>
    check(
      { 'a.test.ts': `${imports} test('good', () => { setInterval(() => {}, 1000) })` },
      { closing: '1 passed, 1 failed', code: 1, limit: 3, says: [/something is open/] },
    ))

  test('several files add up', () =>
    check(
      { 'a.test.ts': passing, 'b.test.ts': failing, 'c.test.ts': passing },
      { closing: '7 passed, 1 failed', code: 1 },
    ))
})

/** Fails in these runs, counted from one, and passes in all others. */
const failsIn = (...runs: number[]) => `${imports}
  import { appendFileSync, readFileSync } from 'node:fs'
  test('good', () => {})
  test('shaky', () => {
    appendFileSync(import.meta.filename + '.runs', '.')
    const run = readFileSync(import.meta.filename + '.runs').length
    assert.ok(!${JSON.stringify(runs)}.includes(run), 'run ' + run + ' is hard')
  })`
const secondTime = failsIn(1)

describe('a file that failed is run again', { concurrency: 2, timeout: 240_000 }, () => {
  test('passes then: the run has passed, the test is named as unsteady, with its message', () =>
    check(
      { 'a.test.ts': secondTime, 'b.test.ts': passing },
      {
        closing: '5 passed, 0 failed',
        code: 0,
        says: [
          /Again, alone:\n✔ a\.test\.ts \(2 tests, /,
          /Unsteady \(passed when run alone\):\n +✖ a\.test\.ts: shaky\n.*run 1 is hard/,
        ],
      },
    ))

  test('--strict: it is not', () =>
    check({ 'a.test.ts': secondTime }, { args: ['--strict'], closing: '1 passed, 1 failed', code: 1 }))

  test('fails again: counts once', () =>
    check({ 'a.test.ts': failing }, { closing: '1 passed, 1 failed', code: 1, says: [/Again, alone:\n✖/] }))

  for (const name of ['ledger-kill', 'books', 'storm', 'audit-verify']) {
    test(`${name}: three good runs are wanted, one bad among them counts`, async () => {
      const file = `${name}.test.ts`
      await check({ [file]: failsIn(1) }, { closing: '2 passed, 0 failed', code: 0 })
      await check({ [file]: failsIn(1, 4) }, { closing: '1 passed, 1 failed', code: 1 })
    })
  }

  test('never more than five', () => {
    const again = filesToRunAgain(['a', 'ledger/b', 'proof/c', 'd', 'e', 'f', 'g'])
    assert.deepEqual(
      again.map(({ file, runs }) => `${file} ${runs}`),
      ['a 1', 'ledger/b 3', 'proof/c 3', 'd 1', 'e 1'],
    )
  })

  test('what failed, with its message, is the last before the closing line', async () => {
    const files = {
      'a.test.ts': failing,
      'books.test.ts': `${imports} throw new Error('early')`,
      'c.test.ts': secondTime,
    }
    const { output } = await listen(startRunner(makeFolder(files), ['--limit', '20']))
    const tail = output.slice(output.indexOf('in all\n'))
    assert.match(
      tail,
      /^in all\n\nUnsteady.*c\.test\.ts: shaky.*\nFailed:\n.*a\.test\.ts: outer > bad\n.*\+ {3}a: 1\n.*\n\n3 passed, 2 failed\n$/s,
      output,
    )
    assert.match(tail, /books\.test\.ts: \(the file\)\n.*Error: early/s, output)
  })
})

test('--cpu: the processor time of each file and what it started, largest first', async () => {
  const busy = `const until = process.cpuUsage().user + 600_000; while (process.cpuUsage().user < until);`
  const files = {
    'a.test.ts': passing,
    'b.test.ts': `${imports} import { execFileSync } from 'node:child_process'
      test('busy', () => void execFileSync(process.execPath, ['-e', ${JSON.stringify(busy)}]))`,
  }
  const { output, code } = await listen(startRunner(makeFolder(files), ['--cpu']))
  const [, own = '', other = '', all = ''] =
    /Processor time:\n +([\d.]+) s {2}b\.test\.ts\n +([\d.]+) s {2}a\.test\.ts\n +([\d.]+) s {2}all files\n/.exec(
      output,
    ) ?? []
  assert.ok(Number(own) > 0.6 && Number(other) > 0, output)
  assert.ok(Math.abs(Number(own) + Number(other) - Number(all)) < 0.15, output)
  assert.equal(code, 0)
})

describe('what is run', () => {
  test('words choose files by their path, and show what they print', () =>
    check(
      { 'one.test.ts': `${passing}; console.log('hello')`, 'two.test.ts': failing },
      { args: ['one'], closing: '3 passed, 0 failed', code: 0, says: [/hello/] },
    ))

  test('a whole path is a word too', () => {
    const files = { 'one.test.ts': passing, 'two.test.ts': failing }
    return check(files, { args: ['./one.test.ts'], closing: '3 passed, 0 failed', code: 0 })
  })

  for (const [args, closing, says] of [
    [[], '3 passed, 0 failed', /^1 long files? (is|are) left to npm run test:thorough$/m],
    [['--thorough'], '4 passed, 0 failed', /runner\.test\.ts/],
    [['runner'], '1 passed, 0 failed', /runner\.test\.ts/],
  ] as const)
    test(`long files, ${args[0] ?? 'in the short form'}: ${closing}`, () =>
      check(
        { 'one.test.ts': passing, 'server/test/runner.test.ts': `${imports} test('long', () => {})` },
        { args, closing, code: 0, says: [says] },
      ))

  test('an option that does not exist: a sentence and exit code 1', () =>
    check(
      { 'one.test.ts': passing },
      { args: ['--wrong'], closing: /^Use: npm test/, code: 1, says: [/--wrong/] },
    ))

  test('no file with these words: a sentence and exit code 1', () =>
    check(
      { 'one.test.ts': passing },
      { args: ['three'], closing: 'No test file has "three" in its path.', code: 1 },
    ))

  test('the seed is passed on and told', () =>
    check(
      { 'a.test.ts': `${imports} test('seed', () => assert.equal(process.env.SEED, '4711'))` },
      {
        env: { SEED: '4711' },
        closing: '1 passed, 0 failed',
        code: 0,
        says: [/^seed 4711 \(rerun with SEED=4711 npm test\)$/m],
      },
    ))

  for (const [args, form] of [
    [['--thorough'], '1'],
    [[], undefined],
  ] as const) {
    test(`the form is told to the files: ${form === undefined ? 'short' : 'thorough'}`, () =>
      check(
        {
          'a.test.ts': `${imports} test('form', () => assert.equal(process.env.THOROUGH, ${JSON.stringify(form)}))`,
        },
        { args, env: { THOROUGH: '' }, closing: '1 passed, 0 failed', code: 0 },
      ))
  }

  test('a seed is made up when none is given', () =>
    check(
      { 'a.test.ts': `${imports} test('seed', () => assert.match(process.env.SEED ?? '', /^[0-9]+$/))` },
      { env: { SEED: '' }, closing: '1 passed, 0 failed', code: 0, says: [/^seed \d+ \(rerun/m] },
    ))

  test('types and lint: one result each, told in the words of the tools', async () => {
    const folder = makeFolder({
      'package.json': '{ "type": "module", "workspaces": ["no-such-folder"] }',
      'tsconfig.json': '{ "compilerOptions": { "noEmit": true, "types": [] }, "files": ["wrong.ts"] }',
      'wrong.ts': `export const wrong: number = 'text'\n`,
      'biome.json': '{ "files": { "includes": ["fine.js"] } }\n',
      'fine.js': 'export const fine = 1;\n',
    })
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
    const results = await runChecks({ root: folder, stop: new AbortController().signal })
    const counts = results.map(({ file, passed, failures }) => [file, passed, failures.length])
    assert.deepEqual(
      counts,
      [
        ['types', 0, 1],
        ['lint', 1, 0],
      ],
      JSON.stringify(results),
    )
    assert.match(results[0]?.failures[0]?.text ?? '', /wrong\.ts\(1,14\).*not assignable to type 'number'/)
  })
})

describe('stopping leaves nothing running', { concurrency: 2, timeout: 240_000 }, () => {
  // The test file starts a process of its own, which must go too.
  const withChild = `${imports}
    import { spawn } from 'node:child_process'
    import { renameSync, writeFileSync } from 'node:fs'
    test('waits', async () => {
      const child = spawn('sleep', ['60'])
      writeFileSync('pids.part', JSON.stringify([process.pid, child.pid]))
      renameSync('pids.part', 'pids')
      await new Promise((done) => setTimeout(done, 60_000))
    })`

  const checkStop = async (stop: (child: ChildProcess) => void, code: number) => {
    const folder = makeFolder({ 'a.test.ts': withChild })
    const child = startRunner(folder, ['--limit', '30'])
    const ended = listen(child)
    for (let waited = 0; !existsSync(join(folder, 'pids')) && waited < 10_000; waited += 20) await sleep(20)
    const pids: number[] = JSON.parse(readFileSync(join(folder, 'pids'), 'utf8'))
    assert.deepEqual(pids.map(runs), [true, true])
    stop(child)
    const { output, code: codeSeen } = await ended
    assert.deepEqual([codeSeen, ...pids.map(runs)], [code, false, false], output)
    assert.match(output, /did not run to their end/)
  }

  /** Not a zombie, which stays where nobody collects it. */
  const runs = (pid: number): boolean => {
    try {
      process.kill(pid, 0)
      return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    } catch {
      return false
    }
  }

  test('Ctrl-C, which arrives more than once', () =>
    checkStop((child) => {
      child.kill('SIGINT')
      setTimeout(() => child.kill('SIGINT'), 20)
    }, 130))

  test('SIGTERM', () => checkStop((child) => child.kill('SIGTERM'), 143))

  test('the launcher was killed', () => checkStop((child) => child.disconnect(), 143))
})
