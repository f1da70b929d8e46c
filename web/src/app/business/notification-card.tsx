// One notification: what was sent, each attempt and what was answered, and sending it again.
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { Status } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import { type NotificationItem, type NotificationShown, useNotification } from './data.ts'
import { notifications as words } from './words-notifications.ts'

/** Opens in its place; what is inside is asked for then. */
export const NotificationCard = ({ item }: { item: NotificationItem }) => {
  const t = useWords(words)
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="business-card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="business-card-head">
        <span className="row-main">
          <span className="row-title">{item.event}</span>
          <span className="business-small">
            <Time value={item.created_at} />
            {item.url !== null && ` · ${item.url}`}
          </span>
        </span>
        <NotificationStatus status={item.status} />
      </summary>
      <span className="sr-only">{t.details}</span>
      {isOpen && <NotificationDetail id={item.id} />}
    </details>
  )
}

const tones = { pending: 'waiting', delivered: 'good', failed: 'bad', held: 'bad', unsent: 'plain' } as const

export const NotificationStatus = ({ status }: { status: NotificationItem['status'] }) => {
  const t = useWords(words)
  return <Status tone={tones[status]}>{t.statuses[status]}</Status>
}

export const NotificationDetail = ({ id }: { id: string }) => (
  <Loaded query={useNotification(id)} skeleton={<RowBones rows={2} />}>
    {(notification) => (
      <>
        <Attempts notification={notification} />
        <Replay notification={notification} />
        <Body notification={notification} />
      </>
    )}
  </Loaded>
)

export const Attempts = ({ notification }: { notification: NotificationShown }) => {
  const t = useWords(words)
  const { log, status, next_attempt_at } = notification
  return (
    <section aria-label={t.attempts} className="business-log">
      {log.length === 0 && (
        <p className="text-soft" role="status">
          {status === 'pending' ? t.waiting : t.noAttempts}
        </p>
      )}
      <ol>
        {log.map((attempt) => (
          <Attempt key={attempt.number} attempt={attempt} />
        ))}
      </ol>
      {status === 'pending' && next_attempt_at !== null && log.length > 0 && (
        <p className="text-soft">
          {t.nextTry}: <Time value={next_attempt_at} />
        </p>
      )}
    </section>
  )
}

const Attempt = ({ attempt }: { attempt: NotificationShown['log'][number] }) => {
  const t = useWords(words)
  const { number, at, status, duration_ms, problem, message, response } = attempt
  const isGood = problem === null
  return (
    <li className="business-attempt" data-good={isGood || undefined}>
      <p className="business-attempt-head">
        <span className="font-semibold">{t.attempt(number)}</span>
        <Status tone={isGood ? 'good' : 'bad'}>{status === null ? t.noAnswer : t.answered(status)}</Status>
        <span className="text-soft">
          <Time value={at} />
          {duration_ms !== null && ` · ${t.tookMs(duration_ms)}`}
        </span>
      </p>
      {message !== null && !isGood && <p>{message}</p>}
      {response !== null && (
        <pre className="business-answer">{response === '' ? t.emptyAnswer : response}</pre>
      )}
    </li>
  )
}

const Replay = ({ notification }: { notification: NotificationShown }) => {
  const t = useWords(words)
  const act = useAct({
    name: `replay-${notification.id}`,
    run: () => client.merchant.replay(notification.id),
    onDone: () => say(t.replayed),
  })
  if (notification.status === 'unsent' || notification.url === null) return null
  return (
    <div className="mt-4">
      <ActNotice act={act} />
      <Button busy={act.state === 'busy'} onClick={() => void act.submit({})}>
        <RotateCw aria-hidden="true" className="business-icon" />
        {t.replay}
      </Button>
    </div>
  )
}

const Body = ({ notification: { body } }: { notification: NotificationShown }) => {
  const t = useWords(words)
  return (
    <div className="mt-4">
      <div className="business-code-head">
        <h3 className="business-code-title">{t.body}</h3>
        {body !== null && <CopyButton text={body} what={t.body} />}
      </div>
      {body === null ? (
        <p className="text-soft">{t.bodyGone}</p>
      ) : (
        <pre className="business-answer">{readable(body)}</pre>
      )}
    </div>
  )
}

/** For reading; what is copied is what is sent, byte for byte. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
