// As fuzz.test.ts, for what businesses and their customers do.
import { fuzz } from './fuzz/run.ts'

await fuzz('business')
