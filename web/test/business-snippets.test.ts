// The examples of the integration page promise: they use the libraries as their READMEs do, they run against the service
// as they stand, and the signature that they check is the one that is sent.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { newBusiness } from '../../server/test/businesses.ts'
import { reconcile, testApp } from '../../server/test/helpers.ts'
import { eventually } from '../../server/test/notifications.ts'
import { type Keys, languages, type SnippetLanguage, snippetsOf } from '../src/app/business/snippets.ts'
import { folder, type Runnable, root, runSnippet } from './snippets.ts'

const server = await testApp()
const baseUrl = await server.listen()
const shop = await newBusiness(server, { approved: false })
const keys: Keys = {
  ...{ baseUrl, merchantId: shop.id, apiKey: shop.testKey, clientSecret: shop.testSecret },
  headerPrefix: 'SVC',
  currency: 'UGX',
}

/** Of a service with a header prefix of its own, as it tells it. */
const otherKeys = await keysElsewhere()

const readmes: Record<Exclude<SnippetLanguage, 'curl'>, string> = {
  php: 'sdk/php/README.md',
  javascript: 'sdk/js/README.md',
  python: 'sdk/python/README.md',
  go: 'sdk/go/README.md',
}

/** Of the language itself, or a value of our own. */
const ownWords = new Set(['PORT', 'listen', 'VALUE', 'the', '3000', 'install', 'express'])

const wordsIn = (text: string): Set<string> => new Set(text.match(/[A-Za-z_]\w+/g))

describe('an example names only what the README of its library names', () => {
  const filled: Keys = {
    baseUrl: 'VALUE',
    headerPrefix: 'SVC',
    merchantId: 0,
    apiKey: 'VALUE',
    clientSecret: 'VALUE',
    currency: 'UGX',
  }
  for (const [language, readme] of Object.entries(readmes))
    test(language, () => {
      const known = wordsIn(readFileSync(join(root, readme), 'utf8'))
      const { install = '', take, receive } = snippetsOf(language as SnippetLanguage, filled)
      const used = wordsIn(`${install}\n${take}\n${receive}`)
      assert.deepEqual(
        [...used].filter((word) => !known.has(word) && !ownWords.has(word)),
        [],
      )
    })
})

test('a library is installed from a clone, as the quickstart does it, and from no registry', () => {
  const quickstart = readFileSync(join(root, 'docs/guides/quickstart.md'), 'utf8')
  for (const { id } of languages) {
    const { install = '' } = snippetsOf(id, keys)
    for (const line of install.trimEnd().split('\n'))
      assert.ok(quickstart.includes(line.replace(/ express$|shop$/, '')), line)
  }
})

const commands = { php: 'php', python: 'python3' } as const

describe('an example runs as it stands', () => {
  for (const { id } of languages) {
    if (id === 'go') continue
    const isHere = id === 'curl' || id === 'javascript' || spawnSync(commands[id], ['--version']).status === 0
    const runs = async (of: Keys) => {
      const said = await runSnippet(id as Runnable, snippetsOf(id, of).take)
      assert.match(said, /http:\/\/[^"\s]+\/checkout\?token=/)
      assert.match(said, /pending/)
    }
    const skip = isHere ? false : `${id} is not on this machine`
    test(id, { skip }, () => runs(keys))
    test(`${id}, where header names begin with another word`, { skip }, () => runs(otherKeys))
  }

  test('the signature that openssl makes is the one that is sent', async () => {
    const sent = await shop.owner.call('POST', '/api/merchant/test-notification', { url: `${baseUrl}/ipn` })
    assert.equal(sent.status, 200, sent.text)
    // Told once everything that was begun before it, in any database of the server, has ended.
    const event = await eventually(async () => {
      const feed = await shop.callTest('GET', '/api/merchant/events')
      const found = feed.body.data.find(({ id }: { id: string }) => id === sent.body.data.id)
      assert.ok(found, 'it is in the feed')
      return found
    })
    writeFileSync(join(folder, 'body.json'), event.body)
    const said = await runSnippet('curl', snippetsOf('curl', keys).receive)
    assert.equal(said.trim(), event.headers['SVC-Signature'])
  })
})

test('the books are right', async () => {
  await reconcile(server)
})

async function keysElsewhere(): Promise<Keys> {
  const other = await testApp({ environment: { HEADER_PREFIX: 'Pesa' } })
  const there = await newBusiness(other, { approved: false })
  const { header_prefix: headerPrefix } = (await there.owner.call('GET', '/api/merchant')).body.data
  const secrets = { apiKey: there.testKey, clientSecret: there.testSecret }
  return { ...secrets, baseUrl: await other.listen(), headerPrefix, merchantId: there.id, currency: 'UGX' }
}
