// As fuzz.test.ts, for savings groups.
import { fuzz } from './fuzz/run.ts'

await fuzz('groups')
