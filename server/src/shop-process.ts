// The example shop, in a process of its own: it knows the service by its public API only, like any other shop.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { finishMs, within } from './closing.ts'
import type { DemoShop } from './demo.ts'

const program = fileURLToPath(new URL('../../examples/shop/main.ts', import.meta.url))

export interface ShopProcess {
  stop(): Promise<void>
}

export interface ShopProcessOptions {
  shop: DemoShop
  port: number
  apiUrl: string
  headerPrefix: string
  dataDir: string
  log: Logger
}

export function startShopProcess({ shop, port, dataDir, log, ...service }: ShopProcessOptions): ShopProcess {
  const folder = join(dataDir, 'shop')
  mkdirSync(folder, { recursive: true })
  const child = fork(program, [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      SHOP_PORT: String(port),
      API_URL: service.apiUrl,
      HEADER_PREFIX: service.headerPrefix,
      MERCHANT_ID: shop.merchantId,
      API_KEY: shop.apiKey,
      CLIENT_SECRET: shop.clientSecret,
      SHOP_DATA_DIR: folder,
    },
  })
  let stopping = false
  // One that could not be started has no exit, only an error, which is told below.
  const ended = once(child, 'exit').then(
    ([code]) => {
      if (!stopping) log.warn({ code }, 'the example shop has ended')
    },
    () => undefined,
  )
  child.on('error', (error) => log.warn({ err: error }, 'the example shop could not be started'))
  return {
    stop: async () => {
      stopping = true
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await within(finishMs, ended)
    },
  }
}
