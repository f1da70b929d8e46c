// Python for the tests of the Python library.
import { spawnSync } from 'node:child_process'
import { ensureSystemPackage, type FindOptions, type Found } from './system-package.ts'

/** 3.9 or later. */
export const findPython = (options: FindOptions): Promise<Found> =>
  ensureSystemPackage({ ...options, command: 'python3', aptPackage: 'python3', works: isPython })

/** With what the library uses: some systems leave parts of the standard library out. */
function isPython(path: string): boolean {
  const code = 'import sys, ssl, decimal, unittest, asyncio, sqlite3; sys.exit(sys.version_info < (3, 9))'
  return spawnSync(path, ['-I', '-c', code], { timeout: 10_000 }).status === 0
}
