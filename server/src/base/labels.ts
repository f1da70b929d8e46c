/** Spelled in capitals, as people do. */
const capitals = new Set(['pin', 'url', 'ipn', 'id'])

/** What a field of a request is called in a sentence: `items.0.unit_amount` → `Unit amount`, `ipn_url` → `IPN URL`. */
export function labelOf(field: string): string {
  const name = field.split('.').findLast((part) => !/^[0-9]+$/.test(part)) ?? field
  const words = name
    .split('_')
    .map((word) => (capitals.has(word) ? word.toUpperCase() : word))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
