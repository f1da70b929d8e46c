// Pieces that pages of groups and campaigns are made of.
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { type Currency, writeAmount } from '../kit/amount.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { useWallets } from '../people/data.ts'
import { isMore } from './sums.ts'
import { together } from './words.ts'

interface ChoiceCardsProps<T extends string> {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; title: string; text: string; icon?: ReactNode }[]
}

/** A choice between a few things that need a sentence each. */
export const ChoiceCards = <T extends string>({ label, value, onChange, options }: ChoiceCardsProps<T>) => {
  const name = useId()
  return (
    <fieldset>
      <legend className="field-label">{label}</legend>
      <div className="together-choices">
        {options.map((one) => (
          <label key={one.value} className="together-choice">
            <input
              type="radio"
              name={name}
              value={one.value}
              checked={value === one.value}
              onChange={() => onChange(one.value)}
            />
            <span>
              <span className="together-choice-title">
                {one.icon}
                {one.title}
              </span>
              <span className="together-choice-text">{one.text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface BarProps {
  /** Whole percent; may be more than 100. */
  percent: number
  label: string
  text: string
}

/** How far it is. The words beside it say the same. */
export const ProgressBar = ({ percent, label, text }: BarProps) => (
  <div
    className="together-progress"
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.min(percent, 100)}
    aria-valuetext={text}
  >
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect className="together-progress-all" width="100" height="4" />
      <rect className="together-progress-part" width={Math.min(Math.max(percent, 0), 100)} height="4" />
    </svg>
  </div>
)

interface TabsProps {
  label: string
  tabs: readonly { href: string; text: string; here: boolean; count?: number | undefined }[]
}

/** Places beside each other, each with an address of its own. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav aria-label={label} className="together-tabs">
    {tabs.map(({ href, text, here, count }) => (
      <Link key={href} href={href} className="together-tab" aria-current={here ? 'page' : undefined}>
        {text}
        {count !== undefined && count > 0 && <span className="together-count">{count}</span>}
      </Link>
    ))}
  </nav>
)

/** What can be spent in a currency; undefined while it is asked, null without such a wallet. */
export function useFree(currency: Currency | undefined): number | null | undefined {
  const { data } = useWallets()
  if (data === undefined || currency === undefined) return undefined
  return data.find((wallet) => wallet.currency === currency)?.available ?? null
}

/** Why the wallet can't pay this, in words; undefined when it can, or when that is not known yet. */
export function useShortage(
  currency: Currency | undefined,
  amount: number | string | undefined,
): string | undefined {
  const t = useWords(together)
  const language = useLanguage()
  const free = useFree(currency)
  if (currency === undefined || free === undefined) return undefined
  if (free === null) return t.noWallet(currency)
  return amount !== undefined && isMore(amount, free, currency)
    ? t.notEnough(writeAmount(free, currency, language))
    : undefined
}

/** Somebody by name and handle: two of a group may share the first. */
export const Who = ({ who, isYou = false }: { who: { name: string; handle: string }; isYou?: boolean }) => {
  const t = useWords(together)
  return (
    <>
      {who.name}
      <span className="together-handle"> @{who.handle}</span>
      {isYou && <span className="together-you"> ({t.you})</span>}
    </>
  )
}

export const Letter = ({ name }: { name: string }) => (
  <span className="row-icon" aria-hidden="true">
    {[...name][0]?.toUpperCase()}
  </span>
)

/** Text of people: empty lines part paragraphs, others break. */
export const Paragraphs = ({ text }: { text: string }) => (
  <div className="together-text">
    {text.split(/\n\s*\n/).map((part, place) => (
      <p key={`${place} ${part.slice(0, 20)}`}>{part}</p>
    ))}
  </div>
)
