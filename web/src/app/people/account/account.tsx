import '../people.css'
import {
  ChevronRight,
  Gauge,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  Palette,
  UserRound,
  Wallet,
} from 'lucide-react'
import { Link } from 'wouter'
import { CopyButton } from '../../kit/copy.tsx'
import { useWords } from '../../kit/language.ts'
import { Page } from '../../kit/page.tsx'
import { useUser } from '../../session.ts'
import { account } from './words.ts'

export const Account = () => {
  const t = useWords(account)
  const { name, handle } = useUser()
  const places: { href: string; icon: LucideIcon; title: string; text: string }[] = [
    { href: 'profile', icon: UserRound, title: t.profile, text: t.profileText },
    { href: 'security', icon: KeyRound, title: t.security, text: t.securityText },
    { href: 'sessions', icon: MonitorSmartphone, title: t.sessions, text: t.sessionsText },
    { href: 'wallets', icon: Wallet, title: t.wallets, text: t.walletsText },
    { href: 'look', icon: Palette, title: t.look, text: t.lookText },
    { href: 'limits', icon: Gauge, title: t.limits, text: t.limitsText },
  ]
  return (
    <Page title={t.title}>
      <div className="people-slip mb-6">
        <p className="people-account-name">{name}</p>
        <div className="people-account-handle">
          <span>@{handle}</span>
          <CopyButton text={handle} what={t.copyHandle} />
        </div>
      </div>
      <ul className="rows">
        {places.map(({ href, icon: Icon, title, text }) => (
          <li key={href}>
            <Link href={`/account/${href}`} className="row row-link">
              <span className="row-icon">
                <Icon aria-hidden="true" />
              </span>
              <span className="row-main">
                <span className="row-title">{title}</span>
                <span className="row-sub">{text}</span>
              </span>
              <ChevronRight aria-hidden="true" className="people-chevron" />
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
