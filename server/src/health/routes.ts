import type { App } from '../http/instance.ts'
import type { Health } from './health.ts'
import { Alive, NotReady, Ready } from './schema.ts'

export function healthRoutes(app: App, { health }: { health: Health }): void {
  const alive = {
    summary: 'Is the process alive?',
    description: 'Never touches the database. For a process supervisor.',
    tags: ['Health'],
    operationId: 'getLiveness',
    response: { 200: Alive },
  }
  const ready = {
    summary: 'Is the service ready?',
    description: 'Answers 503 while the service can not do its work. For load balancers and monitors.',
    tags: ['Health'],
    operationId: 'getReadiness',
    response: { 200: Ready, 503: NotReady },
  }
  const answer = <const S extends 'ok' | 'unavailable'>(status: S) => ({
    status,
    version: health.version,
    time: health.now().toISOString(),
  })

  app.get('/health', { schema: alive, config: { limit: 'health' } }, async () => answer('ok'))

  app.get('/api/health', { schema: ready, config: { limit: 'health' } }, async (_request, reply) => {
    const { ready: isReady } = await health.readiness()
    if (isReady) return answer('ok')
    return reply.code(503).header('retry-after', 1).send(answer('unavailable'))
  })
}
