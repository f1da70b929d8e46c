import type { ReactNode } from 'react'

/** Names and values, one a line. Rows without a value are left out. */
export const Facts = ({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {rows
      .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

type Tone = 'good' | 'waiting' | 'bad' | 'plain'

/** A state in a word. The colour only repeats it. */
export const Status = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`status status-${tone}`}>{children}</span>
)
