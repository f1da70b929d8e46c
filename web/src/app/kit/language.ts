// Three languages. Each part of the app has its words beside it; English decides which there must be.
import { keep, readKept } from './kept.ts'
import { createStore } from './store.ts'

export type Language = 'en' | 'sw' | 'fr'

export const languages: readonly { id: Language; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'sw', name: 'Kiswahili' },
  { id: 'fr', name: 'Français' },
]

const isLanguage = (text: string | undefined): text is Language => languages.some(({ id }) => id === text)

function firstLanguage(): Language {
  const kept = readKept('language')
  if (isLanguage(kept)) return kept
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return spoken.find(isLanguage) ?? 'en'
}

const store = createStore<Language>(firstLanguage())
document.documentElement.lang = store.get()

export const currentLanguage = store.get
export const useLanguage = store.use

export function setLanguage(language: Language): void {
  keep('language', language)
  document.documentElement.lang = language
  store.set(language)
}

export interface InLanguages<T> {
  en: T
  sw: T
  fr: T
}

/** Every text in every language; a missing one does not compile. */
export const inLanguages = <T>(words: { en: T; sw: NoInfer<T>; fr: NoInfer<T> }): InLanguages<T> => words

export const useWords = <T>(words: InLanguages<T>): T => words[useLanguage()]
