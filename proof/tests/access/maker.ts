// Makes what a matrix of requests needs, on the stage's database: the tests' own app in this process, with the secrets,
// the address and the clock of the processes. Only what is made goes by it, with cheap hashes; nothing that is judged.

import { Secret } from '../../../server/src/base/secret.ts'
import type { Secrets } from '../../../server/src/secrets.ts'
import { openTestApp, type TestApp, type TestClock } from '../../../server/test/helpers.ts'
import { nameOf, routeTable } from '../../../server/test/route-table.ts'
import { secrets } from '../../rig/service.ts'
import type { Stage } from '../../rig/stage.ts'

export interface Maker {
  server: TestApp
  /** `GET /api/me`, all that there are. */
  routes: string[]
}

export async function openMaker(stage: Stage): Promise<Maker> {
  const { scene, cluster, database, front, simulator } = stage
  const table = routeTable()
  const { server, close } = await openTestApp({
    database: { url: stage.databaseUrl, adminUrl: cluster.adminUrlOf(database) },
    baseUrl: front.url,
    environment: { SIMULATOR_URL: simulator.url },
    secrets: sameSecrets(),
    clock: clockOf(stage),
    watch: table.watch,
  })
  scene.defer(close)
  return { server, routes: table.routes().map(nameOf) }
}

const sameSecrets = (): Partial<Secrets> =>
  Object.fromEntries(
    Object.entries(secrets()).map(([name, text]) => [name, new Secret(Buffer.from(text, 'base64'))]),
  )

function clockOf(stage: Stage): TestClock {
  const now = () => new Date(Date.now() + (stage.aheadMs() ?? 0))
  const advance = (seconds: number) => stage.advance((stage.aheadMs() ?? 0) + seconds * 1_000)
  return { now, advance, set: (time) => advance((Date.parse(time) - now().getTime()) / 1_000) }
}
