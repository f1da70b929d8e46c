// The public page: in three languages, without an account and without scripts, within 14 KB, with the numbers of the
// ledger; whatever people wrote stays text; and the picture that goes with a link is a PNG.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, inflateSync } from 'node:zlib'
import { theOperator } from '../../test/businesses.ts'
import { newCampaign } from '../../test/campaigns.ts'
import { testBrowser } from '../../test/checkouts.ts'
import { testApp, testConfig } from '../../test/helpers.ts'
import { fund, register } from '../../test/people.ts'
import { payloads } from '../../test/xss-payloads.ts'
import { coverProblem } from './rules.ts'
import { drawable, widthOf, wrapped } from './share/letters.ts'

const server = await testApp()
const { app } = server
const owner = await register(server, { name: 'Amina Nakato' })
const giver = await register(server, { name: 'Juma Otieno' })
await fund(server, giver, { amount: '15000000' })
const look = (id: string, language = 'en', query = '') =>
  testBrowser(server, language).get(`/c/${id}${query}`)
const give = (id: string, body: object = {}) =>
  giver.call('POST', `/api/campaigns/${id}/contribute`, { amount: 10_000, pin: giver.pin, ...body })

const lines: [language: string, words: RegExp[]][] = [
  [
    'en',
    [/A campaign by Amina Nakato/, /UGX 250,000 raised of UGX 1,000,000/, /25%/, /1 contributor 5 days left/],
  ],
  ['sw-KE,sw;q=0.9', [/Mchango ulioanzishwa na Amina Nakato/, /zimechangwa kati ya UGX/, /Zimebaki siku 5/]],
  ['fr', [/Une collecte de Amina Nakato/, /collectés sur UGX/, /Encore 5 jours/]],
]

describe('what it says', () => {
  for (const [language, words] of lines)
    test(language, async () => {
      const { id } = await newCampaign(owner, { ends_at: '2026-03-19T10:00:00.000Z', category: 'education' })
      await give(id, { amount: 250_000, message: 'Courage' })
      const page = await look(id, language)
      assert.equal(page.status, 200)
      for (const word of words) assert.match(page.text, word)
      assert.match(page.html, new RegExp(`<html lang="${language.slice(0, 2)}">`))
      assert.match(page.text, /Juma Otieno UGX 10.?000|Juma Otieno UGX 250/)
      assert.match((await look(id, language, '?lang=fr')).html, /<html lang="fr">/)
    })

  test('what stops it, and why', async () => {
    const operator = await theOperator(server)
    const decide = (id: string, act: string) =>
      operator.call('POST', `/api/operator/campaigns/${id}/${act}`, {
        reason: 'The pictures are of another well',
      })
    const paused = await newCampaign(owner)
    await decide(paused.id, 'pause')
    const page = await look(paused.id)
    assert.match(page.text, /This campaign is paused .* Reason The pictures are of another well/)
    assert.doesNotMatch(page.html, /<form/)
    const returned = await newCampaign(owner)
    await decide(returned.id, 'return')
    assert.match((await look(returned.id)).text, /was closed .* goes back .* Reason The pictures/)
    const ended = await newCampaign(owner)
    await owner.call('POST', `/api/campaigns/${ended.id}/end`)
    assert.match((await look(ended.id)).text, /has ended/)
    assert.doesNotMatch((await look(ended.id)).html, /<form/)
  })

  test('days are those where the currency is spent, and come before the month', async () => {
    const { id } = await newCampaign(owner)
    await give(id)
    await owner.call('POST', `/api/campaigns/${id}/updates`, { text: 'We have begun.' })
    for (const table of ['contributions', 'updates'])
      await server.db.rows(
        `update campaigns.${table} set created_at = '2026-03-14T22:30:00Z' where campaign_id = $1`,
        [id],
      )
    const page = await look(id)
    assert.match(page.text, /15 Mar 2026 We have begun\. .* Juma Otieno UGX 10,000 15 Mar 2026/)
  })

  test('news and contributions go on to older ones', async () => {
    const { id } = await newCampaign(owner)
    for (let count = 1; count <= 5; count++)
      await owner.call('POST', `/api/campaigns/${id}/updates`, { text: `News number ${count}.` })
    for (let count = 1; count <= 12; count++) await give(id, { amount: 500, message: `Gift ${count}.` })
    const first = await look(id)
    assert.deepEqual(first.text.match(/News number \d/g), ['News number 5', 'News number 4', 'News number 3'])
    assert.equal(first.text.match(/Gift \d+\./g)?.length, 10)
    const next = (name: string) => new RegExp(`href="(/c/[^"#]*\\?${name}=\\d+)#`).exec(first.html)?.[1] ?? ''
    const browser = testBrowser(server)
    assert.deepEqual((await browser.get(next('news'))).text.match(/News number \d/g), [
      'News number 2',
      'News number 1',
    ])
    assert.deepEqual((await browser.get(next('given'))).text.match(/Gift \d+\./g), ['Gift 2.', 'Gift 1.'])
    for (const odd of ['?news=0', '?given=x', '?given=99999999999999999999', '?news=1&news=2', '?lang=xx'])
      assert.equal((await look(id, 'en', odd)).status, 200, odd)
  })

  test('where there is none', async () => {
    for (const path of [`/c/cmp_${'0'.repeat(22)}`, '/c/cmp_1', `/c/cmp_${'0'.repeat(22)}/share.png`]) {
      const page = await testBrowser(server, 'sw').get(path)
      assert.equal(page.status, 404)
      assert.match(page.text, /Hakuna mchango katika anwani hii/)
    }
  })
})

