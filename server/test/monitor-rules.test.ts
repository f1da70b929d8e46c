// The rules for Prometheus that the documents show ask each metric what it can answer: what only grows has a rate, what goes
// up and down has not, and every one of them is measured.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const page = readFileSync(join(import.meta.dirname, '../../docs/operations/monitor.md'), 'utf8')
const kinds = new Map(
  [...page.matchAll(/^\| `(\w+)` \| (histogram|gauge)\b/gm)].map(([, name = '', kind = '']) => [name, kind]),
)
const [, rules = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? []

const kindOf = (series: string) => kinds.get(series.replace(/_(count|sum|bucket)$/, ''))

test('only what never goes down has a rate, and only what does has a difference', () => {
  const asked = [...rules.matchAll(/\b(rate|increase|delta|deriv)\((\w+)/g)]
  assert.ok(asked.length >= 3)
  for (const [text, how = '', series = ''] of asked) {
    const wanted = how === 'rate' || how === 'increase' ? 'histogram' : 'gauge'
    assert.equal(kindOf(series), wanted, text)
  }
})

test('what they compare is measured', () => {
  const compared = [...rules.matchAll(/\b([a-z]+(?:_[a-z]+)+)\b/g)].map(([, series = '']) => series)
  assert.ok(compared.length >= 6)
  for (const series of compared) assert.ok(kindOf(series), series)
})
