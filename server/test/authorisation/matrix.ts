// The cells of the matrix of who may do what: which there are, what the table says of them, and the request that each is.
// How it is sent is for others: in the process (authorisation.test.ts) or over HTTP, to several of them (proof/).
import { readFileSync } from 'node:fs'
import type { Recipe } from './recipes.ts'
import { type Caller, callers, type Stage } from './stage.ts'

export const tablePath = new URL('./table.txt', import.meta.url)

/** Whose the thing is that a path names. `-`: it names none. */
export type Whose = '-' | 'own' | 'foreign' | 'mode' | 'missing'

export const whoseOf = ({ object, modes, shared }: Recipe): Whose[] => {
  if (object === undefined) return ['-']
  return ['own', ...(shared ? [] : (['foreign'] as const)), ...(modes ? (['mode'] as const) : []), 'missing']
}

export const lineOf = (route: string, whose: Whose) => `${route.padEnd(52)} ${whose.padEnd(8)}`

/** What the table says: `route whose` → a status for each caller. */
export function readTable(): Map<string, string[]> {
  const lines = readFileSync(tablePath, 'utf8').split('\n')
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [method = '', path = '', whose = '', ...statuses] = line.split(/ +/)
        return [lineOf(`${method} ${path}`, whose as Whose), statuses]
      }),
  )
}

export interface Cell {
  route: string
  recipe: Recipe
  whose: Whose
  caller: Caller
}

export interface CellRequest {
  method: string
  url: string
  headers: Record<string, string>
  /** JSON, or the text of a form. */
  payload?: object | string
}

export interface Answer {
  status: number
  /** All of it, less what is new in every answer. */
  text: string
}

export const answerOf = (status: number, body: string): Answer => ({
  status,
  text: body.replace(/"request_id":"\w+"/, ''),
})

/** A key has its own mode; a person looks at what is live. */
const modeOf = (caller: Caller) => (caller === 'test' ? 'test' : 'live')

/** Makes what the path names, if it is to be there. */
export async function requestOf(stage: Stage, { route, recipe, whose, caller }: Cell): Promise<CellRequest> {
  const { server } = stage
  const mode = whose === 'mode' ? (modeOf(caller) === 'live' ? 'test' : 'live') : modeOf(caller)
  const world = whose === 'foreign' ? stage.foreignTo(caller) : stage.worldOf(caller)
  const params =
    whose === 'missing'
      ? (recipe.missing ?? {})
      : ((await recipe.object?.({ server, world, caller, mode })) ?? {})
  const [method = '', path = ''] = route.split(' ')
  const fill = (text: string) =>
    text
      .replace(/:(\w+)/g, (_, name: string) => params[name] ?? `:${name}`)
      .replace(/\*$/, params['*'] ?? '*')
  const body = recipe.body?.(stage.worldOf(caller))
  return {
    method,
    url: `${fill(path)}${recipe.query === undefined ? '' : `?${fill(recipe.query)}`}`,
    headers: {
      ...(await stage.credential(caller, { anew: recipe.spoils === true })),
      ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(body === undefined ? {} : { payload: body }),
  }
}

/** Of one route: `whose caller` → what was answered. */
export type Answers = Map<string, Answer>

/** What is refused because it is somebody else's looks as if it did not exist. Pairs that do not look alike. */
export function unlike(answers: Answers, hidden: 'foreign' | 'mode') {
  return callers.flatMap((caller) => {
    const answer = answers.get(`${hidden} ${caller}`)
    const missing = answers.get(`missing ${caller}`)
    // An owner sees both modes.
    const isSeen = hidden === 'mode' && answer?.status === answers.get(`own ${caller}`)?.status
    if (answer === undefined || missing === undefined || isSeen) return []
    const isSame = answer.status === missing.status && answer.text === missing.text
    return isSame ? [] : [{ caller, answer, missing }]
  })
}
