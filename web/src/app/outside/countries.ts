// Where the currencies of the wallets are at home.
export const homeCountries = ['UG', 'KE', 'TZ', 'RW', 'NG', 'ZA'] as const

export const nameOfCountry = (code: string, language: string): string =>
  new Intl.DisplayNames([language, 'en'], { type: 'region' }).of(code) ?? code
