import '../people.css'
import type { ListSessionsItem } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../kit/act.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Status } from '../../kit/facts.tsx'
import { useWords } from '../../kit/language.ts'
import { Loaded, RowBones } from '../../kit/loaded.tsx'
import { ActNotice } from '../../kit/notice.tsx'
import { Page } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { say } from '../../kit/toast.tsx'
import { client } from '../../session.ts'
import { account } from './words.ts'

export const Sessions = () => {
  const t = useWords(account)
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await client.account.sessions({ signal })).items,
  })
  return (
    <Page title={t.sessions} back="/account">
      <Loaded query={query} skeleton={<RowBones rows={2} />}>
        {(items) => (
          <ul className="rows">
            {items.map((item) => (
              <li key={item.id} className="people-session">
                <Session item={item} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  )
}

const Session = ({ item }: { item: ListSessionsItem }) => {
  const t = useWords(account)
  return (
    <>
      <span className="row-icon">
        <MonitorSmartphone aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="people-session-name">{useDeviceName(item.device)}</p>
        {item.current && <Status tone="good">{t.thisDevice}</Status>}
        <p className="people-session-fact">{t.address(item.address)}</p>
        <p className="people-session-fact">
          {t.since}: <Time value={item.created_at} />
        </p>
        <p className="people-session-fact">
          {t.lastUsed}: <Time value={item.last_used_at} />
        </p>
      </div>
      {!item.current && <Ending item={item} />}
    </>
  )
}

const Ending = ({ item }: { item: ListSessionsItem }) => {
  const t = useWords(account)
  const [isAsked, setAsked] = useState(false)
  const act = useAct({
    name: `end-${item.id}`,
    run: () => client.account.endSession(item.id),
    onDone: () => {
      setAsked(false)
      say(t.ended)
    },
  })
  const name = useDeviceName(item.device)
  return (
    <>
      <Button aria-label={`${t.end}: ${name}`} onClick={() => setAsked(true)}>
        {t.end}
      </Button>
      <Confirm
        title={t.endTitle}
        act={t.end}
        danger
        open={isAsked}
        busy={act.state === 'busy'}
        onClose={() => setAsked(false)}
        onConfirm={() => void act.submit(undefined)}
      >
        <ActNotice act={act} />
        <p>{name}</p>
        <p>{t.endText}</p>
      </Confirm>
    </>
  )
}

/** The first that fits: browsers also name those that they want to be taken for. */
const browsers: readonly [mark: RegExp, name: string][] = [
  [/Edg/, 'Edge'],
  [/OPR|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/UCBrowser/, 'UC Browser'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]
const systems: readonly [mark: RegExp, name: string][] = [
  [/KAIOS/i, 'KaiOS'],
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
]
const shownMost = 40

/** “Chrome on Android”; a program that is no browser by its own name. */
function useDeviceName(device: string): string {
  const t = useWords(account)
  const nameIn = (rows: typeof browsers) => rows.find(([mark]) => mark.test(device))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser !== undefined && system !== undefined) return t.on(browser, system)
  return browser ?? (device.slice(0, shownMost) || t.unknownDevice)
}
