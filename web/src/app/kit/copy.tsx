import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useWords } from './language.ts'
import { common } from './words.ts'

/** Copies `text`. `what` says what it is, for screen readers: “Copy the API key”. */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const [copied, show] = useState(false)
  const t = useWords(common)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    show(true)
    setTimeout(() => show(false), 2_000)
  }
  return (
    <button type="button" className="copy-button" onClick={() => void copy()}>
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span role="status">{copied ? t.copied : t.copy}</span>
      <span className="sr-only">{what}</span>
    </button>
  )
}
