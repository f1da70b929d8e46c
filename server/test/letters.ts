// What people read in their mails: turned on as they do it, and written out by the background job, as it is sent.
import assert from 'node:assert/strict'
import { buildTasks } from '../src/app.ts'
import type { TestApp } from './helpers.ts'
import { confirmMailbox, type TestPerson } from './people.ts'

export interface Letter {
  template: string
  locale: string
  subject: string
  text: string
  about: string
}

/** Each wants receipts, at an address that is known to be theirs. */
export async function wantReceipts(
  server: TestApp,
  people: readonly TestPerson[],
  { locale }: { locale?: 'en' | 'sw' | 'fr' } = {},
): Promise<void> {
  for (const person of people) {
    await confirmMailbox(server, person)
    const reply = await person.call('PATCH', '/api/me', {
      email_receipts: true,
      ...(locale === undefined ? {} : { locale }),
    })
    assert.equal(reply.body.data.email_receipts, true, reply.text)
  }
}

/** Reading takes them out of the box: what comes next is new. The codes of registering are left out. */
export async function lettersTo(server: TestApp, { handle }: { handle: string }): Promise<Letter[]> {
  const { tasks } = buildTasks(server.dependencies)
  const to = `${handle}@example.test`
  const waiting = await server.db.rows<{ id: string }>(
    `select id from mail.messages where to_address = $1 and state = 'queued' and not has_code order by number`,
    [to],
  )
  const letters: Letter[] = []
  for (const { id } of waiting) {
    await tasks.send_mail?.({ id }, { signal: undefined, attempt: 1 })
    const row = await server.db.row<Letter>(
      `select template, locale, subject, body_text as text, about_kind || ' ' || about_id as about
       from mail.messages where id = $1`,
      [id],
    )
    assert.ok(row)
    letters.push({ ...row, subject: spaced(row.subject), text: spaced(row.text) })
  }
  return letters
}

/** Spaces where no line may break are spaces too. */
const spaced = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** `money_in TR-…`: what they are about, in their order. */
export const facts = (letters: readonly Letter[]): string[] =>
  letters.map(({ template, text }) => `${template} ${/\b[A-Z]{2}(?:-[0-9A-Z]{3,5}){3}\b/.exec(text)?.[0]}`)
