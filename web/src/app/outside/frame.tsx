import type { ReactNode } from 'react'
import { type Language, languages, setLanguage, useLanguage, useWords } from '../kit/language.ts'
import { Logo } from '../kit/logo.tsx'
import { Page } from '../kit/page.tsx'
import { outside } from './words.ts'

/** Around the pages of who is not signed in. */
export const OutsideFrame = ({ title, children }: { title: string; children: ReactNode }) => {
  const t = useWords(outside)
  return (
    <div className="outside">
      <header className="outside-head">
        <a className="brand-link" href="/">
          <Logo />
          Mfuko
        </a>
        <label className="language">
          <span className="sr-only">{t.language}</span>
          <select value={useLanguage()} onChange={(event) => setLanguage(event.target.value as Language)}>
            {languages.map(({ id, name }) => (
              <option key={id} value={id} lang={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      <main id="main">
        <Page title={title}>{children}</Page>
      </main>
    </div>
  )
}

/** One field for the three names a person can be known by. */
export function nameOf(who: string): { email: string } | { phone: string } | { handle: string } {
  const text = who.trim()
  if (text.includes('@', 1)) return { email: text }
  const digits = text.replaceAll(/[\s().-]/g, '')
  return /^\+?\d{6,}$/.test(digits) ? { phone: digits } : { handle: text }
}
