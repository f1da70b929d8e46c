import type { CreateGroupBody } from '@mfuko/sdk/browser'
import { RefreshCcw, Target } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { type Currency, readAmount } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { AmountField, ChoiceField, LongTextField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'
import { useWallets } from '../people/data.ts'
import { client } from '../session.ts'
import { groupWords } from './group-words.ts'
import { ChoiceCards } from './parts.tsx'
import './together.css'

interface Form {
  kind: 'rotating' | 'goal'
  name: string
  description: string
  currency: Currency | ''
  contribution: string
  frequency: 'weekly' | 'monthly'
  goal: string
  /** The least that one gives at once, of a goal group. */
  least: string
  fine: string
  most: string
  visibility: 'private' | 'public'
  zone: string
}

const blank: Form = {
  kind: 'rotating',
  name: '',
  description: '',
  currency: '',
  contribution: '',
  frequency: 'weekly',
  goal: '',
  least: '',
  fine: '',
  most: '',
  visibility: 'private',
  zone: '',
}

const fields = [
  'name',
  'description',
  'contribution_amount',
  'goal_amount',
  'late_fine',
  'max_members',
  'time_zone',
]

export const NewGroup = () => {
  const t = useWords(groupWords)
  const c = useWords(common)
  const [, go] = useLocation()
  const [form, setForm] = useState(blank)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const wallets = useWallets()
  const usual = wallets.data?.find((one) => one.is_default)?.currency ?? 'UGX'
  const currency = form.currency === '' ? usual : form.currency
  const act = useAct({
    name: 'group-new',
    run: (body: CreateGroupBody, call) => client.groups.create(body, call),
    onDone: ({ id }) => {
      say(t.created)
      go(`/groups/${id}/members`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { body, errors } = bodyOf({ ...form, currency }, c.notAmount(currency))
    setWrong(errors)
    if (Object.keys(errors).length === 0) void act.submit(body)
  }
  const errorOf = (field: string) =>
    wrong[field] ?? (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  const set = (change: Partial<Form>) => {
    setWrong({})
    setForm({ ...form, ...change })
  }
  return (
    <Page title={t.createTitle} back="/groups">
      <p className="text-soft">{t.createText}</p>
      <form className="form" onSubmit={submit}>
        <ActNotice act={act} fields={fields} />
        <ChoiceCards
          label={t.chooseKind}
          value={form.kind}
          onChange={(kind) => set({ kind })}
          options={[
            {
              value: 'rotating',
              title: t.rotating,
              text: t.rotatingText,
              icon: <RefreshCcw aria-hidden="true" />,
            },
            { value: 'goal', title: t.goal, text: t.goalText, icon: <Target aria-hidden="true" /> },
          ]}
        />
        <TextField
          label={t.name}
          hint={t.nameHint}
          error={errorOf('name')}
          value={form.name}
          onChange={(name) => set({ name })}
          maxLength={80}
          required
        />
        <Money form={{ ...form, currency }} set={set} errorOf={errorOf} />
        <Joining form={form} set={set} />
        <More form={{ ...form, currency }} set={set} errorOf={errorOf} />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.create}
        </Button>
      </form>
    </Page>
  )
}

interface PartProps {
  form: Form & { currency: Currency }
  set: (change: Partial<Form>) => void
  errorOf: (field: string) => string | undefined
}

const Money = ({ form, set, errorOf }: PartProps) => {
  const t = useWords(groupWords)
  const { currency, kind } = form
  const onCurrency = (chosen: Currency) => set({ currency: chosen })
  if (kind === 'goal')
    return (
      <AmountField
        label={t.goalAmount}
        error={errorOf('goal_amount')}
        value={form.goal}
        onChange={(goal) => set({ goal })}
        currency={currency}
        onCurrency={onCurrency}
      />
    )
  return (
    <>
      <AmountField
        label={t.eachPays}
        hint={t.eachPaysHint}
        error={errorOf('contribution_amount')}
        value={form.contribution}
        onChange={(contribution) => set({ contribution })}
        currency={currency}
        onCurrency={onCurrency}
      />
      <ChoiceCards
        label={t.rhythm}
        value={form.frequency}
        onChange={(frequency) => set({ frequency })}
        options={[
          { value: 'weekly', title: t.weekly, text: t.weeklyText },
          { value: 'monthly', title: t.monthly, text: t.monthlyText },
        ]}
      />
    </>
  )
}

const Joining = ({ form, set }: Pick<PartProps, 'set'> & { form: Form }) => {
  const t = useWords(groupWords)
  return (
    <ChoiceCards
      label={t.who}
      value={form.visibility}
      onChange={(visibility) => set({ visibility })}
      options={[
        { value: 'private', title: t.private, text: t.privateText },
        { value: 'public', title: t.public, text: t.publicText },
      ]}
    />
  )
}

const More = ({ form, set, errorOf }: PartProps) => {
  const t = useWords(groupWords)
  const details = useRef<HTMLDetailsElement>(null)
  const inside = ['description', form.kind === 'rotating' ? 'late_fine' : 'contribution_amount']
  const isWrong = [...inside, 'max_members', 'time_zone'].some(errorOf)
  // Not by its attribute: that would close it again under who is mending what is wrong.
  useEffect(() => {
    if (isWrong && details.current) details.current.open = true
  })
  return (
    <details ref={details} className="together-more">
      <summary>{t.more}</summary>
      <div className="form">
        <LongTextField
          label={t.description}
          error={errorOf('description')}
          value={form.description}
          onChange={(description) => set({ description })}
          maxLength={1_000}
          optional
        />
        {form.kind === 'rotating' ? (
          <AmountField
            label={t.fine}
            hint={t.fineHint}
            error={errorOf('late_fine')}
            value={form.fine}
            onChange={(fine) => set({ fine })}
            currency={form.currency}
            optional
          />
        ) : (
          <AmountField
            label={t.least}
            error={errorOf('contribution_amount')}
            value={form.least}
            onChange={(least) => set({ least })}
            currency={form.currency}
            optional
          />
        )}
        <TextField
          label={t.most}
          hint={t.mostHint}
          error={errorOf('max_members')}
          value={form.most}
          onChange={(most) => set({ most: most.replaceAll(/\D/g, '') })}
          inputMode="numeric"
          maxLength={3}
          placeholder="30"
          optional
        />
        <ChoiceField
          label={t.zone}
          hint={t.zoneHint}
          error={errorOf('time_zone')}
          value={form.zone}
          onChange={(zone) => set({ zone })}
          options={[
            { value: '', text: t.zoneUsual },
            ...zones().map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') })),
          ]}
        />
      </div>
    </details>
  )
}

/** Those of Africa, and the one where this browser is. */
function zones(): string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const african = Intl.supportedValuesOf('timeZone').filter((zone) => zone.startsWith('Africa/'))
  return african.includes(here) ? african : [here, ...african]
}

/** What was left empty is not sent; what is no amount is said before anything is asked. */
function bodyOf(
  form: Form & { currency: Currency },
  notAmount: string,
): { body: CreateGroupBody; errors: Record<string, string> } {
  const { kind, currency, name, visibility } = form
  const errors: Record<string, string> = {}
  const money = (field: string, typed: string, needed: boolean) => {
    if (typed.trim() === '' && !needed) return {}
    const amount = readAmount(typed, currency)
    if (amount === undefined) errors[field] = notAmount
    return { [field]: amount }
  }
  const isRotating = kind === 'rotating'
  const body = {
    ...{ kind, currency, name, visibility },
    ...(form.description.trim() === '' ? {} : { description: form.description }),
    ...money('contribution_amount', isRotating ? form.contribution : form.least, isRotating),
    ...(isRotating
      ? { frequency: form.frequency, ...money('late_fine', form.fine, false) }
      : money('goal_amount', form.goal, true)),
    ...(form.most === '' ? {} : { max_members: Number(form.most) }),
    ...(form.zone === '' ? {} : { time_zone: form.zone }),
  }
  return { body, errors }
}
