// A file of JSON lines in which a line is on the disk when `write` has ended. Many who write at once share one fsync. Use:
//
//   const journal = openLines<JournalEntry>(join(folder, 'clients.jsonl'))
//   await journal.write({ n: 1, phase: 'sent', … })
import { type FileHandle, open } from 'node:fs/promises'

export interface Lines<Entry> {
  path: string
  write(entry: Entry): Promise<void>
  close(): Promise<void>
}

export async function openLines<Entry>(path: string): Promise<Lines<Entry>> {
  const file = await open(path, 'a')
  let waiting: string[] = []
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()
  const flush = async (before: Promise<void>) => {
    await before.catch(() => undefined)
    const lines = waiting
    waiting = []
    next = undefined
    await append(file, lines)
  }
  return {
    path,
    write: (entry) => {
      waiting.push(`${JSON.stringify(entry)}\n`)
      if (next === undefined) {
        next = flush(last)
        last = next
      }
      return next
    },
    close: async () => {
      await last
      await file.close()
    },
  }
}

async function append(file: FileHandle, lines: readonly string[]): Promise<void> {
  await file.appendFile(lines.join(''))
  await file.datasync()
}
