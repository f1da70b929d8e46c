import { Type } from 'typebox'
import { Envelope } from '../../http/schema.ts'
import { PaymentDetail } from '../schema.ts'

export const MerchantParams = Type.Object({ merchant_id: Type.String({ pattern: '^[1-9][0-9]{7,8}$' }) })

export const SeenReply = Envelope(
  Type.Object({
    ...PaymentDetail.properties.data.properties,
    merchant_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Whose it is; null when it is for a campaign.',
      examples: [48_201_573],
    }),
    merchant_name: Type.String({
      description: 'As the customer saw it; of a campaign its title.',
      examples: ['Duka la Amina'],
    }),
    campaign_id: Type.Union([Type.String(), Type.Null()]),
  }),
)
