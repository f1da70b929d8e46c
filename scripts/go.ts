// Go for the tests of the Go library.
import { spawnSync } from 'node:child_process'
import { ensureSystemPackage, type FindOptions, type Found, usualFolders } from './system-package.ts'

/** 1.19 or later; also where Go's own archive puts it. */
export const findGo = (options: FindOptions): Promise<Found> =>
  ensureSystemPackage({
    ...options,
    command: 'go',
    aptPackage: 'golang-go',
    folders: [...usualFolders(), '/usr/local/go/bin', '/usr/lib/go/bin'],
    works: isGo,
  })

function isGo(path: string): boolean {
  const env = { ...process.env, GOTOOLCHAIN: 'local' }
  const { stdout } = spawnSync(path, ['env', 'GOVERSION'], { env, encoding: 'utf8', timeout: 20_000 })
  const minor = Number(/^go1\.(\d+)/.exec(stdout ?? '')?.[1])
  return minor >= 19
}
