// M-Pesa's settings: all of them or none, a certificate that is one, and what the simulator accepts.
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { StartError } from '../../base/errors.ts'
import { loadConfig } from '../../config.ts'
import { settingsFrom, simulatorSettings } from './mpesa.ts'

const files = mkdtempSync(join(tmpdir(), 'mfuko-mpesa-'))
after(() => rmSync(files, { recursive: true }))
const certificate = join(files, 'certificate.pem')
writeFileSync(certificate, simulatorSettings('').certificate)
const whole = {
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
  MPESA_B2C_SHORTCODE: '600000',
  MPESA_INITIATOR: 'api',
  MPESA_INITIATOR_PASSWORD: 'Safaricom999!',
  MPESA_CERTIFICATE_FILE: certificate,
}

test('all or none', () => {
  assert.equal(settingsFrom(loadConfig({})), undefined)
  assert.equal(settingsFrom(loadConfig({ MPESA_BASE_URL: 'https://sandbox.safaricom.co.ke' })), undefined)
  const read = settingsFrom(loadConfig(whole))
  assert.equal(read?.baseUrl, 'https://api.safaricom.co.ke')
  assert.equal(read?.certificate, simulatorSettings('').certificate)
  assert.doesNotMatch(JSON.stringify(read), /"passkey":"passkey"|Safaricom999|"secret"/)
  const { MPESA_PASSKEY: _, ...part } = whole
  assert.throws(
    () => settingsFrom(loadConfig(part)),
    (error) => error instanceof StartError && error.message.includes('set MPESA_PASSKEY too'),
  )
})

test('a file that is no certificate is refused', () => {
  for (const path of [join(files, 'missing.pem'), import.meta.filename])
    assert.throws(
      () => loadConfig({ ...whole, MPESA_CERTIFICATE_FILE: path }),
      (error) => error instanceof StartError && /MPESA_CERTIFICATE_FILE must be the path/.test(error.message),
    )
})

test('the simulator is given what it accepts', () => {
  const ours = createPublicKey(simulatorSettings('http://localhost:8082').certificate)
  const keys = join(import.meta.dirname, '../../../../simulator/keys/daraja-public.pem')
  assert.ok(ours.equals(createPublicKey(readFileSync(keys, 'utf8'))))
})
