import { Check, Clock, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ButtonLink } from '../kit/button.tsx'
import { Status } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, RowBones, usePages } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { client, useUser } from '../session.ts'
import { type Business, type Mode, useBusiness } from './data.ts'
import { at, BusinessPage } from './frame.tsx'
import { PaymentRows } from './payment-rows.tsx'
import { Volume } from './volume.tsx'
import { business as words } from './words.ts'

const recentShown = 5

export const Overview = () => {
  const t = useWords(words)
  const query = useBusiness()
  if (query.data === null) return <Intro />
  return (
    <BusinessPage title={query.data?.business_name ?? t.title} side={<Standing business={query.data} />}>
      {(business, mode) => (
        <>
          <WhatNext business={business} />
          <Volume business={business} mode={mode} />
          <Recent mode={mode} />
        </>
      )}
    </BusinessPage>
  )
}

const Standing = ({ business }: { business: Business | undefined }) => {
  const t = useWords(words)
  return business?.status === 'approved' ? <Status tone="good">{t.approved}</Status> : null
}

/** Who has no business yet. */
const Intro = () => {
  const t = useWords(words)
  return (
    <Page title={t.introTitle}>
      <p className="text-soft">{t.introText}</p>
      <h2 className="section-title mt-8">{t.steps}</h2>
      <ol className="business-steps">
        {[t.step1, t.step2, t.step3, t.step4].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <ButtonLink href="/business/apply" look="main" className="mt-8 w-full">
        {t.apply}
      </ButtonLink>
    </Page>
  )
}

/** What the state of the application is, and what comes after it. */
const WhatNext = ({ business }: { business: Business }) => {
  const t = useWords(words)
  switch (business.status) {
    case 'pending':
      return <UnderReview business={business} />
    case 'rejected':
      return (
        <Notice
          kind="problem"
          title={t.rejectedTitle}
          action={
            <ButtonLink href="/business/apply" look="main">
              {t.applyAgain}
            </ButtonLink>
          }
        >
          <p className="business-reason">{business.rejection_reason}</p>
          <p className="mt-2">{t.rejectedNext}</p>
        </Notice>
      )
    case 'suspended':
      return (
        <Notice kind="problem" title={t.suspendedTitle}>
          <p className="business-reason">{business.suspension_reason}</p>
          <p className="mt-2">{t.suspendedNext}</p>
        </Notice>
      )
    case 'approved':
      return null
    default:
      return business.status satisfies never
  }
}

const UnderReview = ({ business }: { business: Business }) => {
  const t = useWords(words)
  const { email } = useUser()
  return (
    <section className="business-review" aria-labelledby="review">
      <h2 id="review" className="section-title">
        {t.pendingTitle}
      </h2>
      <p className="mt-1">
        {t.pendingBy} <Time value={business.review_due_at} />. {email !== null && t.pendingMail(email)}
      </p>
      <ol className="business-way">
        <WayStep icon={<Check aria-hidden="true" />} isDone title={t.applied}>
          <Time value={business.created_at} form="day" />
        </WayStep>
        <WayStep icon={<Clock aria-hidden="true" />} title={t.review}>
          {t.reviewNow}
        </WayStep>
        <WayStep icon={<KeyRound aria-hidden="true" />} title={t.liveKeys}>
          {t.liveKeysThen}
        </WayStep>
      </ol>
      <p className="text-soft">{t.pendingNext}</p>
    </section>
  )
}

interface WayStepProps {
  icon: ReactNode
  title: string
  isDone?: boolean
  children: ReactNode
}

const WayStep = ({ icon, title, isDone = false, children }: WayStepProps) => (
  <li className="business-way-step" data-done={isDone || undefined}>
    <span className="business-way-icon">{icon}</span>
    <span>
      <span className="font-semibold">{title}</span>
      <span className="block text-soft text-sm">{children}</span>
    </span>
  </li>
)

const Recent = ({ mode }: { mode: Mode }) => {
  const t = useWords(words)
  const query = usePages(['business', 'payments', 'recent', mode], (_cursor, signal) =>
    client.merchant.payments({ mode, limit: recentShown }, { signal }),
  )
  return (
    <section aria-labelledby="recent-payments" className="mt-8">
      <div className="section-head">
        <h2 id="recent-payments" className="section-title">
          {t.recent}
        </h2>
        <Link href={at('/business/payments', mode)} className="link section-link">
          {t.seeAll}
        </Link>
      </div>
      <Loaded query={query} skeleton={<RowBones rows={recentShown} />}>
        {(items) =>
          items.length === 0 ? (
            <Empty
              title={t.noPayments}
              action={<ButtonLink href={at('/business/integrate', mode)}>{t.toIntegrate}</ButtonLink>}
            >
              {t.noPaymentsText}
            </Empty>
          ) : (
            <PaymentRows items={items} />
          )
        }
      </Loaded>
    </section>
  )
}
