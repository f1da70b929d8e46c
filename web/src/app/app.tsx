// Which page is shown. Each is loaded when it is first needed.
import { Suspense } from 'react'
import { Redirect, Route, Router, Switch, useLocation, useSearchParams } from 'wouter'
import { Broken, Guarded } from './broken.tsx'
import { businessPages } from './business/pages.ts'
import { Waiting } from './kit/loaded.tsx'
import { lazyPage, type Pages } from './kit/pages.ts'
import { Toasts } from './kit/toast.tsx'
import { operatorPages } from './operator/pages.ts'
import { outsidePages } from './outside/pages.ts'
import { peoplePages } from './people/pages.ts'
import { type Out, useSession } from './session.ts'
import { Shell } from './shell.tsx'
import { togetherPages } from './together/pages.ts'
import { Unreachable } from './unreachable.tsx'

const NotFound = lazyPage(async () => (await import('./not-found.tsx')).NotFound)

export const App = () => (
  <Router base="/app">
    <Guarded
      fallback={
        <main>
          <Broken />
        </main>
      }
    >
      <Suspense fallback={<Blank />}>
        <Inside />
      </Suspense>
    </Guarded>
    <Toasts />
  </Router>
)

const Inside = () => {
  const session = useSession()
  const [path] = useLocation()
  const isOutside = Object.keys(outsidePages).includes(path)
  switch (session.state) {
    case 'starting':
      return <Blank />
    case 'unreachable':
      return <Unreachable error={session.error} />
    case 'out':
      return isOutside ? <Outside /> : <Redirect to={entranceFor(session.why, path)} replace />
    case 'in':
      return isOutside ? <Onward /> : <SignedIn isOperator={session.user.roles.includes('operator')} />
    default:
      return session satisfies never
  }
}

/** Who left has been where they wanted to go, and the next person is not led to it. */
const entranceFor = (why: Out, path: string): string =>
  why === 'left' || why === 'leaving'
    ? '/signin'
    : `/signin?to=${encodeURIComponent(path + window.location.search)}`

/** Back to where the person wanted to go. Only paths of the app: another site can't be led to from here. */
const Onward = () => {
  const [search] = useSearchParams()
  const to = search.get('to') ?? '/'
  return <Redirect to={/^\/(?!\/)/.test(to) ? to : '/'} replace />
}

const Outside = () => <Switch>{routesOf(outsidePages)}</Switch>

const SignedIn = ({ isOperator }: { isOperator: boolean }) => (
  <Shell>
    <Guarded fallback={<Broken />}>
      <Suspense fallback={<Blank />}>
        <Switch>
          {routesOf(peoplePages)}
          {routesOf(togetherPages)}
          {routesOf(businessPages)}
          {isOperator && routesOf(operatorPages)}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Guarded>
  </Shell>
)

const routesOf = (pages: Pages) =>
  Object.entries(pages).map(([path, Page]) => (
    <Route key={path} path={path}>
      <Page />
    </Route>
  ))

const Blank = () => (
  <Waiting>
    <div className="app-page app-page-narrow">
      <span className="bone mt-4 h-8 w-48" />
      <span className="bone mt-8 h-40 w-full" />
      <span className="bone mt-4 h-40 w-full" />
    </div>
  </Waiting>
)
