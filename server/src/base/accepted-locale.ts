const rangesMax = 20

/** The language that the reader likes best of those there are: `sw-KE,sw;q=0.9,en;q=0.8`. */
export function acceptedLocale<T extends string>(
  header: string | undefined,
  locales: readonly T[],
): T | undefined {
  const wanted = (header ?? '')
    .split(',', rangesMax)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';')
      const quality = /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters.join(';'))?.[1]
      return {
        language: tag.trim().split('-')[0]?.toLowerCase(),
        quality: quality === undefined ? 1 : Number(quality),
      }
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
  for (const { language } of wanted) {
    const found = locales.find((locale) => locale === language)
    if (found !== undefined) return found
  }
  return undefined
}
