// Whom the money goes to, or who is asked for it: the name behind a handle is shown as one types.

import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useErrorText } from '../kit/errors.ts'
import { TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { client, useUser } from '../session.ts'
import { useSettled } from './draft.ts'
import { sending } from './send-words.ts'

export interface Person {
  handle: string
  name: string
}

export const tidyHandle = (typed: string): string => typed.trim().replace(/^@/, '').toLowerCase()
export const isHandle = (handle: string): boolean => /^[a-z][a-z0-9_]{2,19}$/.test(handle)

const typingMs = 400

const useRecipients = () =>
  useQuery({ queryKey: ['recipients'], queryFn: ({ signal }) => client.transfers.recipients({ signal }) })

export interface Found {
  person?: Person
  isLooking: boolean
  error?: unknown
}

/** Who has this handle. Those one sent to lately are known without asking. */
export function usePerson(typed: string): Found {
  const handle = tidyHandle(typed)
  const settled = useSettled(handle, typingMs)
  const recent = useRecipients().data?.find((one) => one.handle === handle)
  const isWorthAsking = isHandle(handle) && recent === undefined
  const query = useQuery({
    queryKey: ['person', settled],
    queryFn: ({ signal }) => client.transfers.lookUp(settled, { signal }),
    enabled: isWorthAsking && settled === handle,
    staleTime: 300_000,
  })
  if (recent !== undefined) return { person: recent, isLooking: false }
  if (!isWorthAsking || settled !== handle) return { isLooking: isWorthAsking }
  return {
    ...(query.data === undefined ? {} : { person: query.data }),
    isLooking: query.isFetching && query.data === undefined,
    error: query.error ?? undefined,
  }
}

interface Props {
  label: string
  value: string
  onChange: (handle: string) => void
  error?: string | undefined
}

export const RecipientField = ({ label, value, onChange, error }: Props) => {
  const t = useWords(sending)
  const own = useUser().handle
  const found = usePerson(value)
  const isOwn = tidyHandle(value) === own
  const problem = useProblem(found, isOwn) ?? error
  return (
    <div>
      <TextField
        label={label}
        hint={found.person === undefined && !found.isLooking ? t.handleHint : undefined}
        error={problem}
        value={value}
        onChange={onChange}
        name="recipient"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
      />
      <p className="people-found" role="status">
        {found.isLooking && t.looking}
        {found.person !== undefined && !isOwn && (
          <>
            <CircleCheck aria-hidden="true" />
            <span>
              <strong>{found.person.name}</strong> @{found.person.handle}
            </span>
          </>
        )}
      </p>
      <Recent typed={value} onChoose={onChange} />
    </div>
  )
}

function useProblem({ error }: Found, isOwn: boolean): string | undefined {
  const t = useWords(sending)
  const text = useErrorText()
  if (isOwn) return t.yourself
  if (error === undefined) return undefined
  return (error as { code?: string }).code === 'not_found' ? t.nobody : text(error)
}

const Recent = ({ typed, onChoose }: { typed: string; onChoose: (handle: string) => void }) => {
  const t = useWords(sending)
  const handle = tidyHandle(typed)
  const wanted = typed.trim().toLowerCase()
  const fitting = (useRecipients().data ?? []).filter(
    (one) =>
      one.handle !== handle && (one.handle.includes(handle) || one.name.toLowerCase().includes(wanted)),
  )
  if (fitting.length === 0) return null
  return (
    <div className="people-recent">
      <p className="text-soft">{t.recent}</p>
      <ul>
        {fitting.map((one) => (
          <li key={one.handle}>
            <button type="button" className="people-person" onClick={() => onChoose(one.handle)}>
              <span className="people-initials" aria-hidden="true">
                {initialsOf(one.name)}
              </span>
              <span className="people-person-name">
                {one.name}
                <span>@{one.handle}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0])
  return letters.join('').toUpperCase()
}
