import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { useWords } from '../kit/language.ts'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import type { Business, Mode } from './data.ts'
import { BusinessPage } from './frame.tsx'
import { Secret } from './fresh-notice.tsx'
import { Reveal, Rotate, type What } from './key-dialogs.tsx'
import { business } from './words.ts'
import { keys as words } from './words-keys.ts'

export const Keys = () => {
  const t = useWords(words)
  return (
    <BusinessPage title={t.title}>
      {(business, mode) => (
        <>
          <p className="mb-4 max-w-2xl text-soft">{t.text}</p>
          {business.status === 'pending' && <Notice title={t.notYet}>{t.notYetText}</Notice>}
          <Pair key={mode} business={business} mode={mode} />
        </>
      )}
    </BusinessPage>
  )
}

type Asked = { act: 'reveal' } | { act: 'rotate'; what: What }

const Pair = ({ business: { merchant_id, credentials }, mode }: { business: Business; mode: Mode }) => {
  const t = useWords(words)
  const b = useWords(business)
  const [asked, ask] = useState<Asked>()
  const of = credentials[mode]
  return (
    <div className="business-keys">
      <section className="business-panel" aria-label={b.merchantId}>
        <dl className="business-secrets">
          <Secret name={b.merchantId} value={String(merchant_id)} />
        </dl>
        <p className="text-soft">{t.idText}</p>
      </section>
      <Key
        title={b.apiKey}
        text={t.apiKeyText}
        shown={of.api_key_prefix === null ? '–' : `${of.api_key_prefix}…`}
        oldUntil={of.api_key_previous_valid_until}
      >
        <p className="business-small">
          {t.lastUsed}:{' '}
          {of.api_key_last_used_at === null ? t.never : <Time value={of.api_key_last_used_at} />}
        </p>
        <div className="business-acts">
          <Button onClick={() => ask({ act: 'rotate', what: 'api_key' })}>{t.rotateApiKey}</Button>
        </div>
      </Key>
      <Key
        title={b.clientSecret}
        text={t.secretText}
        shown={of.client_secret_set ? 'whsec_••••••••' : '–'}
        oldUntil={of.client_secret_previous_valid_until}
      >
        <div className="business-acts">
          <Button onClick={() => ask({ act: 'reveal' })}>{t.revealSecret}</Button>
          <Button onClick={() => ask({ act: 'rotate', what: 'client_secret' })}>{t.rotateSecret}</Button>
        </div>
      </Key>
      <Reveal mode={mode} open={asked?.act === 'reveal'} onClose={() => ask(undefined)} />
      <Rotate
        mode={mode}
        what={asked?.act === 'rotate' ? asked.what : undefined}
        onClose={() => ask(undefined)}
      />
    </div>
  )
}

interface KeyProps {
  title: string
  text: string
  shown: string
  oldUntil: string | null
  children: ReactNode
}

const Key = ({ title, text, shown, oldUntil, children }: KeyProps) => {
  const t = useWords(words)
  return (
    <section className="business-panel" aria-label={title}>
      <h2 className="section-title">{title}</h2>
      <p className="business-key">
        <code>{shown}</code>
      </p>
      <p className="text-soft">{text}</p>
      {oldUntil !== null && (
        <p className="business-grace">
          {t.oldUntil} <Time value={oldUntil} />
        </p>
      )}
      {children}
    </section>
  )
}
