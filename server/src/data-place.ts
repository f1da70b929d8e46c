// Where the embedded database and the generated secrets of this clone are.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'

const project = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

export interface DataPlace {
  dataDir: string
  /** Where root keeps the data when the user of the database can't enter the clone. */
  fallbackDir?: string
}

export function dataPlace({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): DataPlace {
  if (DATA_DIR !== undefined) return { dataDir: DATA_DIR }
  // Two clones with the same name must not share a folder.
  const mark = createHash('sha256').update(project).digest('hex').slice(0, 8)
  return { dataDir: `${project}/.data`, fallbackDir: `/var/lib/mfuko/${basename(project)}-${mark}` }
}
