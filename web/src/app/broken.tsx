// Where it ends when something can't be drawn: the file of a page that can't be had, without a connection or after a new
// version came, and what nobody thought of. Without this the whole page would be white.
import { Component, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Button } from './kit/button.tsx'
import { useWords } from './kit/language.ts'
import { useOnline } from './kit/online.ts'
import { Page } from './kit/page.tsx'
import { forgetFailures } from './kit/pages.ts'
import { common } from './kit/words.ts'
import { useSession } from './session.ts'
import { StillSignedIn } from './still-signed-in.tsx'
import { frame } from './words.ts'

interface Props {
  /** Instead of what is broken. */
  fallback: ReactNode
  children: ReactNode
}

/** Another page may be whole: the next path is tried, and the same one when the connection is back. */
export const Guarded = ({ fallback, children }: Props) => {
  const [path] = useLocation()
  return (
    <Boundary path={path} isOnline={useOnline()} fallback={fallback}>
      {children}
    </Boundary>
  )
}

export const Broken = () => {
  const t = useWords(frame)
  const c = useWords(common)
  const session = useSession()
  return (
    <Page title={t.broken}>
      {session.state === 'out' && session.why === 'leaving' && <StillSignedIn />}
      <p className="text-soft" role="alert">
        {t.brokenText}
      </p>
      <Button look="main" className="mt-6" onClick={() => window.location.reload()}>
        {c.tryAgain}
      </Button>
    </Page>
  )
}

interface Place {
  path: string
  isOnline: boolean
}

interface State extends Place {
  isBroken: boolean
}

/** React tells only classes what went wrong inside of them. */
class Boundary extends Component<Props & Place, State> {
  override state: State = { path: this.props.path, isOnline: this.props.isOnline, isBroken: false }

  static getDerivedStateFromError(): Partial<State> {
    return { isBroken: true }
  }

  static getDerivedStateFromProps({ path, isOnline }: Place, state: State): State {
    const isElsewhere = path !== state.path || (isOnline && !state.isOnline)
    return { path, isOnline, isBroken: state.isBroken && !isElsewhere }
  }

  override componentDidCatch(): void {
    forgetFailures()
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
