// Starts the shop by itself. README.md says where the settings come from.
import { startShop } from './shop.ts'

const { env } = process
const missing = ['MERCHANT_ID', 'API_KEY', 'CLIENT_SECRET'].filter((name) => !env[name])
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')}. See examples/shop/README.md.`)
  process.exit(1)
}

const shop = await startShop({
  port: Number(env.SHOP_PORT ?? 8090),
  apiUrl: env.API_URL ?? 'http://localhost:8080',
  headerPrefix: env.HEADER_PREFIX ?? 'SVC',
  merchantId: env.MERCHANT_ID ?? '',
  apiKey: env.API_KEY ?? '',
  clientSecret: env.CLIENT_SECRET ?? '',
  dataDir: env.SHOP_DATA_DIR ?? '.data',
  ...(env.SHOP_URL ? { url: env.SHOP_URL } : {}),
})
console.log(`The shop is open: ${shop.url}`)
// The channel to who started it would keep the process: it ends by itself only when that is gone.
const stop = () => void shop.close().then(() => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
// Whoever started it is gone: so is the shop.
process.once('disconnect', () => process.exit(0))
