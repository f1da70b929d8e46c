// A worker in a process of its own, to be killed: sends what is due until it is.
import { systemClock } from '../src/base/clock.ts'
import * as notifications from '../src/notifications/notifications.ts'
import { testConfig, testLog } from './helpers.ts'

const [url = '', secret = ''] = process.argv.slice(2)
notifications.startDelivery({
  url,
  clock: systemClock,
  log: testLog().log,
  config: testConfig(),
  keysOf: async () => ({ current: secret, all: [secret] }),
  onTrouble: async () => undefined,
})
process.send?.('started')
