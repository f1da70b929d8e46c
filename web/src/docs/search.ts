// The search field. The index is fetched when somebody first turns to it; nothing leaves the browser.
import { beginning, type Entry, find, type Hit, wordsOf } from './find.ts'

interface Parts {
  form: HTMLFormElement
  input: HTMLInputElement
  results: HTMLElement
  status: HTMLElement
  list: HTMLElement
}

export function openSearch(): void {
  const place = document.querySelector<HTMLElement>('.docs-search')
  const form = place?.querySelector('form')
  const input = form?.querySelector('input')
  const results = form?.querySelector<HTMLElement>('.docs-results')
  const status = results?.querySelector('p')
  const list = results?.querySelector('ul')
  if (!place || !form || !input || !results || !status || !list) return
  const parts = { form, input, results, status, list }
  place.hidden = false
  const index = openIndex(place.dataset.index ?? '')
  input.addEventListener('focus', () => void index().catch(() => undefined))
  input.addEventListener('input', () => void search(parts, index))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  form.addEventListener('keydown', (event) => walk(event, parts))
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) results.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    input.focus()
  })
}

function openIndex(address: string): () => Promise<readonly Entry[]> {
  let loading: Promise<readonly Entry[]> | undefined
  return () => {
    loading ??= fetch(address)
      .then((reply) => {
        if (!reply.ok) throw new Error(`the index answers ${reply.status}`)
        return reply.json() as Promise<readonly Entry[]>
      })
      .catch((error: unknown) => {
        // The next key tries again.
        loading = undefined
        throw error
      })
    return loading
  }
}

async function search(parts: Parts, index: () => Promise<readonly Entry[]>): Promise<void> {
  const { input, results, status, list } = parts
  const typed = input.value
  results.hidden = typed.trim() === ''
  if (results.hidden) return
  try {
    const hits = find(await index(), typed)
    // Somebody typed on meanwhile.
    if (input.value !== typed) return
    status.textContent = sentence(hits.length)
    list.replaceChildren(...hits.map((hit) => itemOf(hit, typed)))
  } catch {
    status.textContent = 'The search could not be loaded. Check your connection, then type on.'
    list.replaceChildren()
  }
}

const sentence = (count: number) =>
  count === 0
    ? 'Nothing fits. Try fewer or other words.'
    : count === 1
      ? '1 place'
      : `${count} places, the best first`

function itemOf({ address, page, heading, excerpt }: Hit, typed: string): HTMLElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = address
  const title = document.createElement('strong')
  title.append(...marked(heading === '' ? page : `${page}: ${heading}`, typed))
  const text = document.createElement('span')
  text.append(...marked(excerpt, typed))
  link.append(title, text)
  item.append(link)
  return item
}

/** The words that were typed, marked. Text stays text: nothing of it is read as HTML. */
function marked(text: string, typed: string): Node[] {
  const words = wordsOf(typed).map((word) => beginning(word).source)
  const pattern = new RegExp(words.join('|'), 'giu')
  const nodes: Node[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    const mark = document.createElement('mark')
    mark.textContent = match[0]
    nodes.push(document.createTextNode(text.slice(at, match.index)), mark)
    at = match.index + match[0].length
  }
  return [...nodes, document.createTextNode(text.slice(at))]
}

function walk(event: KeyboardEvent, { input, results, list }: Parts): void {
  if (event.key === 'Escape') {
    results.hidden = true
    input.focus()
    return
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || results.hidden) return
  event.preventDefault()
  const places: HTMLElement[] = [input, ...list.querySelectorAll('a')]
  const at = places.indexOf(document.activeElement as HTMLElement)
  places[Math.min(Math.max(at + step, 0), places.length - 1)]?.focus()
}
