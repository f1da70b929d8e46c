// As fuzz.test.ts, for what operators do.
import { fuzz } from './fuzz/run.ts'

await fuzz('operators')
