import { toJson } from '../base/money.ts'
import type { App } from '../http/instance.ts'
import { listOf, ok } from '../http/schema.ts'
import { callerOf } from '../http/scope.ts'
import { NewWallet, WalletList, WalletReply } from './schema.ts'
import * as wallets from './wallets.ts'

export function walletRoutes(app: App, deps: wallets.WalletDeps): void {
  const list = {
    summary: 'List your wallets',
    description:
      'One wallet a currency, the default one first. Receiving money in a currency opens the wallet for it. There are never more than there are currencies, so `next_cursor` is always null.',
    tags: ['Wallets'],
    operationId: 'listWallets',
    response: { 200: WalletList },
  }
  app.get('/api/wallets', { schema: list }, async (request) => {
    const items = await wallets.walletsOf(deps, callerOf(request))
    return listOf('Your wallets', { items: items.map(shown), nextCursor: null })
  })

  const open = {
    summary: 'Open a wallet in another currency',
    description:
      'There is one wallet a currency: a second one in the same currency is refused on `currency`.',
    tags: ['Wallets'],
    operationId: 'openWallet',
    body: NewWallet,
    response: { 201: WalletReply },
  }
  app.post('/api/wallets', { schema: open }, async (request, reply) => {
    const { currency } = request.body
    const wallet = await wallets.openWallet(deps, { userId: callerOf(request), currency })
    return reply.code(201).send(ok(`Your ${currency} wallet is open`, shown(wallet)))
  })
}

const shown = ({ id, currency, name, balance, held, isDefault, createdAt }: wallets.Wallet) => ({
  id,
  currency,
  name,
  balance: toJson({ minor: balance, currency }),
  held: toJson({ minor: held, currency }),
  available: toJson({ minor: balance - held, currency }),
  is_default: isDefault,
  created_at: createdAt.toISOString(),
})
