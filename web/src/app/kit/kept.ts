// Small things that may be kept in the browser: choices of look and language, and the key of an act whose outcome is not
// known yet. Never a token, a PIN or a password. Browsers may refuse to keep anything; then nothing is kept.
const prefix = 'mfuko.'

export function readKept(name: string, place: 'browser' | 'tab' = 'browser'): string | undefined {
  try {
    return storage(place).getItem(prefix + name) ?? undefined
  } catch {
    return undefined
  }
}

export function keep(name: string, value: string | undefined, place: 'browser' | 'tab' = 'browser'): void {
  try {
    if (value === undefined) storage(place).removeItem(prefix + name)
    else storage(place).setItem(prefix + name, value)
  } catch {
    // Full, or not allowed.
  }
}

const storage = (place: 'browser' | 'tab') => (place === 'browser' ? localStorage : sessionStorage)
