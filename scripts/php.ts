// PHP for the tests of the PHP library and of the plug-in for WooCommerce.
import { spawnSync } from 'node:child_process'
import { ensureSystemPackage, type FindOptions, type Found } from './system-package.ts'

/** Of what the library uses where it is there; without them the tests that need one are left out. */
const extensions = ['curl', 'pdo_sqlite']

/** 8.1 or later; if we may install things, with the extensions. */
export async function findPhp(options: FindOptions): Promise<Found> {
  const whole = await ensureSystemPackage({
    ...options,
    command: 'php',
    aptPackage: 'php-cli php-curl php-sqlite3',
    works: (path) => isPhp(path, extensions),
  })
  if ('path' in whole) return whole
  return ensureSystemPackage({
    ...options,
    command: 'php',
    aptPackage: 'php-cli',
    works: (path) => isPhp(path, []),
    mayInstall: false,
  })
}

function isPhp(path: string, wanted: readonly string[]): boolean {
  const code = `exit(PHP_VERSION_ID >= 80100 && !array_diff(${JSON.stringify(wanted)}, get_loaded_extensions()) ? 0 : 1);`
  return spawnSync(path, ['-r', code], { timeout: 10_000 }).status === 0
}
