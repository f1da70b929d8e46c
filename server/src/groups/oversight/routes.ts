import { AppError } from '../../base/errors.ts'
import { pageOf, timeCursor } from '../../http/cursor.ts'
import type { App } from '../../http/instance.ts'
import { listOf, ok } from '../../http/schema.ts'
import * as groups from '../groups.ts'
import { GroupParams } from '../schema.ts'
import * as schema from './schema.ts'

const tags = ['Operator']
const readPlace = timeCursor(/^grp_\w{1,30}$/)

/** Scope: operators. They look; no one but the members moves the money of a group. */
export function groupOversightRoutes(app: App, deps: groups.GroupDependencies): void {
  const list = {
    tags,
    summary: 'Savings groups',
    description: 'All there are, also closed ones, the newest first.',
    operationId: 'listGroupsAsOperator',
    querystring: schema.SeenQuery,
    response: { 200: schema.SeenList },
  }
  const listing = { schema: list, config: { readCursor: readPlace } } as const
  app.get('/api/operator/groups', listing, async ({ query: { limit = 25, cursor, q } }) => {
    const before = cursor === undefined ? undefined : readPlace(cursor)
    const found = await groups.listToOperator(deps, { q: q ?? null, before, limit })
    const page = pageOf(found, limit, ({ created_at: at, id }) => [at, id])
    return listOf('Savings groups', page)
  })

  const show = {
    tags,
    summary: 'Show a savings group',
    description: 'With its members, what they owe each other, and what happened lately.',
    operationId: 'getGroupAsOperator',
    params: GroupParams,
    response: { 200: schema.SeenReply },
  }
  app.get('/api/operator/groups/:id', { schema: show }, async ({ params: { id } }) => {
    const found = await groups.showToOperator(deps, id)
    if (found === undefined) throw new AppError('not_found', { detail: 'There is no such group.' })
    return ok('Savings group', found)
  })
}
