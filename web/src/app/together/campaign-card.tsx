import { Link } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Status } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { campaignWords } from './campaign-words.ts'
import type { CampaignSummary } from './data.ts'
import { ProgressBar } from './parts.tsx'

export const CampaignCard = ({ campaign, own = false }: { campaign: CampaignSummary; own?: boolean }) => {
  const t = useWords(campaignWords)
  return (
    <Link href={`/campaigns/${campaign.id}`} className="together-card row-link">
      <span className="tag">{t.categories[campaign.category]}</span>
      <span className="together-card-title row-title">{campaign.title}</span>
      {!own && <span className="row-sub">{t.by(campaign.owner.name)}</span>}
      <RaisedLines campaign={campaign} />
      <span className="together-card-line row-sub">
        <span>{t.contributors(campaign.contributor_count)}</span>
        <CampaignState campaign={campaign} />
      </span>
    </Link>
  )
}

/** How far it is, in words and as a bar. */
export const RaisedLines = ({ campaign }: { campaign: CampaignSummary }) => {
  const t = useWords(campaignWords)
  const { currency } = campaign
  return (
    <span className="together-raised">
      <ProgressBar percent={campaign.progress} label={t.raised} text={t.progress(campaign.progress)} />
      <span>
        <Amount value={campaign.raised_amount} currency={currency} className="font-bold" /> {t.of}{' '}
        <Amount value={campaign.goal_amount} currency={currency} />
      </span>
      <span className="text-soft">{t.progress(campaign.progress)}</span>
    </span>
  )
}

const dayMs = 86_400_000

export const CampaignState = ({ campaign }: { campaign: CampaignSummary }) => {
  const t = useWords(campaignWords)
  if (campaign.returned !== null) return <Status tone="bad">{t.closed}</Status>
  if (campaign.paused !== null) return <Status tone="waiting">{t.paused}</Status>
  if (campaign.status === 'ended') return <Status tone="plain">{t.ended}</Status>
  if (campaign.ends_at === null) return <span>{t.noEnd}</span>
  const days = Math.floor((Date.parse(campaign.ends_at) - Date.now()) / dayMs)
  return <span>{t.daysLeft(Math.max(days, 0))}</span>
}
