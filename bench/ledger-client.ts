// Starts a ledger in a process of its own (ledger-process.ts) and tells it what to do.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Load, Order, Pages, PagesResult, Report, Traffic, TrafficResult } from './ledger-process.ts'

export interface LedgerProcess {
  /** Opens so many accounts, each with money in it. Returns how many entries that made. */
  fund(accounts: number): Promise<number>
  load(load: Load, onProgress: (entries: number) => void): Promise<void>
  run(traffic: Traffic): Promise<TrafficResult>
  pages(pages: Pages): Promise<PagesResult>
  close(): Promise<void>
}

const file = fileURLToPath(new URL('ledger-process.ts', import.meta.url))

export async function openLedgerProcess({
  url,
  stop,
}: {
  url: string
  stop: AbortSignal
}): Promise<LedgerProcess> {
  stop.throwIfAborted()
  // Advanced: what it answers with is handed over as it is.
  const child = fork(file, [], { execArgv: [], serialization: 'advanced' })
  const kill = () => child.kill('SIGKILL')
  stop.addEventListener('abort', kill, { once: true })
  const ended = once(child, 'exit').then(([code, signal]) => {
    stop.removeEventListener('abort', kill)
    return `the ledger's process ended (${signal ?? `exit code ${code}`})`
  })

  const ask = async (order: Order, onProgress?: (entries: number) => void): Promise<unknown> => {
    const answered = new Promise<unknown>((resolve, reject) => {
      const hear = (report: Report) => {
        if (report.type === 'progress') {
          onProgress?.(report.entries)
          return
        }
        child.off('message', hear)
        if (report.type === 'done') resolve(report.result)
        else reject(new Error(`${order.do}: ${report.reason}`))
      }
      child.on('message', hear)
    })
    child.send(order, () => undefined)
    const died = ended.then((how) => {
      stop.throwIfAborted()
      throw new Error(how)
    })
    return Promise.race([answered, died])
  }
  await ask({ do: 'open', url })
  return {
    fund: async (accounts) => (await ask({ do: 'fund', accounts })) as number,
    load: async (load, onProgress) => {
      await ask({ do: 'load', ...load }, onProgress)
    },
    run: async (traffic) => (await ask({ do: 'run', ...traffic })) as TrafficResult,
    pages: async (pages) => (await ask({ do: 'pages', ...pages })) as PagesResult,
    close: async () => {
      if (child.connected) child.send({ do: 'close' } satisfies Order, () => undefined)
      await ended
    },
  }
}
