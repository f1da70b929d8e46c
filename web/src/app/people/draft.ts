// What was typed into a form stays: through a lost connection, a step ahead and back, and a reload of the page. Kept in
// the tab and with whose it is, so that the next person on a shared phone does not see it. No PIN is ever part of it.
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { type Currency, currencyCodes } from '../kit/amount.tsx'
import { keep, readKept } from '../kit/kept.ts'
import { useUser } from '../session.ts'

export interface Draft<Form> {
  form: Form
  change: (part: Partial<Form>) => void
  /** It is done with. */
  clear: () => void
  step: string
  /** Steps are in the address, so that the way back leads to the step before. */
  goTo: (step: string, options?: { replace?: boolean }) => void
}

export const firstStep = 'form'

/** Fields that the address names come from there: `/send?to=juma`. */
export function useDraft<Form extends Record<string, string>>(name: string, blank: Form): Draft<Form> {
  const { id } = useUser()
  const [search, setSearch] = useSearchParams()
  const [form, setForm] = useState(() => fromAddress(search, blank) ?? fromTab(name, id, blank))
  const isNamed = Object.keys(blank).some((field) => search.has(field))
  useEffect(() => {
    if (!isNamed) return
    // From now on what is typed counts.
    keep(`draft.${name}`, JSON.stringify({ id, form }), 'tab')
    setSearch((old) => only(old, 'step'), { replace: true })
  }, [isNamed, setSearch, name, id, form])
  const store = (next: Form) => {
    keep(`draft.${name}`, JSON.stringify({ id, form: next }), 'tab')
    setForm(next)
  }
  return {
    form,
    change: (part) => store({ ...form, ...part }),
    clear: () => keep(`draft.${name}`, undefined, 'tab'),
    step: search.get('step') ?? firstStep,
    goTo: (step, { replace = false } = {}) => setSearch(step === firstStep ? {} : { step }, { replace }),
  }
}

function fromAddress<Form extends Record<string, string>>(
  search: URLSearchParams,
  blank: Form,
): Form | undefined {
  const given = Object.keys(blank).flatMap((field) => {
    const value = field === 'currency' ? currencyIn(search) : search.get(field)
    return value == null ? [] : [[field, value]]
  })
  return given.length === 0 ? undefined : { ...blank, ...Object.fromEntries(given) }
}

/** Anybody may write an address, and there are no amounts in a currency that nobody knows. */
const currencyIn = (search: URLSearchParams): Currency | undefined =>
  currencyCodes.find((code) => code === search.get('currency')?.toUpperCase())

function fromTab<Form extends Record<string, string>>(name: string, id: string, blank: Form): Form {
  try {
    const kept = JSON.parse(readKept(`draft.${name}`, 'tab') ?? '{}') as { id?: string; form?: Form }
    return kept.id === id ? { ...blank, ...kept.form } : blank
  } catch {
    return blank
  }
}

const only = (search: URLSearchParams, name: string): Record<string, string> => {
  const value = search.get(name)
  return value === null ? {} : { [name]: value }
}

/** The value, once it has not changed for a while: so that not every key asks the service. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
