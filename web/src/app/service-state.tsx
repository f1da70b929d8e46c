import type { ReactNode } from 'react'
import { type Health, useHealth } from './use-health.ts'

interface Props {
  language: string
}

/** The live state of the service, with what to do when it does not answer. */
export const ServiceState = ({ language }: Props) => {
  const { health, checkNow } = useHealth()
  const troubled = health.state === 'unavailable' || health.state === 'unreachable'
  return (
    <section className="card" aria-labelledby="service" aria-busy={health.state === 'checking'}>
      <h2 id="service" className="text-soft">
        Service
      </h2>
      {/* Only this line is read aloud when it changes; the times below change every 10 seconds. */}
      <p role="status" className={`state state-${health.state}`}>
        {headline(health)}
      </p>
      {health.state === 'checking' && <Skeleton />}
      {health.state === 'ok' && (
        <dl className="facts">
          <Fact name="Version">{health.version}</Fact>
          <Fact name="Time">{writeTime(health.time, language)}</Fact>
          <Fact name="Last checked">{writeClock(health.checkedAt, language)}</Fact>
        </dl>
      )}
      {troubled && (
        <>
          <p className="mt-3 max-w-md text-soft">{advice(health)}</p>
          <p className="mt-3 max-w-md text-soft">
            This page checks again every 10 seconds. Last checked: {writeClock(health.checkedAt, language)}.
          </p>
          <button type="button" className="button mt-5 w-full sm:w-auto" onClick={checkNow}>
            Check now
          </button>
        </>
      )}
    </section>
  )
}

const headline = (health: Health) => {
  switch (health.state) {
    case 'checking':
      return 'Checking…'
    case 'ok':
      return 'Running'
    case 'unavailable':
      return 'Not ready'
    case 'unreachable':
      return 'No answer'
    default:
      return health satisfies never
  }
}

const advice = (health: Health): ReactNode =>
  health.state === 'unavailable' ? (
    'The service answers, but a part it needs is away, most likely its database. It comes back by itself when that part does.'
  ) : (
    <>
      Check your connection. If you run the service yourself, start it with <code>npm start</code>.
    </>
  )

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Skeleton = () => (
  <div className="facts" aria-hidden="true">
    {['version', 'time', 'checked'].map((row) => (
      <div key={row}>
        <span className="bone w-24" />
        <span className="bone w-32" />
      </div>
    ))}
  </div>
)

const writeTime = (time: Date, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)

const writeClock = (time: Date, language: string) =>
  new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(time)
