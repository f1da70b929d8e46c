import { useEffect } from 'react'
import { Button } from './kit/button.tsx'
import { useWords } from './kit/language.ts'
import { Page } from './kit/page.tsx'
import { common } from './kit/words.ts'
import { start } from './session.ts'
import { frame } from './words.ts'

/** Asks again by itself when the connection is back. */
export const Unreachable = () => {
  const t = useWords(frame)
  const c = useWords(common)
  useEffect(() => {
    const again = () => void start()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return (
    <main>
      <Page title={t.unreachable}>
        <p className="text-soft">{t.unreachableText}</p>
        <Button look="main" className="mt-6" onClick={() => void start()}>
          {c.tryAgain}
        </Button>
      </Page>
    </main>
  )
}
