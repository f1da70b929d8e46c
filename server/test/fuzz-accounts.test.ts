// As fuzz.test.ts, for accounts and sessions.
import { fuzz } from './fuzz/run.ts'

await fuzz('accounts')
