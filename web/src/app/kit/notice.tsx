import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Act } from './act.ts'
import { Button } from './button.tsx'
import { useErrorText } from './errors.ts'
import { useLanguage, useWords } from './language.ts'
import { writeTime } from './time.tsx'
import { common } from './words.ts'

type Kind = 'info' | 'good' | 'warning' | 'problem'

const icons = { info: Info, good: CircleCheck, warning: TriangleAlert, problem: CircleAlert }

interface Props {
  kind?: Kind
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
}

/** Something to know before going on. Problems are read aloud when they appear. */
export const Notice = ({ kind = 'info', title, children, action }: Props) => {
  const Icon = icons[kind]
  return (
    <div className={`notice notice-${kind}`} role={kind === 'problem' ? 'alert' : undefined}>
      <Icon className="notice-icon" aria-hidden="true" />
      <div className="notice-body">
        {title !== undefined && <p className="notice-title">{title}</p>}
        {children !== undefined && <div>{children}</div>}
        {action !== undefined && <div className="notice-action">{action}</div>}
      </div>
    </div>
  )
}

/** What became of an order that did not get through. Fields say their part themselves: name them in `fields`. */
export const ActNotice = <Order,>({ act, fields = [] }: { act: Act<Order>; fields?: readonly string[] }) => {
  const t = useWords(common)
  const text = useErrorText()
  if (act.state === 'unsure')
    return (
      <Notice
        kind="warning"
        title={t.unsureTitle}
        action={<Button onClick={() => void act.again()}>{t.tryAgain}</Button>}
      >
        {act.isOnce ? t.unsure : t.unsureUnkeyed}
      </Notice>
    )
  if (act.state === 'repeated') return <RepeatedNotice act={act} />
  if (act.state !== 'refused') return null
  const errors = (act.error as { errors?: Record<string, string> }).errors ?? {}
  const unsaid = Object.entries(errors).filter(([field]) => !fields.includes(field))
  const isSaid = Object.keys(errors).length > 0 && unsaid.length === 0
  if (isSaid) return null
  return (
    <Notice kind="problem" title={text(act.error)}>
      {unsaid.length > 0 ? unsaid.map(([field, words]) => <p key={field}>{words}</p>) : undefined}
    </Notice>
  )
}

/** Without this the receipt of the first order would be taken for one of a second. */
const RepeatedNotice = <Order,>({ act }: { act: Act<Order> }) => {
  const t = useWords(common)
  const language = useLanguage()
  return (
    <div role="alert">
      <Notice
        kind="warning"
        title={t.repeatedTitle}
        action={
          <div className="flex flex-wrap gap-3">
            <Button onClick={act.accept}>{t.repeatedShow}</Button>
            <Button onClick={() => void act.once()}>{t.repeatedOnce}</Button>
          </div>
        }
      >
        {t.repeated(act.before === undefined ? '' : writeTime(act.before, 'moment', language))}
      </Notice>
    </div>
  )
}
