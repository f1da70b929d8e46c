// Errors in the language of who asked. Codes, fields and English stay as they are; each sentence that validation makes, and
// each that the rooms write about a field, is there in all three languages.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { testApp } from '../../test/helpers.ts'
import { call } from '../../test/people.ts'
import { AppError } from '../base/errors.ts'
import { type Row, said } from './error-language.ts'
import { details } from './translations/details.ts'
import { predicates, sentences } from './translations/fields.ts'
import { openValidation } from './validation.ts'

/** What is refused of one field, in English. */
function refused(schema: object, body: object): string {
  const whole = { type: 'object', properties: { field: schema }, required: ['field'] }
  const validate = openValidation().compile({ schema: whole, httpPart: 'body', method: 'POST', url: '/' })
  const result = validate(body) as { error?: unknown }
  assert.ok(result.error instanceof AppError)
  return result.error.errors?.field ?? assert.fail('the field is refused')
}

const text = { type: 'string' }
const keywords: [schema: object, value: unknown, en: string, sw: string, fr: string][] = [
  [text, undefined, 'is required', 'Sehemu hii inahitajika', 'Ce champ est obligatoire'],
  [text, 1, 'must be text', 'Lazima iwe maandishi', 'Doit être du texte'],
  [{ type: 'number' }, 'x', 'must be a number', 'Lazima iwe nambari', 'Doit être un nombre'],
  [
    { type: 'integer' },
    1.5,
    'must be a whole number',
    'Lazima iwe nambari kamili',
    'Doit être un nombre entier',
  ],
  [{ type: 'boolean' }, 'x', 'must be true or false', 'Lazima iwe true au false', 'Doit être true ou false'],
  [{ type: 'array' }, 'x', 'must be a list', 'Lazima iwe orodha', 'Doit être une liste'],
  [{ type: 'object' }, 'x', 'must be an object', 'Lazima iwe kitu cha JSON', 'Doit être un objet JSON'],
  [
    { type: ['number', 'null'] },
    'x',
    'must be of another type',
    'Lazima iwe ya aina nyingine',
    'Doit être d’un autre type',
  ],
  [{ ...text, minLength: 1 }, '', 'must not be empty', 'Isiachwe wazi', 'Ne doit pas être vide'],
  [
    { ...text, minLength: 3 },
    'x',
    'must have at least 3 characters',
    'Lazima iwe na herufi zisizopungua 3',
    'Doit comporter au moins 3 caractères',
  ],
  [
    { ...text, maxLength: 3 },
    'long',
    'must have at most 3 characters',
    'Isizidi herufi 3',
    'Ne doit pas dépasser 3 caractères',
  ],
  [{ type: 'number', minimum: 3 }, 2, 'must be at least 3', 'Lazima iwe angalau 3', 'Doit être d’au moins 3'],
  [{ type: 'number', maximum: 3 }, 4, 'must be at most 3', 'Isizidi 3', 'Ne doit pas dépasser 3'],
  [
    { type: 'number', exclusiveMinimum: 3 },
    3,
    'must be greater than 3',
    'Lazima izidi 3',
    'Doit être supérieur à 3',
  ],
  [
    { type: 'number', exclusiveMaximum: 3 },
    3,
    'must be less than 3',
    'Lazima iwe chini ya 3',
    'Doit être inférieur à 3',
  ],
  [
    { type: 'array', minItems: 1 },
    [],
    'must have at least 1 entry',
    'Lazima iwe na angalau ingizo moja',
    'Doit comporter au moins une entrée',
  ],
  [
    { type: 'array', maxItems: 2 },
    [1, 2, 3],
    'must have at most 2 entries',
    'Isizidi maingizo 2',
    'Ne doit pas dépasser 2 entrées',
  ],
  [
    { ...text, enum: ['UGX', 'KES'] },
    'EUR',
    'must be one of UGX, KES',
    'Lazima iwe mojawapo ya: UGX, KES',
    'Doit être l’une de ces valeurs : UGX, KES',
  ],
  [{ ...text, const: 'yes' }, 'no', 'must be yes', 'Lazima iwe yes', 'Doit être yes'],
  [
    { ...text, format: 'date-time' },
    'now',
    'must be a time like 2026-03-14T09:26:53Z',
    'Lazima iwe wakati kama 2026-03-14T09:26:53Z',
    'Doit être une heure comme 2026-03-14T09:26:53Z',
  ],
  [{ ...text, pattern: '^a$' }, 'b', 'has a wrong form', 'Muundo si sahihi', 'Le format est incorrect'],
  [
    { type: ['number', 'string'], 'x-money': true },
    0,
    'must be greater than 0',
    'Lazima izidi 0',
    'Doit être supérieur à 0',
  ],
  [
    { type: ['number', 'string'], 'x-money': true },
    'much',
    'must be a number, like 1250.50',
    'Lazima iwe nambari, kama 1250.50',
    'Doit être un nombre, comme 1250.50',
  ],
]

