// A signed example to the merchant's own address, and what it answered.
import type { SendTestNotificationBody } from '@mfuko/sdk/browser'
import { type FormEvent, useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { ChoiceField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { client } from '../session.ts'
import { type Business, useNotification } from './data.ts'
import { Attempts } from './notification-card.tsx'
import { integrate as words } from './words-integrate.ts'

type Kind = NonNullable<SendTestNotificationBody['kind']>
type Event = NonNullable<SendTestNotificationBody['event']>

const gatewayEvents: readonly Event[] = ['payment.completed', 'payment.failed']
const callbackEvents: readonly Event[] = [...gatewayEvents, 'payment.pending', 'payment.refunded']

export const TryReceiver = ({ business }: { business: Business }) => {
  const t = useWords(words)
  const [kind, setKind] = useState<Kind>('gateway')
  const [event, setEvent] = useState<Event>('payment.completed')
  const [url, setUrl] = useState(business.ipn_url ?? '')
  const [sent, setSent] = useState<string>()
  const act = useAct({
    name: 'try-receiver',
    run: (order: { kind: Kind; event: Event; url: string }) => client.merchant.sendTestNotification(order),
    onDone: ({ id }) => setSent(id),
  })
  const events = kind === 'gateway' ? gatewayEvents : callbackEvents
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    setSent(undefined)
    void act.submit({ kind, event, url: url.trim() })
  }
  const choose = (next: Kind) => {
    setKind(next)
    if (next === 'gateway' && !gatewayEvents.includes(event)) setEvent('payment.completed')
  }
  return (
    <section id="try" className="business-panel" aria-labelledby="try-title">
      <h2 id="try-title" className="section-title">
        {t.tryTitle}
      </h2>
      <p className="mt-1 text-soft">{t.tryText}</p>
      <form className="form" onSubmit={submit}>
        <TextField
          label={t.url}
          hint={t.urlHint}
          error={act.state === 'refused' ? fieldError(act.error, 'url') : undefined}
          type="url"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          value={url}
          onChange={setUrl}
          required
        />
        <ChoiceField
          label={t.kind}
          value={kind}
          onChange={choose}
          options={(['gateway', 'callback'] as const).map((value) => ({ value, text: t.kinds[value] }))}
        />
        <ChoiceField
          label={t.event}
          value={event}
          onChange={setEvent}
          options={events.map((value) => ({ value, text: t.events[value] }))}
        />
        <ActNotice act={act} fields={['url']} />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.send}
        </Button>
      </form>
      {sent !== undefined && <Result id={sent} />}
    </section>
  )
}

const Result = ({ id }: { id: string }) => {
  const t = useWords(words)
  const { data } = useNotification(id)
  const isTried = (data?.log.length ?? 0) > 0
  const isGood = data?.status === 'delivered'
  return (
    <div className="mt-6" role="status">
      {data === undefined || !isTried ? (
        <p className="business-waiting">
          <span className="spinner" aria-hidden="true" />
          {t.waiting}
        </p>
      ) : (
        <>
          <Notice kind={isGood ? 'good' : 'warning'} title={isGood ? t.good : t.bad}>
            {isGood ? undefined : t.badText}
          </Notice>
          <Attempts notification={data} />
        </>
      )}
    </div>
  )
}
