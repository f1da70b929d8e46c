import { lazyPage, type Pages } from '../kit/pages.ts'

/** What is named comes before what is numbered: the first that fits is shown. */
export const togetherPages: Pages = {
  '/groups': lazyPage(async () => (await import('./groups.tsx')).Groups),
  '/groups/new': lazyPage(async () => (await import('./new-group.tsx')).NewGroup),
  '/groups/join': lazyPage(async () => (await import('./join-group.tsx')).JoinGroup),
  '/groups/:id': lazyPage(async () => (await import('./group.tsx')).GroupPage),
  '/groups/:id/contribute': lazyPage(async () => (await import('./contribute.tsx')).Contribute),
  '/groups/:id/members': lazyPage(async () => (await import('./members.tsx')).Members),
  '/groups/:id/settings': lazyPage(async () => (await import('./group-settings.tsx')).GroupSettings),
  '/groups/:id/feed': lazyPage(async () => (await import('./feed.tsx')).Feed),
  '/groups/:id/statement': lazyPage(async () => (await import('./statement.tsx')).Statement),
  '/groups/:id/entries/:seq': lazyPage(async () => (await import('./entry.tsx')).Entry),
  '/groups/:id/rounds/new': lazyPage(async () => (await import('./start-round.tsx')).StartRound),
  '/groups/:id/rounds/:number': lazyPage(async () => (await import('./round.tsx')).RoundPage),
  '/groups/:id/payouts': lazyPage(async () => (await import('./payouts.tsx')).Payouts),
  '/groups/:id/payouts/new': lazyPage(async () => (await import('./payouts.tsx')).NewPayout),
  '/campaigns': lazyPage(async () => (await import('./campaigns.tsx')).Campaigns),
  '/campaigns/mine': lazyPage(async () => (await import('./campaigns.tsx')).OwnCampaigns),
  '/campaigns/new': lazyPage(async () => (await import('./campaign-form.tsx')).NewCampaign),
  '/campaigns/:id': lazyPage(async () => (await import('./campaign.tsx')).CampaignPage),
  '/campaigns/:id/edit': lazyPage(async () => (await import('./campaign-form.tsx')).EditCampaign),
  '/campaigns/:id/contribute': lazyPage(async () => (await import('./campaign-money.tsx')).GiveToCampaign),
  '/campaigns/:id/withdraw': lazyPage(
    async () => (await import('./campaign-withdraw.tsx')).WithdrawFromCampaign,
  ),
}
