// As fuzz.test.ts, for operators, pages and whatever no other part takes.
import { fuzz } from './fuzz/run.ts'

await fuzz('rest')
