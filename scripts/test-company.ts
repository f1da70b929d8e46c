// Several test files in one process, one after the other: half of what a small file takes is to read and compile the
// server. Each is a test with those of the file inside it, so what a file opens at its top is closed when it has ended.
// Use: node --test-reporter … scripts/test-company.ts <file> <file> …
import { resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeShared } from '../server/test/at-the-end.ts'

const leftOpenMs = 10_000

for (const file of process.argv.slice(2)) {
  await test(file, async (t) => {
    const before = process.cpuUsage()
    t.after(() => {
      const { user, system } = process.cpuUsage(before)
      t.diagnostic(`processor ${Math.round((user + system) / 1_000)} ms`)
    })
    await import(pathToFileURL(resolve(file)).href)
  })
}
await closeShared()
// Something that one of them has left open: alone it shows whose it is.
setTimeout(() => process.exit(1), leftOpenMs).unref()
