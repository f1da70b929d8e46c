import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { useWords } from './language.ts'
import { common } from './words.ts'

interface Props {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
}

/** The browser's own: it keeps the focus inside and closes by Escape. On a phone it rises from the bottom. */
export const Dialog = ({ title, open, onClose, children }: Props) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  const t = useWords(common)
  // Before the effects of what is inside: only in a dialog that is shown can a field take the focus.
  useLayoutEffect(() => {
    const dialog = element.current
    if (open && dialog?.open === false) dialog.showModal()
    if (!open && dialog?.open === true) dialog.close()
  }, [open])
  return (
    <dialog ref={element} className="dialog" aria-labelledby={id} onClose={onClose}>
      {open && (
        <>
          <div className="dialog-head">
            <h2 id={id} className="dialog-title">
              {title}
            </h2>
            <button type="button" className="icon-button" aria-label={t.close} onClick={onClose}>
              <X aria-hidden="true" />
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  )
}

interface ConfirmProps extends Props {
  /** Says the act: “Rotate the key”. */
  act: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
}

/** Before what can't be undone. */
export const Confirm = ({
  act,
  danger = false,
  busy = false,
  onConfirm,
  children,
  ...dialog
}: ConfirmProps) => {
  const t = useWords(common)
  return (
    <Dialog {...dialog}>
      <div className="dialog-text">{children}</div>
      <div className="dialog-acts">
        <Button onClick={dialog.onClose}>{t.cancel}</Button>
        <Button look={danger ? 'danger' : 'main'} busy={busy} onClick={onConfirm}>
          {act}
        </Button>
      </div>
    </Dialog>
  )
}
