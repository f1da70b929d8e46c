import { type ReactNode, useState } from 'react'
import type { Act } from '../kit/act.ts'
import type { Currency } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Facts } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Notice } from '../kit/notice.tsx'
import { common } from '../kit/words.ts'
import { Outcome, PinDialog } from './pin-dialog.tsx'
import { together } from './words.ts'

interface Props<Order> {
  act: Act<Order>
  /** Who, how much, the fee, what arrives, from which wallet. */
  rows: readonly (readonly [name: string, value: ReactNode])[]
  /** Says the act and the amount: “Pay UGX 10,000”. */
  text: string
  onPin: (pin: string) => void
  /** Of the wallet. */
  currency: Currency
  /** Why the wallet can't pay it. */
  shortage?: string | undefined
  /** To change what was typed. */
  onBack?: (() => void) | undefined
}

/** Everything in one glance, before the PIN. */
export const Review = <Order,>({ act, rows, text, onPin, currency, shortage, onBack }: Props<Order>) => {
  const t = useWords(together)
  const c = useWords(common)
  const [open, setOpen] = useState(false)
  return (
    <section className="together-review">
      <Facts rows={rows} />
      {shortage !== undefined && (
        <Notice
          kind="warning"
          action={<ButtonLink href={`/deposit?currency=${currency}`}>{t.deposit}</ButtonLink>}
        >
          {shortage}
        </Notice>
      )}
      {!open && <Outcome act={act} />}
      <div className="together-review-acts">
        {onBack !== undefined && <Button onClick={onBack}>{c.change}</Button>}
        {shortage === undefined && (
          <Button look="main" onClick={() => setOpen(true)}>
            {text}
          </Button>
        )}
      </div>
      <PinDialog open={open} onClose={() => setOpen(false)} act={act} text={text} onPin={onPin} />
    </section>
  )
}
