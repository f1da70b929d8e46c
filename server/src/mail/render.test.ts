// The letters promise: in each of the three languages every letter is there, says everything it was given, in text and
// in HTML, and nothing of it is in another language. Whatever a person chose as a name or a note stays text.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { look } from './look.ts'
import { plain, render } from './render.ts'
import { neededFields, type TemplateName } from './templates.ts'

const locales = ['en', 'sw', 'fr'] as const
const templates = Object.keys(neededFields) as TemplateName[]

const filled: Record<TemplateName, Record<string, string>> = {
  confirm_email: { code: '482913' },
  reset_password: { code: '771204' },
  new_device: { device: 'Tecno Spark, Chrome', address: '197.248.1.2', time: '2026-03-14T09:05:00.000Z' },
  pin_changed: { time: '2026-03-14T09:05:00.000Z' },
  pin_locked: { time: '2026-03-14T09:05:00.000Z' },
  password_changed: { time: '2026-03-14T09:05:00.000Z' },
  email_changed: { time: '2026-03-14T09:05:00.000Z' },
  login_locked: { time: '2026-03-14T09:05:00.000Z' },
  session_revoked: { time: '2026-03-14T09:05:00.000Z' },
  session_ended: { device: 'Tecno Spark, Chrome', time: '2026-03-14T09:05:00.000Z' },
  account_frozen: {},
  account_unfrozen: {},
  money_in: {
    amountText: 'UGX 10,000',
    from: 'Juma Otieno (@juma)',
    reference: 'TR-7K3MQ-9WD2X-PB4',
    balanceText: 'UGX 25,500',
    time: '2026-03-14T09:05:00.000Z',
  },
  money_out: {
    amountText: 'UGX 10,000',
    to: 'Juma Otieno (@juma)',
    feeText: 'UGX 100',
    reference: 'TR-7K3MQ-9WD2X-PB4',
    balanceText: 'UGX 15,500',
    time: '2026-03-14T09:05:00.000Z',
  },
  withdrawal_done: {
    amountText: 'KES 10,000.00',
    to: 'M-Pesa …5678',
    feeText: 'KES 100.00',
    reference: 'WD-7K3MQ-9WD2X-PB4',
    balanceText: 'KES 15,500.00',
    time: '2026-03-14T09:05:00.000Z',
  },
  withdrawal_failed: {
    amountText: 'KES 10,000.00',
    to: 'M-Pesa …5678',
    reference: 'WD-7K3MQ-9WD2X-PB4',
    time: '2026-03-14T09:05:00.000Z',
  },
  money_request: { amountText: 'KES 1,250.50', from: 'Juma Otieno (@juma)', note: 'Chakula cha jana' },
  group_due_soon: { groupName: 'Umoja', amountText: 'UGX 20,000', time: '2026-03-14T09:05:00.000Z' },
  group_due_today: { groupName: 'Umoja', amountText: 'UGX 20,000', time: '2026-03-14T09:05:00.000Z' },
  group_late: { groupName: 'Umoja', amountText: 'UGX 22,000', time: '2026-03-14T09:05:00.000Z' },
  group_proposal: {
    groupName: 'Umoja',
    from: 'Juma Otieno (@juma)',
    to: 'Amina Nakato (@amina)',
    amountText: 'UGX 150,000',
    reason: 'Mabati ya paa',
  },
  merchant_approved: { businessName: 'Duka la Vitabu' },
  merchant_rejected: { businessName: 'Duka la Vitabu', reason: 'Tovuti haifunguki' },
  merchant_suspended: { businessName: 'Duka la Vitabu', reason: 'Tovuti haifunguki' },
  merchant_reinstated: { businessName: 'Duka la Vitabu' },
  refund_failed: {
    businessName: 'Duka la Vitabu',
    amountText: 'UGX 4,000',
    reference: 'PY-7K3MQ-9WD2X-PB4',
    mode: 'live',
    time: '2026-03-14T09:05:00.000Z',
  },
  campaign_ended: { title: 'Maji kwa Kijiji', raisedText: 'UGX 750,000', goalText: 'UGX 900,000' },
  campaign_paused: { title: 'Maji kwa Kijiji', reason: 'Picha si za kisima hiki' },
  campaign_resumed: { title: 'Maji kwa Kijiji' },
  campaign_returning: { title: 'Maji kwa Kijiji', reason: 'Picha si za kisima hiki' },
  campaign_returned: {
    title: 'Maji kwa Kijiji',
    reason: 'Picha si za kisima hiki',
    amountText: 'UGX 10,000',
    reference: 'RF-7K3MQ-9WD2X-PB4',
  },
  notification_trouble: {
    businessName: 'Duka la Vitabu',
    url: 'duka.example/ipn',
    time: '2026-03-14T09:05:00.000Z',
  },
  notification_suspended: {
    businessName: 'Duka la Vitabu',
    url: 'duka.example/ipn',
    time: '2026-03-14T09:05:00.000Z',
  },
  notification_gone: {
    businessName: 'Duka la Vitabu',
    url: 'duka.example/ipn',
    time: '2026-03-14T09:05:00.000Z',
  },
}

