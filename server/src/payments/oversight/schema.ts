import { Type } from 'typebox'
import { Envelope } from '../../http/schema.ts'
import { PaymentDetail } from '../schema.ts'

export const MerchantParams = Type.Object({ merchant_id: Type.String({ pattern: '^[1-9][0-9]{7,8}$' }) })

export const SeenReply = Envelope(
  Type.Object({
    ...PaymentDetail.properties.data.properties,
    merchant_id: Type.Integer({ description: 'Whose it is; 0 of a campaign.', examples: [48_201_573] }),
    merchant_name: Type.String({ examples: ['Duka la Amina'] }),
  }),
)
