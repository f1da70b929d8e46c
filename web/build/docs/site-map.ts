// Which files of the tree are pages of the documentation, and where they are read. Links in Markdown name files, so that
// they also work where the source is shown; here they become addresses.
import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'

export interface DocFile {
  /** From the root of the tree: `docs/guides/errors.md`. */
  file: string
  /** `/docs/guides/errors` */
  address: string
}

export const startFile = 'docs/README.md'

/** The API reference is a page of its own kind; whoever links to the description means it. */
const openApi: DocFile = { file: 'docs/reference/openapi.json', address: '/docs/reference/api' }

/** What is not in docs/ but belongs there for who reads. */
const elsewhere: readonly DocFile[] = [
  { file: 'CHANGELOG.md', address: '/docs/changelog' },
  { file: 'SECURITY.md', address: '/docs/security-policy' },
  { file: 'integrations/woocommerce/README.md', address: '/docs/libraries/woocommerce' },
]

/** Every page that is made of Markdown. */
export function docFiles(root: string): DocFile[] {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ file, address: addressInDocs(file) }))
  const libraries = readdirSync(join(root, 'sdk'))
    .filter((name) => existsSync(join(root, `sdk/${name}/README.md`)))
    .map((name) => ({ file: `sdk/${name}/README.md`, address: `/docs/libraries/${name}` }))
  return [...inDocs, ...libraries, ...elsewhere.filter(({ file }) => existsSync(join(root, file)))]
}

const addressInDocs = (file: string) =>
  file === startFile ? '/docs' : `/${file.replace(/(?:\/README)?\.md$/, '')}`

/** Turns what a file links to into where that is on the site; undefined when it is not there. */
export type Resolve = (from: string, link: string) => string | undefined

export function openResolve(pages: readonly DocFile[]): Resolve {
  const addresses = new Map([...pages, openApi].map(({ file, address }) => [file, address]))
  return (from, link) => {
    if (/^[a-z]+:/.test(link) || link.startsWith('#') || link.startsWith('/')) return link
    const [path = '', anchor] = link.split('#')
    const address = addresses.get(posix.join(posix.dirname(from), path))
    if (address === undefined) return undefined
    return anchor === undefined ? address : `${address}#${anchor}`
  }
}
