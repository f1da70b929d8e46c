// The same thing in several languages, one of them shown. A choice counts for every place on the page, and for the next
// pages too where the browser keeps it.
const storeName = 'docs-language'

interface Tabs {
  place: HTMLElement
  buttons: HTMLButtonElement[]
  panels: HTMLElement[]
}

export function openTabs(): void {
  const all = [...document.querySelectorAll<HTMLElement>('.tabs')].map(makeTabs)
  const wanted = kept()
  if (wanted !== undefined) for (const tabs of all) show(tabs, wanted)
  for (const { place, buttons } of all) {
    for (const button of buttons) {
      button.addEventListener('click', () => {
        // What stands above may become shorter or longer; the place that was clicked stays where it is.
        const before = place.getBoundingClientRect().top
        for (const tabs of all) show(tabs, button.textContent)
        scrollBy({ top: place.getBoundingClientRect().top - before, behavior: 'instant' })
        keep(button.textContent)
      })
    }
  }
}

function makeTabs(place: HTMLElement, at: number): Tabs {
  const panels = [...place.querySelectorAll<HTMLElement>(':scope > .tab')]
  const list = document.createElement('div')
  list.className = 'tab-list'
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const buttons = panels.map((panel, number) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.id = `tab-${at}-${number}`
    button.textContent = panel.dataset.language ?? ''
    button.setAttribute('role', 'tab')
    panel.id = `panel-${at}-${number}`
    button.setAttribute('aria-controls', panel.id)
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', button.id)
    return button
  })
  list.append(...buttons)
  list.addEventListener('keydown', (event) => moveFocus(event, buttons))
  place.prepend(list)
  place.classList.add('tabs-open')
  const tabs = { place, buttons, panels }
  show(tabs, buttons[0]?.textContent)
  return tabs
}

/** A place that lacks the language keeps what it shows. */
function show({ buttons, panels }: Tabs, language: string | null | undefined): void {
  if (!buttons.some((button) => button.textContent === language)) return
  for (const [number, button] of buttons.entries()) {
    const isChosen = button.textContent === language
    button.setAttribute('aria-selected', String(isChosen))
    button.tabIndex = isChosen ? 0 : -1
    panels[number]?.classList.toggle('tab-closed', !isChosen)
  }
}

function moveFocus(event: KeyboardEvent, buttons: readonly HTMLButtonElement[]): void {
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const last = buttons.length - 1
  const next = {
    ArrowRight: at === last ? 0 : at + 1,
    ArrowLeft: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  }[event.key]
  if (next === undefined || at < 0) return
  event.preventDefault()
  buttons[next]?.focus()
  buttons[next]?.click()
}

// A browser may refuse to keep anything; the choice then counts for this page.
function kept(): string | undefined {
  try {
    return localStorage.getItem(storeName) ?? undefined
  } catch {
    return undefined
  }
}

function keep(language: string | null): void {
  try {
    localStorage.setItem(storeName, language ?? '')
  } catch {
    // Not kept.
  }
}
