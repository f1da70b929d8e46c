import { Link, useParams } from 'wouter'
import { Facts } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Time } from '../kit/time.tsx'
import { type NotificationShown, useNotification } from './data.ts'
import { at, BusinessPage } from './frame.tsx'
import { NotificationDetail, NotificationStatus } from './notification-card.tsx'
import { notifications as words } from './words-notifications.ts'

export const NotificationPage = () => {
  const t = useWords(words)
  const { id = '' } = useParams()
  const query = useNotification(id)
  const mode = query.data?.mode ?? 'live'
  return (
    <BusinessPage title={t.one} back={at('/business/notifications', mode)} mode={mode} width="narrow">
      {() => (
        <>
          <Loaded query={query} skeleton={<RowBones rows={2} />}>
            {(notification) => <About notification={notification} />}
          </Loaded>
          <h2 className="section-title mt-8">{t.attempts}</h2>
          <NotificationDetail id={id} />
        </>
      )}
    </BusinessPage>
  )
}

const About = ({ notification }: { notification: NotificationShown }) => {
  const t = useWords(words)
  const { event, url, reference, created_at, status } = notification
  const isExample = reference.startsWith('EXAMPLE-')
  return (
    <Facts
      rows={[
        [t.event, event],
        [t.one, <NotificationStatus key="status" status={status} />],
        [
          t.to_,
          url === null ? null : (
            <span key="url" className="break-all">
              {url}
            </span>
          ),
        ],
        [
          t.payment,
          isExample ? (
            reference
          ) : (
            <Link key="payment" href={`/business/payments/${reference}`} className="link business-link">
              {reference}
            </Link>
          ),
        ],
        [t.made, <Time key="made" value={created_at} />],
      ]}
    />
  )
}
