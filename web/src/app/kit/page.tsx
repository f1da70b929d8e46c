import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useWords } from './language.ts'
import { common } from './words.ts'

interface Props {
  title: string
  /** Where it leads back to. */
  back?: string
  /** Beside the title. */
  side?: ReactNode
  /** `narrow`: forms and details. `wide`: tables. */
  width?: 'narrow' | 'wide'
  /** Shown by something else, like an amount. */
  hiddenTitle?: boolean
  children: ReactNode
}

/** After the first page the focus goes to the title of each new one, so that a screen reader says where one is. */
let pagesShown = 0

export const Page = ({ title, back, side, width = 'narrow', hiddenTitle = false, children }: Props) => {
  const page = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const t = useWords(common)
  useEffect(() => {
    document.title = `${title} · Mfuko`
  }, [title])
  useEffect(() => {
    pagesShown++
    if (pagesShown === 1) return
    // Before a browser on its way back scrolls to where one was.
    window.scrollTo(0, 0)
    // A field of the page that asked for the focus keeps it; a link outside, which stays from page to page, does not.
    if (!page.current?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={page} className={`app-page app-page-${width}`}>
      {back !== undefined && (
        <Link href={back} className="back-link">
          <ChevronLeft aria-hidden="true" />
          {t.back}
        </Link>
      )}
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1} className={hiddenTitle ? 'sr-only' : 'page-title'}>
          {title}
        </h1>
        {side}
      </div>
      {children}
    </div>
  )
}
