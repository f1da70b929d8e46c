import { currentLanguage } from '../kit/language.ts'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'

interface Shared {
  title: string
  text?: string
  url?: string
}

/** By what the phone offers; where it offers nothing, it is copied. */
export async function shareText({ title, text, url }: Shared): Promise<void> {
  const isOffered = typeof navigator.share === 'function'
  if (isOffered) {
    try {
      await navigator.share({
        title,
        ...(text === undefined ? {} : { text }),
        ...(url === undefined ? {} : { url }),
      })
      return
    } catch (error) {
      // Who closes the list of places wanted nothing.
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  try {
    await navigator.clipboard.writeText([text, url].filter((part) => part !== undefined).join('\n'))
    say(common[currentLanguage()].copied)
  } catch {
    // Not allowed here; what would have been copied is on the page, to be read and marked.
  }
}

/** A file of one's own: what it holds leaves the page by nothing but the browser. */
export function saveFile({ name, text }: { name: string; text: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
