// Campaigns to look at: given to by people of their own, so that what the others have stays as the guides say.
import { check } from './base/check.ts'
import type { Currency } from './base/money.ts'
import type { NewCampaign } from './campaigns/campaigns.ts'
import type { DemoPerson } from './demo.ts'
import type { Dependencies } from './dependencies.ts'

export interface DemoTools {
  /** Registers somebody with the demo's password and PIN. */
  register(person: DemoPerson): Promise<string>
  fund(funded: { id: string; currency: Currency; amount: string }): Promise<void>
  idOf(handle: string): string
  pin: string
}

interface DemoCampaign {
  owner: 'amina' | 'juma'
  campaign: NewCampaign & { days?: number }
  gifts: readonly { by: Giver; amount: string; message?: string; anonymous?: boolean }[]
  updates: readonly string[]
}

const givers = {
  grace: { handle: 'grace', name: 'Grace Auma', country: 'UG', phone: '+256770000003' },
  david: { handle: 'david', name: 'David Mugisha', country: 'RW', phone: '+250780000001' },
} as const
type Giver = keyof typeof givers

const demoCampaigns: readonly DemoCampaign[] = [
  {
    owner: 'amina',
    campaign: {
      title: 'A well for Kasese primary school',
      story:
        'Our 640 pupils fetch water from a stream, two kilometres away. In the dry months it is brown, and every week somebody is ill.\n\nA borehole with a hand pump costs UGX 5,000,000. The parents dig the trench and look after the pump; what is missing is the drilling.\n\nWhat is left over pays for a second tap at the kitchen.',
      currency: 'UGX',
      goal: '5000000',
      category: 'education',
      days: 45,
    },
    gifts: [
      { by: 'grace', amount: '900000', message: 'I learnt to read there. Courage.' },
      { by: 'david', amount: '350000', anonymous: true },
      { by: 'grace', amount: '50000' },
    ],
    updates: [
      'The district has given its permission. Thank you for the first million.',
      'The drilling team comes in the second week of next month.',
    ],
  },
  {
    owner: 'juma',
    campaign: {
      title: 'Hospital bill for Baba Otieno',
      story:
        'My father was hit by a matatu and lies in Kisumu with a broken hip. The operation is done and went well.\n\nThe hospital lets him go when the bill is paid. Every shilling goes to the hospital, and I will post the receipt here.',
      currency: 'KES',
      goal: '180000',
      category: 'health',
      days: 14,
    },
    gifts: [
      { by: 'david', amount: '25000', message: 'Pole sana, ndugu.' },
      { by: 'grace', amount: '120000' },
    ],
    updates: [],
  },
  {
    owner: 'amina',
    campaign: {
      title: 'Un toit pour la coopérative de Goma',
      story:
        'Vingt-deux femmes tissent et cousent sous une bâche. Quand il pleut, les machines s’arrêtent.\n\nNous voulons un vrai toit avant la saison des pluies. Le bois est déjà là.',
      currency: 'USD',
      goal: '1500',
      category: 'community',
    },
    gifts: [{ by: 'grace', amount: '40', message: 'Bon courage à toutes.' }],
    updates: [],
  },
]

export async function seedCampaigns(deps: Dependencies, tools: DemoTools): Promise<void> {
  const ids = {} as Record<Giver, string>
  for (const [name, person] of Object.entries(givers)) ids[name as Giver] = await tools.register(person)
  for (const demo of demoCampaigns) await seedOne(deps, { demo, ids, tools })
}

interface Seeding {
  demo: DemoCampaign
  ids: Record<Giver, string>
  tools: DemoTools
}

async function seedOne({ campaigns, clock }: Dependencies, { demo, ids, tools }: Seeding): Promise<void> {
  const { days, ...campaign } = demo.campaign
  const owner = tools.idOf(demo.owner)
  const endsAt =
    days === undefined ? undefined : new Date(clock.now().getTime() + days * 86_400_000).toISOString()
  const { id } = await campaigns.create({ owner, campaign: { ...campaign, endsAt } })
  for (const { by, ...gift } of demo.gifts) {
    const user = ids[by]
    await tools.fund({ id: user, currency: campaign.currency, amount: gift.amount })
    const { replayed } = await campaigns.contribute({
      ...gift,
      user,
      id,
      pin: tools.pin,
      origin: {},
      key: undefined,
    })
    check(!replayed, 'a gift of the demo is given once')
  }
  for (const text of demo.updates) await campaigns.addUpdate({ id, user: owner, text })
}
