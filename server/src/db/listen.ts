// Hears what other connections notify. A notification may be lost with a connection, so it is a hint to look now, never
// the only way to learn of something.
import pg from 'pg'

export interface ListenOptions {
  url: string
  /** Seen in pg_stat_activity. */
  name: string
  /** A plain word. */
  channel: string
  onNotify: () => void
  onError: (error: Error) => void
}

export interface Listener {
  close(): Promise<void>
}

const connectTimeoutMs = 2_000
const againMs = 2_000

/** Connects in the background, and again whenever the connection is lost. */
export function openListener(options: ListenOptions): Listener {
  let closing = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let told = false
  const lost = (which: pg.Client, error?: Error) => {
    if (closing || client !== which) return
    client = undefined
    which.end().catch(() => undefined)
    // Once until it works again: the next tries will fail in the same way.
    if (error !== undefined && !told) options.onError(error)
    told = true
    timer = setTimeout(connect, againMs)
  }
  const connect = () => {
    const mine = new pg.Client({
      connectionString: options.url,
      application_name: options.name,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    client = mine
    mine.on('error', (error) => lost(mine, error))
    mine.on('end', () => lost(mine))
    mine.on('notification', options.onNotify)
    mine
      .connect()
      .then(() => mine.query(`listen ${pg.escapeIdentifier(options.channel)}`))
      .then(
        () => {
          told = false
          // What was notified before it listened was not heard.
          options.onNotify()
        },
        (error: Error) => lost(mine, error),
      )
  }
  connect()
  return {
    close: async () => {
      closing = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
