// Addresses of people where others may read them.

/** Enough to know one's own by: `+256770•••001`, `a•••@example.com`. */
export const masked = (contact: string): string =>
  contact.includes('@')
    ? contact.replace(/^(.).*@/, '$1•••@')
    : `${contact.slice(0, -6)}•••${contact.slice(-3)}`
