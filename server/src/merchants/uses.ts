// When each API key was last used, to the minute. It is remembered and written down once a minute: a request costs no
// write, and what a killed process had not written is lost without harm.
import type { Log } from '../base/log.ts'
import type { Db } from '../db/db.ts'
import type { StoredMac } from './macs.ts'
import * as sql from './sql.ts'

export interface Uses {
  /** `anew` makes what is kept of it once more, when the service's key is being replaced. */
  note(key: sql.KeyRow, use: { now: Date; anew: (() => StoredMac) | undefined }): void
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMs = 60_000
const minuteMs = 60_000

export function openUses({ db, log }: { db: Db; log: Log }): Uses {
  let noted = new Map<string, sql.Use>()
  const flush = async () => {
    if (noted.size === 0) return
    const uses = noted
    noted = new Map()
    try {
      await sql.noteUses(db, [...uses.values()])
    } catch (error) {
      log.warn({ err: error }, 'could not write down when API keys were used; the next minute tries again')
      noted = new Map([...uses, ...noted])
    }
  }
  let flushing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    flushing = flushing.then(flush)
  }, flushMs)
  timer.unref()
  return {
    note: ({ id, last_used_at }, { now, anew }) => {
      const before = noted.get(id)
      const minute = Math.floor(now.getTime() / minuteMs) * minuteMs
      const known = before?.at ?? last_used_at
      if (known !== null && known.getTime() >= minute && (anew === undefined || before !== undefined)) return
      noted.set(id, { id, at: new Date(minute), anew: before?.anew ?? anew?.() })
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flushing
      await flush()
    },
  }
}
