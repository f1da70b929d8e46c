// Straight to one of the processes, past the front: for what each of them must know or do. Use:
//
//   const heard = await stage.client.look(request, straightTo(stage, service))
import { request as send } from 'undici'
import type { Carry } from './client.ts'
import type { ServiceProcess } from './service.ts'
import type { Stage } from './stage.ts'

const answerMs = 30_000

export function straightTo({ front }: Pick<Stage, 'front'>, service: ServiceProcess): Carry {
  const { host } = new URL(front.url)
  return ({ method, path, headers, body }) =>
    send(`${service.url}${path}`, {
      method: method as 'GET',
      headers: { ...headers, host },
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
      ...(body === undefined ? {} : { body }),
    })
}
