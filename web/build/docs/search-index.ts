// What the search of the documentation looks through: every section of every page, and every route of the API.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Documentation } from './pages.ts'

/** Address, title of the page, heading of the section, its text. */
export type SearchEntry = [address: string, page: string, heading: string, text: string]

interface Operation {
  summary?: string
  description?: string
  tags?: string[]
  operationId?: string
}

export function searchEntries({ pages }: Documentation, root: string): SearchEntry[] {
  const sections = pages.flatMap(({ address, title, sections }) =>
    sections.map(
      ({ id, heading, text }): SearchEntry => [
        id === '' ? address : `${address}#${id}`,
        title,
        heading,
        text,
      ],
    ),
  )
  return [...sections, ...operationEntries(readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8'))]
}

function operationEntries(json: string): SearchEntry[] {
  const { paths } = JSON.parse(json) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary = '', description = '', tags = [] }]): SearchEntry => {
      const route = `${method.toUpperCase()} ${path}`
      const text = [summary, description].filter((part) => part !== '').join('. ')
      return [operationAddress({ tag: tags[0], method, path }), 'API reference', route, text]
    }),
  )
}

/** As the reference page names its places. */
export const operationAddress = ({
  tag = 'default',
  method,
  path,
}: {
  tag?: string | undefined
  method: string
  path: string
}): string =>
  `/docs/reference/api#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method.toUpperCase()}${path}`
