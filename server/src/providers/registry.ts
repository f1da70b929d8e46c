// The providers there are, and with which settings each works in each mode. Test mode is always the simulator. Live mode has
// the credentials of the configuration; as long as there are none at all, outside production, it is the simulator too, so
// that a newcomer can try everything.
import type { Config } from '../config.ts'
import * as airtel from './airtel/airtel.ts'
import { type Adapter, type Mode, type ProviderId, type ProviderSettings, providerIds } from './contract.ts'
import * as mpesa from './mpesa/mpesa.ts'
import * as mtn from './mtn/mtn.ts'
import * as paystack from './paystack/paystack.ts'

/** A provider that is set up. */
export interface Provided {
  adapter: Adapter
  settings: ProviderSettings
  simulated: boolean
}

export interface Registry {
  of(provider: ProviderId, mode: Mode): Provided | undefined
  /** In the order in which they are offered. */
  all(mode: Mode): readonly Provided[]
  /** Where the simulator is, if any of them is there. */
  simulatorUrl: string | undefined
}

interface Row {
  adapter: Adapter
  settingsFrom(config: Config): ProviderSettings | undefined
  simulatorSettings(simulatorUrl: string): ProviderSettings
}

/** Adding a provider is a line here. */
const rows: readonly Row[] = [
  { adapter: mpesa.mpesa, ...mpesa },
  { adapter: mtn.mtn, ...mtn },
  {
    adapter: airtel.airtel,
    settingsFrom: airtel.settingsFrom,
    simulatorSettings: (url) => airtel.simulatorSettings(`${url}/airtel`),
  },
  {
    adapter: paystack.paystack,
    settingsFrom: paystack.settingsFrom,
    simulatorSettings: (url) => paystack.simulatorSettings(`${url}/paystack`),
  },
]

export interface RegistryOptions {
  config: Config
  /** Absent: there is no simulator, and so no test mode for providers. */
  simulatorUrl: string | undefined
}

/** Throws a StartError when a provider is set up in part. */
export function openRegistry({ config, simulatorUrl }: RegistryOptions): Registry {
  const simulated = rows.flatMap(({ adapter, simulatorSettings }) =>
    simulatorUrl === undefined
      ? []
      : [{ adapter, settings: simulatorSettings(simulatorUrl), simulated: true }],
  )
  const real = rows.flatMap(({ adapter, settingsFrom }) => {
    const settings = settingsFrom(config)
    return settings === undefined ? [] : [{ adapter, settings, simulated: false }]
  })
  const live = real.length === 0 && !config.production ? simulated : real
  return registryOf({ live, test: simulated }, simulatorUrl)
}

export function registryOf(
  provided: Record<Mode, readonly Provided[]>,
  simulatorUrl: string | undefined,
): Registry {
  return {
    of: (provider, mode) => provided[mode].find(({ adapter }) => adapter.id === provider),
    all: (mode) => provided[mode],
    simulatorUrl,
  }
}

export const providerOf = (text: string): ProviderId | undefined => providerIds.find((id) => id === text)

/** What an adapter says of itself, whether or not it is set up. */
export function adapterOf(provider: ProviderId): Adapter {
  const row = rows.find(({ adapter }) => adapter.id === provider)
  if (row === undefined) throw new Error(`broken promise: ${provider} has an adapter`)
  return row.adapter
}
