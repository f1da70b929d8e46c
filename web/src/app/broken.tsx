// Where it ends when something can't be drawn: the file of a page that can't be had, without a connection or after a new
// version came, and what nobody thought of. Without this the whole page would be white.
import { Component, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Button } from './kit/button.tsx'
import { useWords } from './kit/language.ts'
import { Page } from './kit/page.tsx'
import { common } from './kit/words.ts'
import { frame } from './words.ts'

interface Props {
  /** Instead of what is broken. */
  fallback: ReactNode
  children: ReactNode
}

/** Another page may be whole: the next path is tried. */
export const Guarded = ({ fallback, children }: Props) => {
  const [path] = useLocation()
  return (
    <Boundary path={path} fallback={fallback}>
      {children}
    </Boundary>
  )
}

export const Broken = () => {
  const t = useWords(frame)
  const c = useWords(common)
  return (
    <Page title={t.broken}>
      <p className="text-soft" role="alert">
        {t.brokenText}
      </p>
      <Button look="main" className="mt-6" onClick={() => window.location.reload()}>
        {c.tryAgain}
      </Button>
    </Page>
  )
}

interface BoundaryProps extends Props {
  path: string
}

interface State {
  path: string
  isBroken: boolean
}

/** React tells only classes what went wrong inside of them. */
class Boundary extends Component<BoundaryProps, State> {
  override state: State = { path: this.props.path, isBroken: false }

  static getDerivedStateFromError(): Partial<State> {
    return { isBroken: true }
  }

  static getDerivedStateFromProps({ path }: BoundaryProps, state: State): State | null {
    return path === state.path ? null : { path, isBroken: false }
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
