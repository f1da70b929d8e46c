// Around every page of the console: where one is in it, and the second factor before anything is shown. In English only:
// operators work with the words of the API.
import { MfukoError } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { TextField } from '../kit/field.tsx'
import { Failed, RowBones, Waiting } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { client } from '../session.ts'
import './operator.css'

const places = [
  ['/operator', 'Overview'],
  ['/operator/businesses', 'Businesses'],
  ['/operator/payments', 'Payments'],
  ['/operator/people', 'People'],
  ['/operator/orders', 'Provider orders'],
  ['/operator/unmatched', 'Unmatched money'],
  ['/operator/matches', 'Daily match'],
  ['/operator/notifications', 'Notifications'],
  ['/operator/books', 'Books'],
  ['/operator/groups', 'Groups'],
  ['/operator/campaigns', 'Campaigns'],
  ['/operator/mails', 'Mails'],
  ['/operator/audit', 'Audit log'],
] as const

export const useSystem = () =>
  useQuery({
    queryKey: ['operator', 'system'],
    queryFn: async ({ signal }) => (await client.request('GET /api/operator/system', { signal })).data,
    refetchInterval: 15_000,
  })

interface Props {
  title: string
  back?: string
  side?: ReactNode
  children: ReactNode
}

export const ConsolePage = ({ children, side, ...page }: Props) => {
  const [path] = useLocation()
  const isOpen = useSystem().data !== undefined
  const isHere = (href: string) => path === href || (href !== '/operator' && path.startsWith(`${href}/`))
  return (
    <div className="console">
      <nav aria-label="Operator console" className="console-nav">
        {places.map(([href, text]) => (
          <Link
            key={href}
            href={href}
            className="console-link"
            aria-current={isHere(href) ? 'page' : undefined}
            ref={isHere(href) ? intoView : undefined}
          >
            {text}
          </Link>
        ))}
      </nav>
      <Page {...page} side={isOpen && side} width="wide">
        <Gate>{children}</Gate>
      </Page>
    </div>
  )
}

/** On a phone the places are a row that is wider than the screen. */
const intoView = (link: HTMLElement | null) => {
  const row = link?.parentElement
  if (link && row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.clientWidth) / 2
}

/** Nothing is asked for before the service has said that this login may. */
const Gate = ({ children }: { children: ReactNode }) => {
  const system = useSystem()
  const { error } = system
  if (error instanceof MfukoError && error.code === 'second_factor_required')
    return <SecondFactor message={error.message} onDone={() => void system.refetch()} />
  if (system.data === undefined && system.error !== null)
    return <Failed error={system.error} busy={system.isFetching} again={() => void system.refetch()} />
  if (system.data === undefined)
    return (
      <Waiting>
        <RowBones />
      </Waiting>
    )
  return <>{children}</>
}

const SecondFactor = ({ message, onDone }: { message: string; onDone: () => void }) => {
  const [code, setCode] = useState('')
  const act = useAct({
    name: 'second-factor',
    run: (order: { code: string }) => client.request('POST /api/operator/second-factor', { body: order }),
    onDone,
  })
  return (
    <form
      className="form max-w-md"
      onSubmit={(event) => {
        event.preventDefault()
        void act.submit({ code })
      }}
    >
      {/* Who has no app yet is told how to get one. */}
      <p className="text-soft">
        {/npm run/.test(message) ? message : 'A password alone does not open the console.'}
      </p>
      <ActNotice act={act} fields={['code']} />
      <TextField
        label="Code of your authenticator app"
        hint="Six digits. It opens the console to this login for 12 hours."
        error={act.state === 'refused' ? fieldError(act.error, 'code') : undefined}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        required
      />
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        Open the console
      </Button>
    </form>
  )
}
