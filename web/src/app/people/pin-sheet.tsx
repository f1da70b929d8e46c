// The last step before money moves: the PIN. It rises from the bottom of a phone, within the thumb's reach.
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Act } from '../kit/act.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { useErrorText } from '../kit/errors.ts'
import { useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { isPin, PinPad } from '../kit/pin-pad.tsx'
import { common } from '../kit/words.ts'
import { useUser } from '../session.ts'
import { sending } from './send-words.ts'

interface Props<Order> {
  open: boolean
  onClose: () => void
  /** Says the act and the amount: “Send UGX 10,000”. */
  act: string
  /** To whom. */
  children: ReactNode
  acting: Act<Order>
  onPin: (pin: string) => void
  /** Said by fields elsewhere. */
  fields?: readonly string[]
}

export const PinSheet = <Order,>({ open, onClose, act, ...rest }: Props<Order>) => (
  <Dialog title={act} open={open} onClose={onClose}>
    <Inside act={act} {...rest} />
  </Dialog>
)

/** Mounted when the sheet opens: a PIN is never there from before. */
const Inside = <Order,>({
  act,
  children,
  acting,
  onPin,
  fields = [],
}: Omit<Props<Order>, 'open' | 'onClose'>) => {
  const t = useWords(sending)
  const c = useWords(common)
  const text = useErrorText()
  const [pin, setPin] = useState('')
  const [isShort, setShort] = useState(false)
  const { has_pin: hasPin } = useUser()
  const code = (acting.error as { code?: string } | undefined)?.code
  const isWrong = acting.state === 'refused' && code === 'pin_incorrect'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setShort(!isPin(pin))
    if (!isPin(pin)) return
    onPin(pin)
    setPin('')
  }
  if (!hasPin)
    return (
      <Notice kind="warning" action={<ButtonLink href="/account/security">{t.setPin}</ButtonLink>}>
        {t.needPin}
      </Notice>
    )
  return (
    <form onSubmit={submit}>
      <div className="people-sheet-what">{children}</div>
      {!isWrong && <ActNotice act={acting} fields={fields} />}
      {acting.state === 'refused' && !isWrong && <p className="people-unmoved">{t.noMoneyMoved}</p>}
      {acting.state === 'refused' && code === 'pin_locked' && (
        <p className="mb-4">
          <ButtonLink href="/account/security">{t.changePin}</ButtonLink>
        </p>
      )}
      <PinPad
        value={pin}
        onChange={setPin}
        error={isShort ? c.pinHint : isWrong ? `${t.noMoneyMoved} ${text(acting.error)}` : undefined}
      />
      <Button type="submit" look="main" className="mt-4 w-full" busy={acting.state === 'busy'}>
        {act}
      </Button>
    </form>
  )
}
