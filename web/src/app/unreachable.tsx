import { useEffect } from 'react'
import { Button } from './kit/button.tsx'
import { useErrorText } from './kit/errors.ts'
import { useWords } from './kit/language.ts'
import { Page } from './kit/page.tsx'
import { common } from './kit/words.ts'
import { start } from './session.ts'
import { frame } from './words.ts'

/** Asks again by itself when the connection is back. */
export const Unreachable = ({ error }: { error: unknown }) => {
  const t = useWords(frame)
  const c = useWords(common)
  const text = useErrorText()
  const mustWait = (error as { code?: string }).code === 'rate_limited'
  useEffect(() => {
    const again = () => void start()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return (
    <main>
      <Page title={mustWait ? text(error) : t.unreachable}>
        {!mustWait && <p className="text-soft">{t.unreachableText}</p>}
        <Button look="main" className="mt-6" onClick={() => void start()}>
          {c.tryAgain}
        </Button>
      </Page>
    </main>
  )
}
