import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button, ButtonLink } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { PasswordField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Notice } from '../kit/notice.tsx'
import type { Business } from './data.ts'
import { at, BusinessPage } from './frame.tsx'
import { holdKeys, useFreshKeys } from './fresh-keys.ts'
import { Reveal, Rotate } from './key-dialogs.tsx'
import { languages, type SnippetLanguage, snippetsOf } from './snippets.ts'
import { TryReceiver } from './try-receiver.tsx'
import { integrate as words } from './words-integrate.ts'

/** Always of test mode: what is copied from here must not take real money. */
export const Integrate = () => {
  const t = useWords(words)
  return (
    <BusinessPage title={t.title}>
      {(business) => (
        <>
          <p className="mb-4 text-soft">{t.text}</p>
          <div className="business-two business-two-wide">
            <div>
              <OwnKeys business={business} />
              <Examples business={business} />
            </div>
            <div>
              <TryReceiver business={business} />
              <More business={business} />
            </div>
          </div>
        </>
      )}
    </BusinessPage>
  )
}

const OwnKeys = ({ business }: { business: Business }) => {
  const t = useWords(words)
  const { apiKey, clientSecret } = useFreshKeys().test ?? {}
  const [isReplacing, setReplacing] = useState(false)
  const [isRevealing, setRevealing] = useState(false)
  return (
    <section className="business-panel" aria-labelledby="own-keys">
      <h2 id="own-keys" className="section-title">
        {t.keysTitle}
      </h2>
      {apiKey === undefined ? (
        <>
          <p className="mt-2">{t.keyOut(`${business.credentials.test.api_key_prefix}…`)}</p>
          <PasteKey />
          <Button className="mt-3 mr-3" onClick={() => setReplacing(true)}>
            {t.makeKey}
          </Button>
        </>
      ) : (
        <p className="mt-2">{t.keyIn}</p>
      )}
      {clientSecret === undefined ? (
        <Button className="mt-3" onClick={() => setRevealing(true)}>
          {t.showSecret}
        </Button>
      ) : (
        <p className="mt-2">{t.secretIn}</p>
      )}
      <Rotate mode="test" what={isReplacing ? 'api_key' : undefined} onClose={() => setReplacing(false)} />
      <Reveal
        mode="test"
        open={isRevealing}
        onClose={() => setRevealing(false)}
        onShown={(secret) => {
          holdKeys('test', { clientSecret: secret })
          setRevealing(false)
        }}
      />
    </section>
  )
}

const PasteKey = () => {
  const t = useWords(words)
  const [typed, setTyped] = useState('')
  const take = (text: string) => {
    setTyped(text)
    if (/^svc_test_\w{20,}$/.test(text.trim())) holdKeys('test', { apiKey: text.trim(), stored: true })
  }
  return (
    <div className="mt-4">
      <PasswordField
        label={t.pasteKey}
        hint={t.pasteHint}
        error={typed !== '' && !'svc_test_'.startsWith(typed.slice(0, 9)) ? t.notKey : undefined}
        value={typed}
        onChange={take}
        autoComplete="off"
      />
    </div>
  )
}

const Examples = ({ business }: { business: Business }) => {
  const t = useWords(words)
  const [search, setSearch] = useSearchParams()
  const language = languages.find(({ id }) => id === search.get('lang'))?.id ?? 'curl'
  const { apiKey = '<TEST_API_KEY>', clientSecret = '<CLIENT_SECRET>' } = useFreshKeys().test ?? {}
  const { install, take, receive } = snippetsOf(language, {
    baseUrl: window.location.origin,
    headerPrefix: business.header_prefix,
    merchantId: business.merchant_id,
    currency: business.settlement_currency,
    apiKey,
    clientSecret,
  })
  const choose = (id: SnippetLanguage) =>
    setSearch(
      (before) => {
        before.set('lang', id)
        return before
      },
      { replace: true },
    )
  return (
    <>
      <fieldset className="business-languages">
        <legend className="sr-only">{t.language}</legend>
        {languages.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="business-language"
            aria-pressed={id === language}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {install !== undefined && <Code title={t.install} text={t.installText} code={install} />}
      <Code title={t.take} text={t.takeText} code={take} />
      <Code title={t.receive} text={t.receiveText} code={receive} />
    </>
  )
}

const Code = ({ title, text, code }: { title: string; text?: string; code: string }) => {
  const t = useWords(words)
  return (
    <section className="business-code" aria-label={title}>
      <div className="business-code-head">
        <h2 className="section-title">{title}</h2>
        <CopyButton text={code} what={`${t.copyCode}: ${title}`} />
      </div>
      {text !== undefined && <p className="mb-2 text-soft">{text}</p>}
      {/* Long lines are scrolled to, by the keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached. */}
      <pre className="business-snippet" tabIndex={0}>
        <code>{code}</code>
      </pre>
    </section>
  )
}

const More = ({ business: { status } }: { business: Business }) => {
  const t = useWords(words)
  return (
    <>
      <section className="business-panel" aria-labelledby="payers">
        <h2 id="payers" className="section-title">
          {t.payers}
        </h2>
        <p className="mt-2">{t.payersText}</p>
        <p className="mt-2">
          <a className="link business-link" href="/docs">
            {t.docs}
          </a>
        </p>
      </section>
      {status === 'approved' && (
        <Notice
          title={t.live}
          action={<ButtonLink href={at('/business/keys', 'live')}>{t.toKeys}</ButtonLink>}
        >
          {t.liveText}
        </Notice>
      )}
    </>
  )
}
