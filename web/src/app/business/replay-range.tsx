import { useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { fieldError } from '../kit/errors.ts'
import { TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { client } from '../session.ts'
import type { Mode } from './data.ts'
import { notifications as words } from './words-notifications.ts'

const dayMs = 86_400_000

/** All that did not arrive in a time, once more. */
export const ReplayRange = ({ mode }: { mode: Mode }) => {
  const t = useWords(words)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.replayRange}</Button>
      <Dialog title={t.replayRange} open={isOpen} onClose={() => setOpen(false)}>
        <Range mode={mode} />
      </Dialog>
    </>
  )
}

const Range = ({ mode }: { mode: Mode }) => {
  const t = useWords(words)
  const [from, setFrom] = useState(() => localTime(Date.now() - dayMs))
  const [to, setTo] = useState(() => localTime(Date.now() + 60_000))
  const [done, setDone] = useState<{ replayed: number; more: boolean }>()
  const act = useAct({
    name: 'replay-range',
    run: (order: { from: string; to: string; mode: Mode }) => client.merchant.replayRange(order),
    onDone: setDone,
  })
  const errorOf = (field: string) => (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void act.submit({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), mode })
      }}
    >
      <p className="text-soft">{t.rangeText}</p>
      <TextField
        label={t.from}
        type="datetime-local"
        error={errorOf('from')}
        value={from}
        onChange={setFrom}
        required
      />
      <TextField
        label={t.to}
        type="datetime-local"
        error={errorOf('to')}
        value={to}
        onChange={setTo}
        required
      />
      <ActNotice act={act} fields={['from', 'to']} />
      {done !== undefined && (
        <div role="status">
          <Notice kind="good" title={t.rangeDone(done.replayed)}>
            {done.more ? t.rangeMore : undefined}
          </Notice>
        </div>
      )}
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        {t.rangeSend}
      </Button>
    </form>
  )
}

/** As the field takes it: without a zone, to the minute. */
function localTime(ms: number): string {
  const time = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return time.toISOString().slice(0, 16)
}
