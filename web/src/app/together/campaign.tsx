import { ExternalLink, Share2 } from 'lucide-react'
import { Amount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones, usePages } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { client, useUser } from '../session.ts'
import { CampaignState, RaisedLines } from './campaign-card.tsx'
import { OwnerPart } from './campaign-owner.tsx'
import { campaignWords } from './campaign-words.ts'
import { type Campaign, cursorOf, pageOf, useCampaign, useId } from './data.ts'
import { Letter, Paragraphs } from './parts.tsx'
import { shareText } from './share.ts'
import './together.css'

export const CampaignPage = () => {
  const t = useWords(campaignWords)
  const query = useCampaign(useId())
  return (
    <Page title={query.data?.title ?? t.campaigns} back="/campaigns" width="wide">
      <Loaded query={query} skeleton={<div className="purse bone-purse" />}>
        {(campaign) => <Parts campaign={campaign} />}
      </Loaded>
    </Page>
  )
}

const Parts = ({ campaign }: { campaign: Campaign }) => {
  const t = useWords(campaignWords)
  const user = useUser()
  const isOwner = campaign.owner.handle === user.handle
  return (
    <div className="together-columns">
      <div className="together-stack">
        <Standing campaign={campaign} isOwner={isOwner} />
        {isOwner && <OwnerPart campaign={campaign} />}
        <Sharing campaign={campaign} />
      </div>
      <div className="together-stack">
        <section aria-labelledby="story">
          <h2 id="story" className="section-title mb-2">
            {t.story}
          </h2>
          <Paragraphs text={campaign.story} />
          {campaign.cover_url !== null && <p className="text-soft mt-2">{t.hasCover}</p>}
        </section>
        <Updates id={campaign.id} />
        <Contributions id={campaign.id} />
      </div>
    </div>
  )
}

const Standing = ({ campaign, isOwner }: { campaign: Campaign; isOwner: boolean }) => {
  const t = useWords(campaignWords)
  const { paused, returned } = campaign
  const isOpen = campaign.status === 'active' && paused === null && returned === null
  return (
    <section className="together-panel" aria-label={t.progress(campaign.progress)}>
      <p className="tag">{t.categories[campaign.category]}</p>
      <p>
        {t.by(campaign.owner.name)} <span className="together-handle">@{campaign.owner.handle}</span>
      </p>
      <RaisedLines campaign={campaign} />
      <p className="together-card-line text-soft">
        <span>{t.contributors(campaign.contributor_count)}</span>
        <CampaignState campaign={campaign} />
      </p>
      {returned !== null ? (
        <Notice kind="warning" title={t.returnedTitle}>
          {t.returnedText(returned.reason)}
        </Notice>
      ) : paused !== null ? (
        <Notice kind="warning" title={t.pausedTitle}>
          {t.pausedText(paused.reason)}
        </Notice>
      ) : (
        !isOpen && <Notice>{t.endedText}</Notice>
      )}
      {isOpen && (
        <ButtonLink href={`/campaigns/${campaign.id}/contribute`} look={isOwner ? 'plain' : 'main'}>
          {t.contribute}
        </ButtonLink>
      )}
      <p className="field-hint">{t.safety}</p>
    </section>
  )
}

const Sharing = ({ campaign }: { campaign: Campaign }) => {
  const t = useWords(campaignWords)
  return (
    <section aria-labelledby="public">
      <h2 id="public" className="section-title">
        {t.publicPage}
      </h2>
      <p className="text-soft">{t.publicPageText}</p>
      <p className="together-link">
        <a className="link" href={campaign.url} target="_blank" rel="noopener">
          <ExternalLink aria-hidden="true" />
          {campaign.url.replace(/^https?:\/\//, '')}
        </a>
        <CopyButton text={campaign.url} what={t.publicPage} />
      </p>
      <Button
        className="w-full"
        onClick={() => void shareText({ title: campaign.title, text: campaign.title, url: campaign.url })}
      >
        <Share2 aria-hidden="true" />
        {t.sharePage}
      </Button>
    </section>
  )
}

const Updates = ({ id }: { id: string }) => {
  const t = useWords(campaignWords)
  const query = usePages(['campaigns', id, 'updates'], async (cursor, signal) =>
    pageOf(
      await client.request('GET /api/campaigns/:id/updates', {
        ...{ params: { id }, signal },
        query: { limit: 5, ...cursorOf(cursor) },
      }),
    ),
  )
  return (
    <section aria-labelledby="updates">
      <h2 id="updates" className="section-title mb-2">
        {t.updates}
      </h2>
      <Loaded query={query} skeleton={<RowBones rows={1} />}>
        {(updates) =>
          updates.length === 0 ? (
            <p className="text-soft">{t.noUpdates}</p>
          ) : (
            <ul className="rows">
              {updates.map((update) => (
                <li key={update.id} className="together-update">
                  <p className="row-sub">
                    <Time value={update.created_at} form="day" />
                  </p>
                  <Paragraphs text={update.text} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </section>
  )
}

const Contributions = ({ id }: { id: string }) => {
  const t = useWords(campaignWords)
  const query = usePages(['campaigns', id, 'contributions'], async (cursor, signal) =>
    pageOf(
      await client.request('GET /api/campaigns/:id/contributions', {
        ...{ params: { id }, signal },
        query: { limit: 10, ...cursorOf(cursor) },
      }),
    ),
  )
  return (
    <section aria-labelledby="contributions">
      <h2 id="contributions" className="section-title mb-2">
        {t.contributions}
      </h2>
      <Loaded query={query} skeleton={<RowBones rows={3} />}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={t.noContributions}>{t.noContributionsText}</Empty>
          ) : (
            <ul className="rows">
              {items.map((item, place) => {
                const name = item.name ?? (item.anonymous ? t.anonymousName : t.someone)
                return (
                  <li key={`${item.created_at} ${place}`} className="row">
                    <Letter name={name} />
                    <span className="row-main">
                      <span className="row-title">{name}</span>
                      {item.message !== null && <span className="together-told">{item.message}</span>}
                      <span className="row-sub">
                        <Time value={item.created_at} form="short" />
                      </span>
                    </span>
                    <span className="row-end">
                      <Amount value={item.amount} currency={item.currency} className="font-semibold" />
                      {item.returned_amount > 0 && (
                        <span className="row-sub">
                          <Amount value={item.returned_amount} currency={item.currency} /> {t.wentBack}
                        </span>
                      )}
                    </span>
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </section>
  )
}
