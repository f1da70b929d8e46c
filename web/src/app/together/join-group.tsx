import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import { groupWords } from './group-words.ts'
import './together.css'

export const JoinGroup = () => {
  const t = useWords(groupWords)
  const [, go] = useLocation()
  const [code, setCode] = useState('')
  const act = useAct({
    name: 'group-join',
    run: async (order: { invite_code: string }) =>
      (await client.request('POST /api/groups/join', { body: order })).data,
    onDone: ({ id, name }) => {
      say(t.joined(name))
      go(`/groups/${id}`, { replace: true })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ invite_code: code })
  }
  return (
    <Page title={t.joinTitle} back="/groups">
      <p className="text-soft">{t.joinText}</p>
      <form className="form" onSubmit={submit}>
        <ActNotice act={act} fields={['invite_code']} />
        <TextField
          label={t.code}
          hint={t.codeHint}
          error={act.state === 'refused' ? fieldError(act.error, 'invite_code') : undefined}
          value={code}
          onChange={setCode}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          required
        />
        <Notice>{t.invitedText}</Notice>
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.joinNow}
        </Button>
      </form>
    </Page>
  )
}
