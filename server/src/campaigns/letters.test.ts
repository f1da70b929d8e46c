// What is due ends by itself, and its owner hears of it: once, and only where the address is known to be theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCampaign } from '../../test/campaigns.ts'
import { testApp } from '../../test/helpers.ts'
import { confirmMailbox, register, type TestPerson } from '../../test/people.ts'

const server = await testApp()
const { clock, db } = server
const { campaigns } = server.dependencies

const lettersTo = ({ handle }: TestPerson) =>
  db.rows(`select 1 from mail.messages where to_address = $1 and template = 'campaign_ended'`, [
    `${handle}@example.test`,
  ])
const inAMinute = () => new Date(clock.now().getTime() + 60_000).toISOString()

test('what is due ends, with a letter to its owner, once', async () => {
  const writer = await register(server)
  await confirmMailbox(server, writer)
  const soon = inAMinute()
  const { id } = await newCampaign(writer, { ends_at: soon })
  assert.equal(await campaigns.endDue(), 0)
  clock.advance(60)
  assert.equal((await writer.call('GET', `/api/campaigns/${id}`)).body.data.status, 'ended')
  const ended = await Promise.all([campaigns.endDue(), campaigns.endDue()])
  assert.equal(ended[0] + ended[1], 1)
  const row = await db.row<{ ended_at: Date }>('select ended_at from campaigns.campaigns where id = $1', [id])
  assert.equal(row?.ended_at.toISOString(), soon)
  assert.equal((await lettersTo(writer)).length, 1)
})

test('a letter goes to no address that may be a stranger’s', async () => {
  const writer = await register(server)
  await newCampaign(writer, { ends_at: inAMinute(), title: 'Read this, stranger' })
  clock.advance(60)
  assert.equal(await campaigns.endDue(), 1)
  assert.deepEqual(await lettersTo(writer), [])
})
