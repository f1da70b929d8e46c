// The frame of who is signed in: on a phone a bar at the bottom, within the thumb's reach; on a wide screen a column at
// the side.
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BookOpen,
  HandCoins,
  HeartHandshake,
  House,
  LogOut,
  type LucideIcon,
  Menu,
  ReceiptText,
  Send,
  ShieldCheck,
  Store,
  UserRound,
  Users,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Dialog } from './kit/dialog.tsx'
import { useWords } from './kit/language.ts'
import { Logo } from './kit/logo.tsx'
import { useOnline } from './kit/online.ts'
import { common } from './kit/words.ts'
import { signOut, useUser } from './session.ts'
import { frame } from './words.ts'

interface Place {
  href: string
  text: string
  icon: LucideIcon
}

export const Shell = ({ children }: { children: ReactNode }) => {
  const t = useWords(frame)
  const places = usePlaces()
  const isOnline = useOnline()
  const c = useWords(common)
  useEntrance()
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t.skip}
      </a>
      <Side places={places} />
      <div className="shell-main">
        {!isOnline && (
          <p className="offline" role="status">
            {c.offline}
          </p>
        )}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Bar places={places} />
    </div>
  )
}

const entranceMs = 3_000

/** After everything that matters now: who signs out without a connection finds the way in here already. */
function useEntrance(): void {
  useEffect(() => {
    const load = () => {
      if (navigator.onLine) void import('./outside/sign-in.tsx').catch(() => undefined)
    }
    const timer = setTimeout(load, entranceMs)
    return () => clearTimeout(timer)
  }, [])
}

function usePlaces(): Place[] {
  const t = useWords(frame)
  const { roles } = useUser()
  return [
    { href: '/', text: t.home, icon: House },
    { href: '/history', text: t.history, icon: ReceiptText },
    { href: '/send', text: t.send, icon: Send },
    { href: '/groups', text: t.groups, icon: Users },
    { href: '/deposit', text: t.deposit, icon: ArrowDownToLine },
    { href: '/withdraw', text: t.withdraw, icon: ArrowUpFromLine },
    { href: '/requests', text: t.requests, icon: HandCoins },
    { href: '/campaigns', text: t.campaigns, icon: HeartHandshake },
    { href: '/business', text: t.business, icon: Store },
    ...(roles.includes('operator') ? [{ href: '/operator', text: t.operator, icon: ShieldCheck }] : []),
    { href: '/account', text: t.account, icon: UserRound },
  ]
}

const useIsHere = () => {
  const [path] = useLocation()
  return (href: string) => (href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`))
}

const Side = ({ places }: { places: Place[] }) => {
  const t = useWords(frame)
  const isHere = useIsHere()
  return (
    <header className="side">
      <Link href="/" className="brand-link">
        <Logo />
        Mfuko
      </Link>
      <nav aria-label={t.main} className="side-nav">
        {places.map(({ href, text, icon: Icon }) => (
          <Link key={href} href={href} className="side-link" aria-current={isHere(href) ? 'page' : undefined}>
            <Icon aria-hidden="true" />
            {text}
          </Link>
        ))}
      </nav>
      <Leaving />
    </header>
  )
}

/** What does not fit into the bar is behind its last place. */
const barPlaces = 4

const Bar = ({ places }: { places: Place[] }) => {
  const t = useWords(frame)
  const isHere = useIsHere()
  const [open, setOpen] = useState(false)
  const [shown, behind] = [places.slice(0, barPlaces), places.slice(barPlaces)]
  return (
    <>
      <nav aria-label={t.main} className="bar">
        {shown.map(({ href, text, icon: Icon }) => (
          <Link key={href} href={href} className="bar-link" aria-current={isHere(href) ? 'page' : undefined}>
            <Icon aria-hidden="true" />
            {text}
          </Link>
        ))}
        <button
          type="button"
          className="bar-link"
          aria-haspopup="dialog"
          data-here={behind.some(({ href }) => isHere(href)) || undefined}
          onClick={() => setOpen(true)}
        >
          <Menu aria-hidden="true" />
          {t.more}
        </button>
      </nav>
      <Dialog title={t.more} open={open} onClose={() => setOpen(false)}>
        <nav aria-label={t.more} className="more">
          {behind.map(({ href, text, icon: Icon }) => (
            <Link
              key={href}
              href={href}
              className="side-link"
              aria-current={isHere(href) ? 'page' : undefined}
              onClick={() => setOpen(false)}
            >
              <Icon aria-hidden="true" />
              {text}
            </Link>
          ))}
          <Leaving />
        </nav>
      </Dialog>
    </>
  )
}

const Leaving = () => {
  const t = useWords(frame)
  const { name, handle } = useUser()
  const [isBusy, setBusy] = useState(false)
  const leave = () => {
    if (isBusy) return
    setBusy(true)
    void signOut()
  }
  return (
    <div className="leaving">
      <a className="side-link" href="/docs">
        <BookOpen aria-hidden="true" />
        {t.docs}
      </a>
      <button
        type="button"
        className="side-link w-full"
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || undefined}
        onClick={leave}
      >
        {isBusy ? <span className="spinner mx-0.5" aria-hidden="true" /> : <LogOut aria-hidden="true" />}
        {t.signOut}
      </button>
      <p className="leaving-name">
        {name}
        <span>@{handle}</span>
      </p>
    </div>
  )
}
