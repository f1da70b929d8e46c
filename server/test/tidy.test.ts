// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the planted sources are code inside strings

/**
 * The rules of STYLE.md and ARCHITECTURE.md that can be read off the sources. Each rule promises two things:
 * the tree has nothing it complains about, and it does complain where a planted source breaks it.
 * A new rule goes into a file of tidy/ and gets its rows in tidy/planted.ts.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { boundaryRules } from './tidy/boundaries.ts'
import { codeRules } from './tidy/code.ts'
import { documentRules } from './tidy/documents.ts'
import { fileRules } from './tidy/files.ts'
import { importRules } from './tidy/imports.ts'
import { migrationRules } from './tidy/migrations.ts'
import { packageRules } from './tidy/packages.ts'
import { planted } from './tidy/planted.ts'
import { roomTable, tableCycle } from './tidy/rooms.ts'
import { type Complaint, scanText } from './tidy/scan.ts'
import { readTree } from './tidy/tree.ts'
import { valueRules } from './tidy/values.ts'

const rules = [
  ...importRules,
  ...boundaryRules,
  ...valueRules,
  ...codeRules,
  ...fileRules,
  ...migrationRules,
  ...packageRules,
  ...documentRules,
]

const print = (complaints: Complaint[]): string =>
  complaints.map(({ path, line, rule, hint }) => `  ${path}:${line}  ${rule}: ${hint}`).join('\n')

describe('the tree', () => {
  const tree = readTree(fileURLToPath(new URL('../..', import.meta.url)))
  for (const { name, check } of rules) {
    test(name, () => {
      const complaints = check(tree)
      if (complaints.length > 0) assert.fail(`${complaints.length} against ${name}:\n${print(complaints)}`)
    })
  }
})

test('STYLE.md names every rule', () => {
  const style = readFileSync(new URL('../../STYLE.md', import.meta.url), 'utf8')
  const named = [...style.matchAll(/`\[([a-z-]+)\]`/g)].map(([, name]) => name)
  assert.deepEqual(named.toSorted(), rules.map(({ name }) => name).toSorted())
})

describe('planted sources', () => {
  for (const { name, check } of rules) {
    const rows = planted.filter(({ rule }) => rule === name)
    test(name, () => {
      assert.ok(
        rows.some((row) => row.trips) && rows.some((row) => !row.trips),
        'a rule has a row of each kind',
      )
      for (const row of rows) {
        const complaints = check(row.sources)
        const what = `${row.trips ? 'must trip' : 'must not trip'} ${name}: ${JSON.stringify(row.sources)}`
        assert.equal(complaints.length > 0, row.trips, `${what}\n${print(complaints)}`)
        assert.ok(complaints.every(({ rule, hint }) => rule === name && hint !== ''))
      }
    })
  }

  test('every row belongs to a rule', () => {
    const names = rules.map(({ name }) => name)
    assert.deepEqual(
      planted.filter(({ rule }) => !names.includes(rule)),
      [],
    )
    assert.equal(new Set(names).size, names.length)
  })

  test('a complaint names the line', () => {
    const text = '/* one\n two */\nconst a = `\n${b}`\nawait fetch(a)\n'
    const complaints = rules.flatMap(({ check }) => check([{ path: 'server/src/users/users.ts', text }]))
    assert.deepEqual(
      complaints.filter(({ rule }) => rule === 'outgoing-http').map(({ path, line }) => `${path}:${line}`),
      ['server/src/users/users.ts:5'],
    )
  })
})

describe('the room table', () => {
  test('has no cycle, and names only rooms that have a row', () => {
    assert.equal(tableCycle(roomTable), undefined)
    assert.equal(tableCycle({ a: ['b'], b: ['c'], c: ['a'] }), 'a → b → c → a')
    for (const allowed of Object.values(roomTable)) {
      for (const room of allowed) assert.ok(room in roomTable, room)
    }
  })
})

/** Text, then what of it is code: `_` stands for what the scanner hides. */
const scans = [
  ["a('b') // c", "a('_')_____"],
  ['a("\\"b") + 1', 'a("___") + 1'],
  ['a(`b${c(`d`)}e`)', 'a(`_${c(`_`)}_`)'],
  ['`${{ a: 1 }}` + b', '`${{ a: 1 }}` + b'],
  ['a = /[/"]\\//.test(b)', 'a = /______/.test(b)'],
  ['a = b / c / d', 'a = b / c / d'],
  ['return /"/', 'return /_/'],
  ['a /* b\n c */ d', 'a ____\n_____ d'],
  ["<p>don't</p>\nb", "<p>don'_____\nb"],
  ['<br /> + "a"', '<br /> + "_"'],
]

describe('the scanner', () => {
  for (const [text = '', code = ''] of scans) {
    test(text, () => assert.equal(scanText(text).code, code.replaceAll('_', ' ')))
  }
})
