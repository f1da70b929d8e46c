import { MfukoError } from '@mfuko/sdk/browser'
import { type FormEvent, useState } from 'react'
import type { Act } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { useErrorText } from '../kit/errors.ts'
import { useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { isPin, PinPad } from '../kit/pin-pad.tsx'
import { together } from './words.ts'

interface Props<Order> {
  open: boolean
  onClose: () => void
  act: Act<Order>
  /** Says the act and the amount: “Pay UGX 10,000”. */
  text: string
  onPin: (pin: string) => void
}

/**
 * The last step before money moves. The PIN is forgotten when it closes, and so is a refusal that was read; what is not
 * known yet is said outside.
 */
export const PinDialog = <Order,>({ open, onClose, ...rest }: Props<Order>) => {
  const t = useWords(together)
  const close = () => {
    if (rest.act.state === 'refused') rest.act.reset()
    onClose()
  }
  return (
    <Dialog title={t.enterPin} open={open} onClose={close}>
      <PinForm {...rest} />
    </Dialog>
  )
}

const PinForm = <Order,>({ act, text, onPin }: Omit<Props<Order>, 'open' | 'onClose'>) => {
  const errorText = useErrorText()
  const [pin, setPin] = useState('')
  const isWrong =
    act.state === 'refused' && act.error instanceof MfukoError && act.error.code === 'pin_incorrect'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPin(pin)) onPin(pin)
  }
  const type = (digits: string) => {
    if (act.state === 'refused') act.reset()
    setPin(digits)
  }
  return (
    <form onSubmit={submit}>
      {!isWrong && <Outcome act={act} />}
      <PinPad value={pin} onChange={type} error={isWrong ? errorText(act.error) : undefined} />
      <Button
        type="submit"
        look="main"
        className="mt-4 w-full"
        busy={act.state === 'busy'}
        disabled={!isPin(pin)}
      >
        {text}
      </Button>
    </form>
  )
}

/** Why it was refused, or what is not known. */
export const Outcome = <Order,>({ act }: { act: Act<Order> }) => {
  const t = useWords(together)
  return (
    <>
      <ActNotice act={act} />
      {act.state === 'refused' && <Notice>{t.noMoneyMoved}</Notice>}
    </>
  )
}