const times = { en: '14 March 2026 at 09:05 UTC', sw: '14 Machi 2026', fr: '14 mars 2026 à 09:05' }

const rendered = (template: TemplateName, locale: (typeof locales)[number], changes: object = {}) =>
  render({
    template,
    locale,
    name: 'Amina Wanjiku',
    data: filled[template],
    brand: 'Mfuko',
    baseUrl: 'https://mfuko.example',
    ...changes,
  })

/** The words of the HTML, as a person sees them. */
const wordsOf = (html: string): string =>
  html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
    )
    .replace(/\s+/g, ' ')

describe('every letter in every language', () => {
  for (const template of templates) {
    for (const locale of locales) {
      test(`${template} ${locale}`, () => {
        const { subject, text, html } = rendered(template, locale)
        const shown = { ...filled[template], ...('time' in filled[template] ? { time: times[locale] } : {}) }
        for (const [field, value] of Object.entries(shown)) {
          // A mail reader shows the subject above both.
          assert.ok(`${subject}\n${text}`.includes(value), `the text has ${field}: ${text}`)
          assert.ok(`${subject}\n${wordsOf(html)}`.includes(value), `the HTML has ${field}`)
        }
        for (const part of [subject, text, html]) {
          assert.doesNotMatch(part, /undefined|null|\[object|\{|\}|NaN|Invalid/)
        }
        assert.match(text, /^(Hello|Habari|Bonjour) Amina Wanjiku,\n\n/)
        assert.match(text, /Mfuko, https:\/\/mfuko\.example\n.*Mfuko.*\.\n$/)
        assert.ok(html.startsWith(`<!doctype html>\n<html lang="${locale}">`))
        assert.doesNotMatch(html, /<(script|img|link|style)|https?:\/\/(?!mfuko\.example["<])/)
        assert.ok(subject.length > 10 && subject.length <= 78, subject)
        assert.doesNotMatch(`${subject}${text}`, /!|oops/i)
        // What the text says the HTML says too, in the same order.
        const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^-- $|^Mfuko, /.test(line))
        for (const line of lines) {
          const words = line
            .trim()
            .replace(/^([^:]{1,25}?)\s*: /, '$1 ')
            .replace(/\s+/g, ' ')
          const either = [words, line.trim().replace(/\s+/g, ' ')]
          assert.ok(
            either.some((one) => wordsOf(html).includes(one)),
            `the HTML has: ${line}`,
          )
        }
      })
    }

    test(`${template}: no sentence is in two languages`, () => {
      const given = Object.values(filled[template])
      const sentences = locales.map((locale) => {
        const { subject, text } = rendered(template, locale)
        return new Set(
          [subject, ...text.split('\n')].filter(
            (line) => /\p{L}{3}/u.test(line) && !/^Mfuko, /.test(line) && !given.includes(line.trim()),
          ),
        )
      })
      const [en = new Set(), sw = new Set(), fr = new Set()] = sentences
      const shared = [...en.intersection(sw), ...sw.intersection(fr), ...fr.intersection(en)]
      assert.deepEqual(shared, [])
    })
  }

  test('the languages are what they are called', () => {
    const common = {
      en: /\b(your|the|was|you)\b/i,
      sw: /\b(yako|wewe|kwa|kwenye|ya|la|hii)\b/,
      fr: /\b(votre|vous|le|la|ce)\b/,
    }
    for (const template of templates) {
      for (const locale of locales) assert.match(rendered(template, locale).text, common[locale])
    }
  })
})

describe('what a person chose stays text', () => {
  const hostile = '<img src=x onerror=alert(1)>"\'&\r\nBcc: eve@example.com\u2028\u202edlrow\ud800\u0000'

  for (const template of templates) {
    test(template, () => {
      const chosen = Object.fromEntries(
        Object.entries(filled[template]).map(([field, value]) => [field, field === 'time' ? value : hostile]),
      )
      for (const locale of locales) {
        const { subject, text, html } = rendered(template, locale, { data: chosen, name: hostile })
        assert.doesNotMatch(html, /<img|onerror=alert\(1\)>(?!&)/)
        assert.doesNotMatch(`${subject}`, /[\p{Cc}\p{Bidi_Control}\u2028]/u)
        assert.doesNotMatch(text, /^Bcc/m)
        assert.doesNotMatch(text + html, /\p{Bidi_Control}|\0|\r/u)
        assert.ok((text + html + subject).isWellFormed())
        assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt;&quot;&#39;&amp; Bcc/)
      }
    })
  }

  test('a long name or note is cut, and the subject stays short', () => {
    const from = 'é'.repeat(5_000)
    const { subject, text } = rendered('money_request', 'fr', {
      data: { amountText: 'USD 1.00', from, note: from },
    })
    assert.ok(subject.length <= 150)
    assert.ok(text.length < 2_000)
  })

  test('brand and address too', () => {
    const { html } = rendered('account_frozen', 'en', { brand: '<b>"', baseUrl: 'https://x.example/?a="&b' })
    assert.doesNotMatch(html, /<b>/)
    assert.match(html, /href="https:\/\/x\.example\/\?a=&quot;&amp;b"/)
  })

  test('one line, whatever was in it', () => {
    assert.equal(plain(' a\r\n\tb\u0085c\u2029d\u2066 '), 'a b c d')
  })
})

test('when a group is due is told by its own clock', () => {
  const data = { ...filled.group_late, time: '2026-03-14T20:59:59.999Z', timeZone: 'Africa/Nairobi' }
  const there = {
    en: '14 March 2026 at 23:59 GMT+3',
    sw: '14 Machi 2026, 23:59 GMT\u00a0+3',
    fr: '14 mars 2026 à 23:59 UTC+3',
  }
  for (const locale of locales)
    assert.ok(rendered('group_late', locale, { data }).text.includes(there[locale]))
})

test('a PIN that no waiting opens again: another letter', () => {
  const data = { ...filled.pin_locked, disabled: 'yes' }
  const waits = { en: /half an hour/, sw: /nusu saa/, fr: /demi-heure/ }
  for (const locale of locales) {
    const before = rendered('pin_locked', locale)
    const { subject, text } = rendered('pin_locked', locale, { data })
    assert.match(before.text, waits[locale])
    assert.doesNotMatch(text, waits[locale])
    assert.notEqual(subject, before.subject)
  }
})

test('a PIN or a password that ended the other sessions: the letter says so', () => {
  const ended = {
    en: /all other sessions were ended/,
    sw: /vipindi vingine vyote vimefungwa/,
    fr: /toutes les autres sessions ont été fermées/,
  }
  for (const locale of locales) {
    const data = { ...filled.pin_changed, ended: 'yes' }
    assert.match(rendered('pin_changed', locale, { data }).text, ended[locale])
    assert.doesNotMatch(rendered('pin_changed', locale).text, ended[locale])
    assert.match(rendered('password_changed', locale).text, ended[locale])
  }
})

test('letters call the parts of the dashboard what it calls them', () => {
  const parts = { en: 'Business', sw: 'Biashara', fr: 'Entreprise' }
  for (const locale of locales)
    assert.match(rendered('merchant_approved', locale).text, new RegExp(`\\b${parts[locale]}\\b`))
})

describe('without', () => {
  test('a name: a greeting all the same', () => {
    assert.deepEqual(
      locales.map((locale) => rendered('pin_changed', locale, { name: ' ' }).text.split('\n')[0]),
      ['Hello,', 'Habari,', 'Bonjour,'],
    )
  })

  test('a note: no empty line for it', () => {
    const data = { amountText: 'USD 1.00', from: 'Juma' }
    for (const locale of locales)
      assert.doesNotMatch(rendered('money_request', locale, { data }).text, /[“«]|note/i)
  })

  test('what it needs: a bug', () => {
    assert.throws(() => rendered('money_in', 'en', { data: {} }), /a mail money_in has its amountText/)
    assert.throws(() => rendered('confirm_email', 'en', { data: { code: 1 } }), /code of a mail is text/)
  })
})

test('the colours and sizes are those of the pages', () => {
  const tokens = readFileSync(new URL('../../../web/tokens.css', import.meta.url), 'utf8')
  for (const [name, value] of Object.entries(look)) {
    assert.equal(new RegExp(`--${name}: ([^;]+);`).exec(tokens)?.[1], value, name)
  }
})
