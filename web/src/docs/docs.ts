// What a script adds to a page of the documentation, which is whole without it: tabs, copy buttons, search.
import { addCopyButtons } from './copy.ts'
import { openSearch } from './search.ts'
import { openTabs } from './tabs.ts'

// The API reference was at /docs once; its places are known by their fragment.
if (location.pathname === '/docs' && /^#(?:tag|model|description)\b/.test(location.hash))
  location.replace(`/docs/reference/api${location.hash}`)

openTabs()
showCurrent()
addCopyButtons()
openSearch()

/** The list of pages is longer than most screens. */
function showCurrent(): void {
  const nav = document.querySelector('.docs-nav')
  const current = nav?.querySelector('[aria-current]')
  if (!nav || !current) return
  const below = current.getBoundingClientRect().bottom - nav.getBoundingClientRect().bottom
  if (below > 0) nav.scrollTop = below + nav.clientHeight / 3
}
