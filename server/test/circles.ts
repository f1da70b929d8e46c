// Savings groups for tests: people with money in a group, through the API.
import assert from 'node:assert/strict'
import * as groups from '../src/groups/groups.ts'
import { loggedInAgain } from './businesses.ts'
import { rotating } from './group-bodies.ts'
import type { TestApp } from './helpers.ts'
import { fund, type Loose, register, type TestPerson } from './people.ts'

export interface Circle {
  id: string
  /** The chair is the first. */
  people: TestPerson[]
  /** As the n-th of them, from 1 on. */
  as(number: number): TestPerson
  show(number?: number): Promise<Loose>
  pay(number: number, body?: object, headers?: Record<string, string>): ReturnType<TestPerson['call']>
  post(
    number: number,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): ReturnType<TestPerson['call']>
}

export { goal, rotating } from './group-bodies.ts'

export async function openCircle(
  server: TestApp,
  { members, body = rotating, money = '900000' }: { members: number; body?: object; money?: string },
): Promise<Circle> {
  const people: TestPerson[] = []
  for (let made = 0; made < members; made++) {
    const person = await register(server)
    if (money !== '0') await fund(server, person, { amount: money })
    people.push(person)
  }
  const [chair, ...others] = people
  assert.ok(chair)
  const created = await chair.call('POST', '/api/groups', { max_members: 500, ...body })
  assert.equal(created.status, 201, created.text)
  const { id, invite_code: code } = created.body.data
  for (const person of others) {
    const joined = await person.call('POST', `/api/groups/${id}/join`, { invite_code: code })
    assert.equal(joined.status, 200, joined.text)
  }
  return circleOf(id, people)
}

export function circleOf(id: string, people: TestPerson[]): Circle {
  const as = (number: number) => {
    const person = people[number - 1]
    assert.ok(person)
    return person
  }
  return {
    id,
    people,
    as,
    show: async (number = 1) => (await as(number).call('GET', `/api/groups/${id}`)).body.data,
    pay: (number, body = {}, headers = {}) =>
      as(number).call(
        'POST',
        `/api/groups/${id}/contribute`,
        { amount: 1_000, pin: as(number).pin, ...body },
        headers,
      ),
    post: (number, path, body, headers) =>
      as(number).call('POST', `/api/groups/${id}/${path}`, body, headers),
  }
}

/** Days later nobody is logged in any more: the same circle, logged in again. */
export async function daysLater(server: TestApp, { id, people }: Circle, days: number): Promise<Circle> {
  server.clock.advance(days * 86_400)
  return circleOf(id, await Promise.all(people.map((person) => loggedInAgain(server, person))))
}

/** What the group shows, what its rows say and what the ledger has are the same. */
export async function checkPot(server: TestApp, circle: Circle): Promise<bigint> {
  const { ledger, rows } = await groups.sums(server, circle.id)
  assert.equal(rows, ledger, 'the rows add up to the ledger')
  return ledger
}
