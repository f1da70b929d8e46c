/** Reads the tree as it lies on the disk, without what .gitignore names. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from './scan.ts'

const binary = /\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|ttf|pdf|gz|br|zip)$/

/** The lines of .gitignore as used here: a name anywhere, a path from the root, or `*.ending`. */
const ignoredBy = (ignoreFile: string): ((path: string) => boolean) => {
  const lines = ignoreFile
    .split('\n')
    .map((line) => line.trim().replace(/^\/|\/$/g, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
  return (path) => {
    const name = path.split('/').at(-1) ?? ''
    return lines.some(
      (line) => line === path || line === name || (line.startsWith('*') && name.endsWith(line.slice(1))),
    )
  }
}

export const readTree = (root: string): Source[] => {
  const ignored = ignoredBy(`.git\n${readFileSync(join(root, '.gitignore'), 'utf8')}`)
  const read = (folder: string): Source[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (ignored(path)) return []
      if (entry.isDirectory()) return read(path)
      if (!entry.isFile()) return []
      return [{ path, text: binary.test(path) ? '' : readFileSync(join(root, path), 'utf8') }]
    })
  return read('')
}
