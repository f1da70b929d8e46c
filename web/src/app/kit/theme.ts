// Light, dark, or as the system has it. public/theme.js sets the same attribute before the first paint.
import { keep, readKept } from './kept.ts'
import { createStore } from './store.ts'

export type Theme = 'system' | 'light' | 'dark'

const kept = readKept('theme')
const store = createStore<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system')

export const useTheme = store.use

export function setTheme(theme: Theme): void {
  keep('theme', theme === 'system' ? undefined : theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  store.set(theme)
}
