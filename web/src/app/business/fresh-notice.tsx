import { KeyRound } from 'lucide-react'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { useWords } from '../kit/language.ts'
import { type Mode, markStored, useFreshKeys } from './fresh-keys.ts'
import { business as words } from './words.ts'

/** Stays on every page of the business until the owner has said that they are stored. */
export const FreshKeys = ({ merchantId }: { merchantId: number }) => {
  const keys = useFreshKeys()
  return (['live', 'test'] as const).map((mode) => {
    const { apiKey, clientSecret, stored = false } = keys[mode] ?? {}
    if (apiKey === undefined || stored) return null
    return <Fresh key={mode} mode={mode} {...{ merchantId, apiKey, clientSecret }} />
  })
}

interface Props {
  mode: Mode
  merchantId: number
  apiKey: string
  clientSecret: string | undefined
}

const Fresh = ({ mode, merchantId, apiKey, clientSecret }: Props) => {
  const t = useWords(words)
  const title = mode === 'live' ? t.freshLive : t.freshTest
  return (
    <section className="business-fresh" aria-label={title}>
      <h2 className="business-fresh-title">
        <KeyRound aria-hidden="true" />
        {title}
      </h2>
      <p>{t.freshText}</p>
      <dl className="business-secrets">
        <Secret name={t.merchantId} value={String(merchantId)} />
        <Secret name={t.apiKey} value={apiKey} />
        {clientSecret !== undefined && <Secret name={t.clientSecret} value={clientSecret} />}
      </dl>
      <Button onClick={() => markStored(mode)}>{t.savedKeys}</Button>
    </section>
  )
}

/** A value to be copied, whole and readable. */
export const Secret = ({ name, value }: { name: string; value: string }) => {
  const t = useWords(words)
  return (
    <div className="business-secret">
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton text={value} what={t.copyOf(name)} />
      </dd>
    </div>
  )
}
