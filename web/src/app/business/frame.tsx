// Around every page of a business: its parts, the mode that is looked at, and keys that must not be missed.
import { type ReactNode, useEffect } from 'react'
import { Link, Redirect, useLocation, useSearchParams } from 'wouter'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { common } from '../kit/words.ts'
import { type Business, type Mode, useBusiness, useMode } from './data.ts'
import { FreshKeys } from './fresh-notice.tsx'
import { business as words } from './words.ts'
import './business.css'

interface Props {
  title: string
  /** Where it leads back to; such a page is below a part and shows no parts. */
  back?: string
  width?: 'narrow' | 'wide'
  /** Of what the page shows, when the page itself decides: a payment has one mode. */
  mode?: Mode | undefined
  side?: ReactNode
  children: (business: Business, mode: Mode) => ReactNode
}

/** For pages that need a business; who has none is led to where one is registered. */
export const BusinessPage = ({ title, back, width = 'wide', mode, side, children }: Props) => {
  const query = useBusiness()
  return (
    <Page title={title} width={width} side={side} {...(back === undefined ? {} : { back })}>
      <Loaded query={query} skeleton={<FrameBones />}>
        {(business) =>
          business === null ? (
            <Redirect to="/business" replace />
          ) : (
            <Inside business={business} mode={mode} isPart={back === undefined}>
              {children}
            </Inside>
          )
        }
      </Loaded>
    </Page>
  )
}

interface InsideProps {
  business: Business
  mode: Mode | undefined
  isPart: boolean
  children: Props['children']
}

const Inside = ({ business, mode: own, isPart, children }: InsideProps) => {
  const chosen = useMode(business)
  const mode = own ?? chosen
  return (
    <>
      {isPart && <Parts business={business} mode={mode} />}
      {mode === 'test' && <TestBand />}
      <FreshKeys merchantId={business.merchant_id} />
      {children(business, mode)}
    </>
  )
}

export const TestBand = () => {
  const t = useWords(common)
  return <p className="test-band business-band">{t.test}</p>
}

const Parts = ({ business, mode }: { business: Business; mode: Mode }) => {
  const t = useWords(words)
  const [path] = useLocation()
  const places = [
    ['/business', t.overview],
    ['/business/payments', t.payments],
    ['/business/notifications', t.notifications],
    ['/business/earnings', t.earnings],
    ['/business/keys', t.keys],
    ['/business/integrate', t.integrate],
    ['/business/settings', t.settings],
  ] as const
  // The strip may be longer than a phone is wide: where one is, is in sight.
  useEffect(() => {
    const here = document.querySelector('.business-parts [aria-current]')
    here?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  return (
    <div className="business-head">
      <nav aria-label={t.parts} className="business-parts">
        {places.map(([href, text]) => (
          <Link
            key={href}
            href={at(href, mode)}
            className="business-part"
            aria-current={path === href ? 'page' : undefined}
          >
            {text}
          </Link>
        ))}
      </nav>
      {(business.status === 'approved' || business.status === 'suspended') && <ModeSwitch mode={mode} />}
    </div>
  )
}

/** The other filters of the address stay. */
const ModeSwitch = ({ mode }: { mode: Mode }) => {
  const t = useWords(words)
  const [path] = useLocation()
  const [search] = useSearchParams()
  const to = (other: Mode) => {
    const next = new URLSearchParams(search)
    next.set('mode', other)
    return `${path}?${next}`
  }
  return (
    <nav className="business-modes" aria-label={t.mode}>
      {(['live', 'test'] as const).map((one) => (
        <Link
          key={one}
          href={to(one)}
          className="business-mode"
          aria-current={mode === one ? 'true' : undefined}
        >
          {one === 'live' ? t.live : t.test}
        </Link>
      ))}
    </nav>
  )
}

/** A page of the business in that mode. */
export const at = (path: string, mode: Mode): string => `${path}?mode=${mode}`

const FrameBones = () => (
  <>
    <span className="bone h-12 w-full" />
    <div className="mt-6">
      <RowBones />
    </div>
  </>
)