describe('what it is made of', () => {
  test('whatever people wrote stays text', async () => {
    for (const payload of payloads) {
      const text = payload.replaceAll(/[^\x20-\x7e]/g, '')
      const { id } = await newCampaign(giver, { title: text.slice(0, 80), story: text })
      await give(id, { amount: 500, message: text.slice(0, 200) })
      await giver.call('POST', `/api/campaigns/${id}/updates`, { text })
      const { html } = await look(id)
      const addresses = [...html.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(
        ([, address = '']) => address,
      )
      assert.ok(
        addresses.every((address) => /^(?:[/#]|https?:\/\/(?:localhost:8080|wa\.me)\/)/.test(address)),
      )
      const bare = html.replaceAll(/"[^"]*"/g, '""')
      assert.doesNotMatch(bare, /<script|<[^>]+\son\w+\s*=|<[^>]+\sstyle=/i)
      assert.equal(html.match(/<img/g), null)
      await giver.call('POST', `/api/campaigns/${id}/end`)
    }
  })

  test('within 14 KB with its style, also when everything in it is long', async () => {
    const words = 'Maji safi kwa watoto wetu ni uhai, and every litre counts: à bientôt. '
    const long = (length: number) =>
      Array.from({ length: 200 }, (_, at) => `${words}${at * 7_919}`)
        .join(' ')
        .slice(0, length)
    const { id } = await newCampaign(owner, { title: long(80), story: long(5_000) })
    for (let count = 0; count < 4; count++)
      await owner.call('POST', `/api/campaigns/${id}/updates`, { text: `${count} ${long(990)}` })
    for (let count = 0; count < 11; count++) await give(id, { amount: 500, message: `${count} ${long(190)}` })
    const get = (url: string) => app.inject({ url, headers: { 'accept-encoding': 'br' } })
    const page = await get(`/c/${id}`)
    const html = brotliDecompressSync(page.rawPayload).toString()
    const style = /<link rel="stylesheet" href="([^"]+)">/.exec(html)?.[1] ?? ''
    const css = await get(style)
    assert.equal(css.statusCode, 200)
    assert.match(String(css.headers['cache-control']), /immutable/)
    const bytes = page.rawPayload.length + css.rawPayload.length
    assert.ok(bytes <= 14_336, `${bytes} bytes`)
  })

  test('a strict policy; of other places only the cover, which is asked for without saying from where', async () => {
    const plain = await newCampaign(owner)
    const covered = await newCampaign(owner, { cover_url: 'https://pictures.example:8443/a;b.jpg' })
    const policyOf = (page: { headers: Record<string, unknown> }) =>
      String(page.headers['content-security-policy'])
    assert.match(policyOf(await look(plain.id)), /default-src 'none'.*img-src 'self' data:;/)
    const page = await look(covered.id)
    assert.match(policyOf(page), /img-src 'self' data: https:\/\/pictures\.example:8443;/)
    assert.match(
      page.html,
      /<img class="cover" src="https:\/\/pictures\.example:8443\/a;b\.jpg" alt="" loading="lazy" referrerpolicy="no-referrer">/,
    )
  })

  test('in production a cover comes from a place that everybody can reach', () => {
    const config = testConfig({
      NODE_ENV: 'production',
      BASE_URL: 'https://pay.example',
      DATABASE_URL: 'embedded',
    })
    for (const cover of [
      'http://pictures.example/a.jpg',
      'https://localhost/a.jpg',
      'https://router.local/a.jpg',
      'https://192.168.1.1/a.jpg',
      'https://0x7f.1/a.jpg',
      'https://[::1]/a.jpg',
      'https://pictures.example:6379/a.jpg',
      'https://pictures.example,x/a.jpg',
    ])
      assert.notEqual(coverProblem(cover, config), undefined, cover)
    for (const cover of ['https://pictures.example/a;b.jpg', 'https://xn--bcher-kva.example:8443/a.jpg'])
      assert.equal(coverProblem(cover, config), undefined, cover)
  })

  test('a cover that is older than the rule is not shown, and ends nothing in the policy', async () => {
    const { id } = await newCampaign(owner, { cover_url: 'https://pictures.example/a.jpg' })
    for (const cover of ['https://a;sandbox/x.png', 'https://a,b.example/x.png']) {
      await server.db.rows('update campaigns.campaigns set cover_url = $2 where id = $1', [id, cover])
      const { headers, html } = await look(id)
      assert.match(String(headers['content-security-policy']), /img-src 'self' data:;/)
      assert.doesNotMatch(`${html}${headers['content-security-policy']}`, /class="cover"|sandbox|a,b/)
    }
  })

  test('a link to it shows a title, some words and a picture', async () => {
    const { id } = await newCampaign(owner, {
      title: 'Wells & "water"',
      story: `One.\n\n${'word '.repeat(100)}`,
    })
    const { html } = await look(id)
    const tag = (name: string) =>
      new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(html)?.[1]
    assert.equal(tag('og:title'), 'Wells &amp; &quot;water&quot;')
    assert.equal(tag('og:url'), `http://localhost:8080/c/${id}`)
    assert.match(tag('og:description') ?? '', /^One\. word .*word…$/)
    assert.ok((tag('og:description') ?? '').length <= 201)
    assert.equal(tag('twitter:card'), 'summary_large_image')
    const address = new URL((tag('og:image') ?? '').replaceAll('&amp;', '&'))
    const picture = await app.inject({ url: address.pathname + address.search })
    assert.equal(picture.headers['content-type'], 'image/png')
    assert.equal(picture.headers['cross-origin-resource-policy'], 'cross-origin')
    const { width, height, rows } = readPng(picture.rawPayload)
    assert.deepEqual([width, height, rows.length], [1_200, 630, 1_201 * 630])
    assert.ok(picture.rawPayload.length < 100_000)
    await give(id, { amount: 500_000 })
    const later = await app.inject({ url: address.pathname })
    assert.notDeepEqual(later.rawPayload, picture.rawPayload, 'it shows what there is now')
  })
})

/** As any reader of PNG does, with the checks that are in it. */
function readPng(bytes: Buffer) {
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
  const parts: Buffer[] = []
  let width = 0
  let height = 0
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const name = bytes.subarray(at + 4, at + 8).toString()
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (name === 'IHDR') [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
    if (name === 'IDAT') parts.push(data)
    at += 12 + length
  }
  return { width, height, rows: inflateSync(Buffer.concat(parts)) }
}

test('letters: accents are left out, lines fit, and what does not fit ends with dots', () => {
  assert.equal(drawable('Élan à l’école – “été”'), `Elan a l'ecole - "ete"`)
  assert.equal(drawable('水と water'), ' water')
  for (const text of [
    'Short',
    'A rather long title that goes over several lines and then some more',
    'x'.repeat(80),
  ]) {
    const fit = wrapped(text, { width: 200, lines: 3 })
    assert.ok(fit.length <= 3 && fit.every((line) => widthOf(line) <= 200), text)
  }
  assert.match(wrapped('word '.repeat(60), { width: 200, lines: 3 }).at(-1) ?? '', /\.\.\.$/)
})