describe('each keyword of a schema', () => {
  for (const [schema, value, en, sw, fr] of keywords)
    test(en, () => {
      const sentence = refused(schema, value === undefined ? {} : { field: value })
      assert.deepEqual([sentence, said(sentence, 'sw'), said(sentence, 'fr')], [`Field ${en}`, sw, fr])
    })
})

describe('the catalogue', () => {
  const source = join(import.meta.dirname, '..')
  const files = globSync('**/*.ts', { cwd: source }).filter((path) => !/\.test\.ts$|translations/.test(path))

  test('what the rooms write about a field has a row', () => {
    const missing = files.flatMap((path) => {
      const code = readFileSync(join(source, path), 'utf8')
      // The programs' own settings and the operators' side, which is English, speak to other people.
      if (/^(config|prices-file|secrets|operators|base\/prices|providers)/.test(path)) return []
      const found = code.matchAll(/(?:problem: |return |\? |: |say\('\w+', )'((?:must|is) [^'\n]+)'/g)
      return [...found]
        .map(([, predicate = '']) => predicate)
        .filter((predicate) => said(`Field ${predicate}`, 'sw') === `Field ${predicate}`)
        .map((predicate) => `${path}: ${predicate}`)
    })
    assert.deepEqual(missing, [])
  })

  test('every row is found by its own English, and its languages have the same values', () => {
    const check = ([en, sw, fr]: Row, before: string) => {
      let count = 0
      const filled = (template: string) =>
        template.replaceAll(/\{(n|word|amount)\}/g, (_, kind) => {
          count += 1
          return kind === 'amount' ? 'UGX 500' : `v${count}`
        })
      const sentence = before + filled(en)
      const value = (template: string) =>
        template.replaceAll(/\{(\w+)\}/g, (_, name) =>
          en.includes('{amount}') ? 'UGX 500' : `v${Number(name) || 1}`,
        )
      if (before !== 'detail')
        assert.deepEqual([said(sentence, 'sw'), said(sentence, 'fr')], [value(sw), value(fr)], en)
      assert.ok(sw !== en && fr !== en, en)
    }
    for (const row of predicates) check(row, 'Some field ')
    for (const row of sentences) check(row, '')
    for (const row of details) check(row, 'detail')
  })
})

describe('over HTTP', async () => {
  const server = await testApp()
  const body = { name: '', email: 'amina', password: 'short', country: 'Uganda', handle: 'a' }
  const ask = (language?: string) =>
    call(server, {
      method: 'POST',
      url: '/api/auth/register',
      body,
      headers: language === undefined ? {} : { 'accept-language': language },
    })

  test('English is the default; asked for, or unknown, it has the same bytes', async () => {
    const bytes = async (language?: string) => {
      const { text: whole, headers } = await ask(language)
      assert.equal(headers['content-language'], undefined)
      return whole.replace(/"request_id":"\w+"/, '')
    }
    const usual = await bytes()
    for (const language of ['en', 'en-GB,sw;q=0.5', '*', 'de', ';;', 'x'.repeat(2_000)])
      assert.equal(await bytes(language), usual, language)
    assert.match(usual, /"Password must have at least 10 characters"/)
  })

  for (const [language, message, password] of [
    ['sw', 'Baadhi ya sehemu zinahitaji kurekebishwa.', 'Lazima iwe na herufi zisizopungua 10'],
    ['fr', 'Certains champs demandent une autre valeur.', 'Doit comporter au moins 10 caractères'],
  ] as const)
    test(`${language}: other words, the same code and fields`, async () => {
      const [usual, other] = [await ask(), await ask(`${language}-KE,en;q=0.1`)]
      assert.deepEqual([other.status, other.body.code], [usual.status, usual.body.code])
      assert.deepEqual(Object.keys(other.body.errors), Object.keys(usual.body.errors))
      assert.deepEqual([other.body.message, other.body.errors.password], [message, password])
      assert.equal(other.headers['content-language'], language)
      for (const [field, sentence] of Object.entries(other.body.errors))
        assert.notEqual(sentence, usual.body.errors[field], field)
    })

  test('a message that is more exact than its code', async () => {
    const reply = await call(server, {
      method: 'POST',
      url: '/api/auth/login',
      body: { handle: 'nobody', password: 'correct horse battery' },
      headers: { 'accept-language': 'fr' },
    })
    assert.deepEqual(
      [reply.body.code, reply.body.message],
      ['unauthenticated', 'Le nom ou le mot de passe est incorrect.'],
    )
  })
})
