import { CircleCheck, Printer, Share2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Amount, type Currency, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { Facts } from '../kit/facts.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { common } from '../kit/words.ts'
import { shareText } from './share.ts'
import { together } from './words.ts'

interface Props {
  /** “Paid to Umoja Circle” */
  title: string
  amount: number | string
  currency: Currency
  reference: string
  rows: readonly (readonly [name: string, value: ReactNode])[]
  /** More that happened: the pot went out. */
  children?: ReactNode
  done: { href: string; text: string }
}

/** After money moved: what moved, and a reference large enough to read aloud. */
export const MoneyReceipt = ({ title, amount, currency, reference, rows, children, done }: Props) => {
  const t = useWords(together)
  const c = useWords(common)
  const language = useLanguage()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  const words = `${title}\n${writeAmount(amount, currency, language)}\n${c.reference} ${reference}`
  return (
    <section className="together-receipt">
      <CircleCheck className="together-receipt-icon" aria-hidden="true" />
      <h2 ref={heading} tabIndex={-1} className="together-receipt-title">
        {title}
      </h2>
      <p className="together-receipt-amount">
        <Amount value={amount} currency={currency} />
      </p>
      <div className="together-reference">
        <span className="row-sub">{c.reference}</span>
        <strong>{reference}</strong>
        <CopyButton text={reference} what={c.reference} />
      </div>
      {children}
      <Facts rows={rows} />
      <div className="together-receipt-acts">
        <Button onClick={() => void shareText({ title, text: words })}>
          <Share2 aria-hidden="true" />
          {t.shareReceipt}
        </Button>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          {t.print}
        </Button>
        <ButtonLink href={done.href} look="main">
          {done.text}
        </ButtonLink>
        <Link href={`/history/${reference}`} className="link section-link justify-center">
          {t.inHistory}
        </Link>
      </div>
    </section>
  )
}
