import type { ChangeGroupBody } from '@mfuko/sdk/browser'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { readAmount } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { fieldError } from '../kit/errors.ts'
import { Facts } from '../kit/facts.tsx'
import { AmountField, ChoiceField, LongTextField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'
import { client, useUser } from '../session.ts'
import { type Group, sameAs, useGroup, useId } from './data.ts'
import { groupWords } from './group-words.ts'
import { insideWords } from './inside-words.ts'
import { ChoiceCards } from './parts.tsx'
import './together.css'

export const GroupSettings = () => {
  const t = useWords(insideWords)
  const id = useId()
  return (
    <Page title={t.settings} back={`/groups/${id}`}>
      <Loaded query={useGroup(id)} skeleton={<RowBones rows={5} />}>
        {(group) => (
          <div className="together-stack">
            <About group={group} />
            {group.role === 'chair' ? <Change group={group} /> : <Notice>{t.onlyChair}</Notice>}
            {group.cycle !== null && <Seat group={group} />}
            {group.cycle !== null && group.role === 'chair' && <Dissolve group={group} />}
            <Leave group={group} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const About = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const g = useWords(groupWords)
  return (
    <section aria-label={t.about}>
      <Facts
        rows={[
          [t.kind, group.kind === 'rotating' ? g.rotating : g.goal],
          [t.visibility, group.visibility === 'private' ? g.private : g.public],
          [t.zone, group.time_zone.replaceAll('_', ' ')],
          [t.created, <Time key="created" value={group.created_at} form="day" />],
        ]}
      />
    </section>
  )
}

const fields = ['name', 'description', 'max_members', 'late_fine']

interface Form {
  name: string
  description: string
  visibility: Group['visibility']
  most: string
  fine: string
}

const Change = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const c = useWords(common)
  const { currency } = group
  const [form, setForm] = useState<Form>({
    name: group.name,
    description: group.description ?? '',
    visibility: group.visibility,
    most: String(group.max_members),
    fine: String(group.late_fine ?? 0),
  })
  const [wrong, setWrong] = useState(false)
  const act = useAct({
    name: `group-${group.id}-change`,
    run: (order: ChangeGroupBody) =>
      client.request('PATCH /api/groups/:id', { params: { id: group.id }, body: order }),
    onDone: () => say(t.changed),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const fine = /^0*$/.test(form.fine.trim()) ? '0' : readAmount(form.fine, currency)
    const isWrong = group.kind === 'rotating' && fine === undefined
    setWrong(isWrong)
    if (isWrong) return
    const { name, description, visibility } = form
    void act.submit({
      ...{ name, description, visibility, max_members: Number(form.most) },
      ...(group.kind === 'rotating' && fine !== undefined ? { late_fine: fine } : {}),
    })
  }
  const errorOf = (field: string) =>
    wrong && field === 'late_fine'
      ? c.notAmount(currency)
      : act.state === 'refused'
        ? fieldError(act.error, field)
        : undefined
  const set = (change: Partial<Form>) => {
    setWrong(false)
    setForm({ ...form, ...change })
  }
  return (
    <section aria-labelledby="change">
      <h2 id="change" className="section-title">
        {t.change}
      </h2>
      <form className="form" onSubmit={submit}>
        <ActNotice act={act} fields={fields} />
        <ChangeFields {...{ group, form, set, errorOf }} />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {c.save}
        </Button>
      </form>
    </section>
  )
}

interface FieldsProps {
  group: Group
  form: Form
  set: (change: Partial<Form>) => void
  errorOf: (field: string) => string | undefined
}

const ChangeFields = ({ group, form, set, errorOf }: FieldsProps) => {
  const t = useWords(insideWords)
  const g = useWords(groupWords)
  return (
    <>
      <TextField
        label={g.name}
        error={errorOf('name')}
        value={form.name}
        onChange={(name) => set({ name })}
        maxLength={80}
        required
      />
      <LongTextField
        label={g.description}
        error={errorOf('description')}
        value={form.description}
        onChange={(description) => set({ description })}
        maxLength={1_000}
        optional
      />
      <ChoiceCards
        label={g.who}
        value={form.visibility}
        onChange={(visibility) => set({ visibility })}
        options={[
          { value: 'private', title: g.private, text: g.privateText },
          { value: 'public', title: g.public, text: g.publicText },
        ]}
      />
      <TextField
        label={g.most}
        error={errorOf('max_members')}
        value={form.most}
        onChange={(most) => set({ most: most.replaceAll(/\D/g, '') })}
        inputMode="numeric"
        maxLength={3}
        required
      />
      {group.kind === 'rotating' && (
        <AmountField
          label={g.fine}
          hint={t.fineNextRound}
          error={errorOf('late_fine')}
          value={form.fine}
          onChange={(fine) => set({ fine })}
          currency={group.currency}
        />
      )}
    </>
  )
}

/** A heading, what it means, and a button that asks once more. */
const Danger = (props: {
  title: string
  text: ReactNode
  confirm: ReactNode
  busy: boolean
  open: boolean
  setOpen: (open: boolean) => void
  onConfirm: () => void
}) => (
  <section>
    <h2 className="section-title">{props.title}</h2>
    <p className="text-soft mb-3">{props.text}</p>
    <Button look="danger" className="w-full" onClick={() => props.setOpen(true)}>
      {props.title}
    </Button>
    <Confirm
      title={props.title}
      open={props.open}
      onClose={() => props.setOpen(false)}
      act={props.title}
      danger
      busy={props.busy}
      onConfirm={props.onConfirm}
    >
      {props.confirm}
    </Confirm>
  </section>
)

const Leave = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const [, go] = useLocation()
  const [open, setOpen] = useState(false)
  const act = useAct({
    name: `group-${group.id}-leave`,
    run: (_order: object, call) => client.groups.leave(group.id, call),
    onDone: () => {
      say(t.left(group.name))
      go('/groups', { replace: true })
    },
  })
  return (
    <Danger
      {...{ open, setOpen }}
      title={t.leave}
      text={group.cycle === null ? t.leaveText : t.leaveRoundText}
      confirm={
        <>
          <ActNotice act={act} />
          {t.leaveText}
        </>
      }
      busy={act.state === 'busy'}
      onConfirm={() => void act.submit({})}
    />
  )
}

const Dissolve = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const [, go] = useLocation()
  const [open, setOpen] = useState(false)
  const act = useAct({
    name: `group-${group.id}-dissolve`,
    run: (_round: object, call) =>
      client.request('POST /api/groups/:id/dissolve', { ...call, params: { id: group.id } }),
    onDone: () => {
      say(t.dissolved)
      go(`/groups/${group.id}`)
    },
  })
  return (
    <Danger
      {...{ open, setOpen }}
      title={t.dissolve}
      text={t.dissolveText}
      confirm={
        <>
          <ActNotice act={act} />
          {t.dissolveText}
        </>
      }
      busy={act.state === 'busy'}
      onConfirm={() => void act.submit({ round: group.round?.number })}
    />
  )
}

const Seat = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const user = useUser()
  const seats = group.round?.seats ?? []
  const own = seats.find(({ member, status }) => sameAs(user)(member) && status !== 'left')
  const takers = (group.members ?? []).filter((member) => !seats.some((seat) => sameAs(member)(seat.member)))
  const [to, setTo] = useState('')
  const chosen = takers.find(({ handle }) => handle === to) ?? takers[0]
  const act = useAct({
    name: `group-${group.id}-offer`,
    run: (order: { to: string }) =>
      client.request('POST /api/groups/:id/seat/offer', { params: { id: group.id }, body: order }),
    onDone: () => say(t.offered(chosen?.name ?? '')),
  })
  if (own === undefined) return null
  return (
    <section aria-labelledby="seat">
      <h2 id="seat" className="section-title">
        {t.offerSeat}
      </h2>
      <p className="text-soft">{t.offerSeatText}</p>
      {own.offered_to !== null && <Notice>{t.offeredNow(own.offered_to.name)}</Notice>}
      <ActNotice act={act} fields={['to']} />
      {chosen === undefined ? (
        <p className="mt-2">{t.nobodyWithout}</p>
      ) : (
        <div className="form">
          <ChoiceField
            label={t.offerTo}
            error={act.state === 'refused' ? fieldError(act.error, 'to') : undefined}
            value={chosen.handle}
            onChange={setTo}
            options={takers.map(({ handle, name }) => ({ value: handle, text: `${name} @${handle}` }))}
          />
          <Button busy={act.state === 'busy'} onClick={() => void act.submit({ to: chosen.handle })}>
            {t.offerSeat}
          </Button>
        </div>
      )}
    </section>
  )
}
