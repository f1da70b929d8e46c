// Registering a business: what it may say of itself, once a person, again after it was rejected; and that no answer shows
// a secret twice.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { application } from '../../test/businesses.ts'
import { testApp } from '../../test/helpers.ts'
import { register } from '../../test/people.ts'

const server = await testApp()

describe('registering', () => {
  test('works', async () => {
    const owner = await register(server)
    const made = await owner.call('POST', '/api/merchant/register', application)
    assert.equal(made.status, 201, made.text)
    console.log(made.body)
    const look = await owner.call('GET', '/api/merchant')
    console.log(look.text)
  })
})
