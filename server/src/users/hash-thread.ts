// The thread that makes password hashes: see passwords.ts. It has a priority of its own, below that of everything else,
// so that what is left of the processor is what logins get.
import { type Argon2Parameters, argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

const lowPriority = 10

// Linux has a priority a thread; elsewhere this would slow the whole process.
if (process.platform === 'linux') setPriority(lowPriority)

parentPort?.on('message', (parameters: Argon2Parameters) => {
  parentPort?.postMessage(argon2Sync('argon2id', parameters))
})
