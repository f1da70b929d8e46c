// A file of JSON lines in which a line is on the disk when `write` has ended. Many who write at once share one fsync. Use:
//
//   const journal = openLines<JournalEntry>(join(folder, 'clients.jsonl'))
//   await journal.write({ n: 1, phase: 'sent', … })
//
// Where speed is measured and whoever writes is never killed, lines need not be forced: they are there a moment later.
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Lines<Entry> {
  path: string
  write(entry: Entry): Promise<void>
  close(): Promise<void>
}

const gatherMs = 50

export async function openLines<Entry>(path: string, { forced = true } = {}): Promise<Lines<Entry>> {
  const file = await open(path, 'a')
  let waiting: string[] = []
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()
  const flush = async (before: Promise<void>) => {
    await before.catch(() => undefined)
    if (!forced) await sleep(gatherMs)
    const lines = waiting
    waiting = []
    next = undefined
    await append(file, lines, forced)
  }
  return {
    path,
    write: (entry) => {
      waiting.push(`${JSON.stringify(entry)}\n`)
      if (next === undefined) {
        next = flush(last)
        last = next
      }
      return forced ? next : Promise.resolve()
    },
    close: async () => {
      await last
      await file.close()
    },
  }
}

async function append(file: FileHandle, lines: readonly string[], forced: boolean): Promise<void> {
  await file.appendFile(lines.join(''))
  if (forced) await file.datasync()
}
