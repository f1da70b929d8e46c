// As fuzz.test.ts, for pages, callbacks and whatever no other part takes.
import { fuzz } from './fuzz/run.ts'

await fuzz('rest')
