import { type FormEvent, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { type Currency, currencyCodes } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { ChoiceField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { client, queries, useUser } from '../session.ts'
import { type Business, useBusiness } from './data.ts'
import { AddEmail, ConfirmEmail } from './email.tsx'
import { withoutKeys } from './fresh-keys.ts'
import { business as words } from './words.ts'

/** The first time, or again after it was rejected: what was said then is there to be mended. */
export const Apply = () => {
  const t = useWords(words)
  const user = useUser()
  return (
    <Page title={t.applyTitle} back="/business">
      <Loaded query={useBusiness()} skeleton={<RowBones rows={3} />}>
        {(business) => {
          if (business !== null && business.status !== 'rejected') return <Redirect to="/business" replace />
          if (user.email === null) return <AddEmail />
          return (
            <>
              {!user.email_confirmed && <ConfirmEmail address={user.email} />}
              <Application before={business} currency={user.default_currency} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

const fields = ['business_name', 'category', 'website_url', 'settlement_currency'] as const

const Application = ({ before, currency }: { before: Business | null; currency: Currency }) => {
  const t = useWords(words)
  const [, go] = useLocation()
  const [form, setForm] = useState({
    business_name: before?.business_name ?? '',
    category: before?.category ?? '',
    website_url: before?.website_url ?? 'https://',
    settlement_currency: before?.settlement_currency ?? currency,
  })
  const act = useAct({
    name: 'apply',
    run: (order: typeof form, call) => client.merchant.register(order, call),
    onDone: (made) => {
      queries.setQueryData(['business'], withoutKeys(made))
      go('/business')
    },
  })
  const bind = (field: (typeof fields)[number]) => ({
    value: form[field],
    onChange: (value: string) => setForm({ ...form, [field]: value }),
    error: act.state === 'refused' ? fieldError(act.error, field) : undefined,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit(form)
  }
  return (
    <form className="form" onSubmit={submit}>
      {before !== null && before.rejection_reason !== null && (
        <Notice kind="warning" title={t.rejectedTitle}>
          {before.rejection_reason}
        </Notice>
      )}
      <TextField
        label={t.businessName}
        hint={t.businessNameHint}
        {...bind('business_name')}
        maxLength={80}
        required
      />
      <TextField label={t.category} hint={t.categoryHint} {...bind('category')} maxLength={60} required />
      <TextField
        label={t.website}
        hint={t.websiteHint}
        {...bind('website_url')}
        type="url"
        inputMode="url"
        autoComplete="url"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <ChoiceField
        label={t.currency}
        {...bind('settlement_currency')}
        options={currencyCodes.map((code) => ({ value: code as string, text: code }))}
      />
      <ActNotice act={act} fields={fields} />
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        {t.applySend}
      </Button>
    </form>
  )
}
