// What a person sees when everything runs.
export interface Welcome {
  brandName: string
  version: string
  baseUrl: string | undefined
  metricsUrl: string
  database: string
  /** Absent when the database is not ours. */
  dataDir: string | undefined
  processes: number
  /** Where the example shop is. */
  shopUrl?: string
  /** Where the simulator of the mobile-money networks is. */
  simulatorUrl?: string
  /** Of the demo: everybody has the same password and PIN. */
  logins?: { people: readonly string[]; password: string; pin: string }
}

export function welcome(about: Welcome): string {
  const rows: [string, string][] = []
  if (about.baseUrl === undefined) {
    rows.push(['Background', 'this process does background work only'])
  } else {
    rows.push(
      ['Start page', about.baseUrl],
      ['Dashboard', `${about.baseUrl}/app`],
      ['Operator console', `${about.baseUrl}/app/operator`],
      ['Documentation', `${about.baseUrl}/docs`],
      ['API', `${about.baseUrl}/api/health`],
    )
  }
  if (about.shopUrl !== undefined) rows.push(['Checkout demo', `${about.shopUrl}  (a shop: buy something)`])
  if (about.simulatorUrl !== undefined)
    rows.push([
      'Virtual phones',
      `${about.simulatorUrl.replace('//127.0.0.1:', '//localhost:')}  (mobile money: pay, refuse, read the SMS)`,
    ])
  if (about.logins !== undefined) {
    const { people, password, pin } = about.logins
    rows.push(['Demo logins', `${people.join(', ')}  password ${password}, PIN ${pin}`])
  }
  rows.push(['Metrics', `${about.metricsUrl}/metrics`], ['Database', about.database])
  if (about.dataDir !== undefined) rows.push(['Data', about.dataDir])
  if (about.processes > 1) rows.push(['Processes', `${about.processes} answer requests`])
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    '',
    `${about.brandName} ${about.version} is running.`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    'Ctrl-C stops it; nothing is lost.',
    '',
  ].join('\n')
}
