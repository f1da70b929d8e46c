import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { Confirm, Dialog } from '../kit/dialog.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { say } from '../kit/toast.tsx'
import { client, useUser } from '../session.ts'
import { type Group, type Member, useGroup, useId } from './data.ts'
import { insideWords } from './inside-words.ts'
import { Letter } from './parts.tsx'
import { shareText } from './share.ts'
import { together } from './words.ts'
import './together.css'

export const Members = () => {
  const t = useWords(insideWords)
  const id = useId()
  return (
    <Page title={t.members} back={`/groups/${id}`} width="wide">
      <Loaded query={useGroup(id)} skeleton={<RowBones rows={4} />}>
        {(group) => (
          <div className="together-columns">
            <Invitation group={group} />
            <div className="together-stack">
              <ul className="rows">
                {(group.members ?? []).map((member) => (
                  <li key={member.handle}>
                    <MemberRow group={group} member={member} />
                  </li>
                ))}
              </ul>
              <Roles />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const Invitation = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const w = useWords(together)
  const { invite_code: code = '', invite_url: url = '' } = group
  return (
    <section className="together-panel" aria-labelledby="invite">
      <h2 id="invite" className="section-title">
        {t.invite}
      </h2>
      <p className="text-soft">{t.inviteText}</p>
      <div className="together-code">
        <span className="row-sub">{t.code}</span>
        <strong>{code}</strong>
        <CopyButton text={code} what={t.code} />
      </div>
      <Button
        look="main"
        className="w-full"
        onClick={() => void shareText({ title: group.name, text: t.inviteWords(group.name, code), url })}
      >
        <Share2 aria-hidden="true" />
        {w.share}
      </Button>
      <p className="together-link">
        <span>{url}</span>
        <CopyButton text={url} what={t.link} />
      </p>
      {group.role !== 'member' && <NewCode group={group} />}
    </section>
  )
}

const NewCode = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const [open, setOpen] = useState(false)
  const act = useAct({
    name: `group-${group.id}-code`,
    run: () => client.request('POST /api/groups/:id/invite-code', { params: { id: group.id } }),
    onDone: () => {
      setOpen(false)
      say(t.codeRenewed)
    },
  })
  return (
    <>
      <Button look="quiet" className="w-full" onClick={() => setOpen(true)}>
        {t.newCode}
      </Button>
      <Confirm
        title={t.newCode}
        open={open}
        onClose={() => setOpen(false)}
        act={t.newCode}
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit({})}
      >
        <ActNotice act={act} />
        {t.newCodeText}
      </Confirm>
    </>
  )
}

const Roles = () => {
  const t = useWords(insideWords)
  return (
    <section aria-labelledby="roles">
      <h2 id="roles" className="section-title mb-2">
        {t.rolesTitle}
      </h2>
      <ul className="together-list">
        {(['chair', 'treasurer', 'member'] as const).map((role) => (
          <li key={role}>
            <strong>{t.roles[role]}</strong> {t.roleTexts[role]}
          </li>
        ))}
      </ul>
      <p className="mt-2">{t.nobodyAlone}</p>
    </section>
  )
}

const MemberRow = ({ group, member }: { group: Group; member: Member }) => {
  const t = useWords(insideWords)
  const user = useUser()
  const w = useWords(together)
  const isYou = member.handle === user.handle
  const [open, setOpen] = useState(false)
  const mayManage = group.role === 'chair' && !isYou
  return (
    <div className="row">
      <Letter name={member.name} />
      <Link
        href={`/groups/${group.id}/statement?member=${member.handle}`}
        className="row-main row-link together-member"
      >
        <span className="row-title">
          {member.name}
          {isYou && <span className="together-you"> ({w.you})</span>}
        </span>
        <span className="row-sub">
          @{member.handle} · {t.roles[member.role]}
        </span>
      </Link>
      {mayManage && (
        <Button look="quiet" onClick={() => setOpen(true)}>
          {t.manage}
          <span className="sr-only"> {member.name}</span>
        </Button>
      )}
      <Dialog title={t.manageTitle(member.name)} open={open} onClose={() => setOpen(false)}>
        <Manage group={group} member={member} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

interface ManageProps {
  group: Group
  member: Member
  onDone: () => void
}

/** What the chair may do. Handing over and removing ask once more. */
const Manage = ({ group, member, onDone }: ManageProps) => {
  const t = useWords(insideWords)
  const [asked, ask] = useState<'hand-over' | 'remove'>()
  const params = { id: group.id, handle: member.handle }
  const name = `group-${group.id}-${member.handle}`
  const role = useAct({
    name: `${name}-role`,
    run: (order: { role: Member['role'] }) =>
      client.request('PUT /api/groups/:id/members/:handle/role', { params, body: order }),
    onDone: () => {
      say(t.roleChanged)
      onDone()
    },
  })
  const removal = useAct({
    name: `${name}-remove`,
    run: () => client.request('DELETE /api/groups/:id/members/:handle', { params }),
    onDone: () => {
      say(t.removed(member.name))
      onDone()
    },
  })
  const isTreasurer = member.role === 'treasurer'
  if (asked === 'hand-over')
    return (
      <Sure
        text={t.handOverText}
        act={t.handOver}
        busy={role.state === 'busy'}
        onSure={() => void role.submit({ role: 'chair' })}
      >
        <ActNotice act={role} />
      </Sure>
    )
  if (asked === 'remove')
    return (
      <Sure
        text={t.removeText}
        act={t.remove}
        busy={removal.state === 'busy'}
        onSure={() => void removal.submit({})}
      >
        <ActNotice act={removal} />
      </Sure>
    )
  return (
    <div className="grid gap-3">
      <ActNotice act={role} />
      <p className="text-soft">{t.makeTreasurerText}</p>
      <Button
        busy={role.state === 'busy'}
        onClick={() => void role.submit({ role: isTreasurer ? 'member' : 'treasurer' })}
      >
        {isTreasurer ? t.makeMember : t.makeTreasurer}
      </Button>
      <Button onClick={() => ask('hand-over')}>{t.handOver}</Button>
      {group.kind === 'rotating' && group.cycle === null && (
        <Button look="danger" onClick={() => ask('remove')}>
          {t.remove}
        </Button>
      )}
      <ButtonLink href={`/groups/${group.id}/statement?member=${member.handle}`} look="quiet">
        {t.theirStatement}
      </ButtonLink>
    </div>
  )
}

interface SureProps {
  text: string
  act: string
  busy: boolean
  onSure: () => void
  children: React.ReactNode
}

const Sure = ({ text, act, busy, onSure, children }: SureProps) => (
  <div className="grid gap-4">
    {children}
    <p className="text-soft">{text}</p>
    <Button look="danger" busy={busy} onClick={onSure}>
      {act}
    </Button>
  </div>
)
