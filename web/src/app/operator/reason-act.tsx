import { type ReactNode, useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { fieldError } from '../kit/errors.ts'
import { LongTextField } from '../kit/field.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { say } from '../kit/toast.tsx'

interface Props {
  name: string
  /** Says the act: “Freeze the account”. */
  text: string
  /** What it does, and who is told. */
  about: ReactNode
  done: string
  danger?: boolean
  main?: boolean
  /** What the reason is for; absent when none is asked for. */
  reason?: string
  run: (order: { reason: string }, call: { idempotencyKey: string }) => Promise<unknown>
  /** More to fill in. */
  children?: ReactNode
  fields?: readonly string[]
}

/** Every act of an operator is confirmed, most with a reason, and all are in the audit log. */
export const ReasonAct = ({
  name,
  text,
  about,
  done,
  danger,
  main,
  reason,
  run,
  children,
  fields = [],
}: Props) => {
  const [open, setOpen] = useState(false)
  const [why, setWhy] = useState('')
  const act = useAct({
    name,
    run,
    onDone: () => {
      setOpen(false)
      setWhy('')
      say(done)
    },
  })
  return (
    <>
      <Button look={danger ? 'danger' : main ? 'main' : 'plain'} onClick={() => setOpen(true)}>
        {text}
      </Button>
      <Dialog title={text} open={open} onClose={() => setOpen(false)}>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault()
            void act.submit({ reason: why })
          }}
        >
          <p className="dialog-text">{about}</p>
          <ActNotice act={act} fields={['reason', ...fields]} />
          {children}
          {reason !== undefined && (
            <LongTextField
              label="Reason"
              hint={reason}
              error={act.state === 'refused' ? fieldError(act.error, 'reason') : undefined}
              value={why}
              onChange={setWhy}
              rows={3}
              required
            />
          )}
          <div className="dialog-acts">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" look={danger ? 'danger' : 'main'} busy={act.state === 'busy'}>
              {text}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}
