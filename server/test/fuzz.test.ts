// Whatever a client sends, each route answers in time, with an answer of the documented shape, never with a 5xx, and the
// books stay right. Every route of the app is tried with FUZZ inputs (how many if not said otherwise: fuzz/run.ts): good
// ones, ones with a single thing wrong, and things that are no request at all; with and without credentials, some over a
// connection. Enough of the good ones are judged by the rules of the route. SEED repeats a run, FUZZ_ONLY=/api/send tries some
// routes only. Here: what people do with their money; the others are in the files beside.
import { fuzz } from './fuzz/run.ts'

await fuzz('money')
