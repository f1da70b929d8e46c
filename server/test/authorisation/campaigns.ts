// How the routes of campaigns are called in the matrix of who may do what.
import { theOperator } from '../businesses.ts'
import { register } from '../people.ts'
import type { Place, Recipe } from './recipes.ts'
import type { World } from './stage.ts'

/** Everybody may look at it, and some may do more: it belongs to the one who calls where that can be. */
const someCampaign = {
  object: async ({ server, world, caller }: Place): Promise<{ id: string }> => {
    const theirs = owners.get(world) ?? (await register(server)).id
    owners.set(world, theirs)
    const owner = caller === 'user' ? world.person.id : theirs
    // Nobody may have very many.
    await server.db.rows('update campaigns.campaigns set ended_at = created_at where owner_id = $1', [owner])
    const campaign = { title: 'A well', story: 'Water', currency: 'UGX', goal: '5000' } as const
    const { id } = await server.dependencies.campaigns.create({ owner, campaign })
    return { id }
  },
  missing: { id: `cmp_${'0'.repeat(22)}` },
  shared: true,
} as const
/** Somebody in each world, whose campaigns are not the caller's. */
const owners = new WeakMap<World, string>()
const reason = 'For the test'

const people: Record<string, Recipe> = {
  'POST /api/campaigns': {
    body: () => ({ title: 'A well', story: 'Water', currency: 'KES', goal_amount: 5_000 }),
  },
  'GET /api/campaigns': {},
  'GET /api/campaigns/browse': {},
  'GET /api/campaigns/:id': someCampaign,
  'PATCH /api/campaigns/:id': { ...someCampaign, body: () => ({ story: 'More water' }) },
  'POST /api/campaigns/:id/end': someCampaign,
  'POST /api/campaigns/:id/contribute': {
    ...someCampaign,
    body: ({ person }) => ({ amount: 500, pin: person.pin }),
  },
  // Of somebody else, it is refused before its money is looked at; the owner's has none.
  'POST /api/campaigns/:id/withdraw': { ...someCampaign, body: ({ person }) => ({ pin: person.pin }) },
  'POST /api/campaigns/:id/withdraw/preview': { ...someCampaign, body: () => ({}) },
  'GET /api/campaigns/:id/contributions': someCampaign,
  'GET /api/campaigns/:id/updates': someCampaign,
  'POST /api/campaigns/:id/updates': { ...someCampaign, body: () => ({ text: 'News' }) },
}

const operators: Record<string, Recipe> = {
  'GET /api/operator/campaigns': {},
  'GET /api/operator/campaigns/:id': someCampaign,
  'POST /api/operator/campaigns/:id/pause': { ...someCampaign, body: () => ({ reason }) },
  'POST /api/operator/campaigns/:id/resume': {
    ...someCampaign,
    object: async (place) => {
      const params = await someCampaign.object(place)
      const operator = await theOperator(place.server)
      await operator.call('POST', `/api/operator/campaigns/${params.id}/pause`, { reason })
      return params
    },
  },
  'POST /api/operator/campaigns/:id/return': { ...someCampaign, body: () => ({ reason }) },
}

const pages: Record<string, Recipe> = {
  'GET /c/:id': someCampaign,
  'GET /c/:id/share.png': someCampaign,
  'POST /c/:id/contribute': { ...someCampaign, body: () => 'amount=1' },
  'GET /campaign.css': {},
}

export const campaignRecipes = { people, operators, pages }
