// The settings of payment providers: what each issues at go-live. All of a provider's are given, or none of them; which
// of them are missing is said by the provider's own `settingsFrom`. docs/guides/providers.md tells where to get them.
import { readFileSync } from 'node:fs'
import { choice, pem, type Row, text, url } from './config-rows.ts'

const group = 'Providers'
const secret = true
const airtelForm = '`client id:client secret:PIN`, and `:callback key` behind it where callbacks are signed'

export const providerRows = {
  MPESA_BASE_URL: url({
    group,
    about: 'Safaricom Daraja. For trying things: `https://sandbox.safaricom.co.ke`.',
    schemes: ['http:', 'https:'],
    fallback: 'https://api.safaricom.co.ke',
  }),
  MPESA_CONSUMER_KEY: text({ group, about: 'M-Pesa: consumer key of the Daraja app.', secret }),
  MPESA_CONSUMER_SECRET: text({ group, about: 'M-Pesa: consumer secret of the Daraja app.', secret }),
  MPESA_SHORTCODE: text({ group, about: 'M-Pesa: the paybill that people pay to.' }),
  MPESA_PASSKEY: text({ group, about: 'M-Pesa: the passkey of that paybill.', secret }),
  MPESA_B2C_SHORTCODE: text({ group, about: 'M-Pesa: the bulk (B2C) shortcode that payouts come from.' }),
  MPESA_INITIATOR: text({
    group,
    about: 'M-Pesa: name of the API operator that orders payouts and reversals.',
  }),
  MPESA_INITIATOR_PASSWORD: text({ group, about: 'M-Pesa: password of that operator.', secret }),
  MPESA_CERTIFICATE_FILE: pem({
    group,
    about: "M-Pesa: file with Safaricom's public certificate (PEM), that of the sandbox or of production.",
    readFile: (path) => readFileSync(path, 'utf8'),
  }),
  MTN_BASE_URL: url({
    group,
    about: 'MTN MoMo: the production host that MTN names at go-live.',
    schemes: ['http:', 'https:'],
  }),
  MTN_UGANDA_COLLECTION: text({
    group,
    about: 'MTN MoMo in Uganda, collections: `subscription key:API user:API key`.',
    secret,
  }),
  MTN_UGANDA_DISBURSEMENT: text({
    group,
    about: 'MTN MoMo in Uganda, disbursements: `subscription key:API user:API key`.',
    secret,
  }),
  MTN_RWANDA_COLLECTION: text({
    group,
    about: 'MTN MoMo in Rwanda, collections: `subscription key:API user:API key`.',
    secret,
  }),
  MTN_RWANDA_DISBURSEMENT: text({
    group,
    about: 'MTN MoMo in Rwanda, disbursements: `subscription key:API user:API key`.',
    secret,
  }),
  AIRTEL_BASE_URL: url({
    group,
    about: 'Airtel Money. For trying things: `https://openapiuat.airtel.africa`.',
    schemes: ['http:', 'https:'],
    fallback: 'https://openapi.airtel.africa',
  }),
  AIRTEL_UGANDA: text({ group, about: `Airtel Money in Uganda: ${airtelForm}.`, secret }),
  AIRTEL_KENYA: text({ group, about: `Airtel Money in Kenya: ${airtelForm}.`, secret }),
  AIRTEL_TANZANIA: text({ group, about: `Airtel Money in Tanzania: ${airtelForm}.`, secret }),
  AIRTEL_RWANDA: text({ group, about: `Airtel Money in Rwanda: ${airtelForm}.`, secret }),
  AIRTEL_SIGNING: choice({
    group,
    about: 'Airtel Money: `on` where the application must sign its messages (version 2 of the interface).',
    of: ['on', 'off'],
    fallback: 'off',
  }),
  PAYSTACK_BASE_URL: url({
    group,
    about: 'Paystack.',
    schemes: ['http:', 'https:'],
    fallback: 'https://api.paystack.co',
  }),
  PAYSTACK_SECRET_KEY: text({ group, about: 'Paystack: the secret key, `sk_live_…`.', secret }),
  PAYSTACK_CURRENCIES: text({
    group,
    about:
      'Paystack: the currencies that the account takes, like `KES,USD`; of NGN, KES, ZAR and USD. Needed with the key.',
  }),
  SIMULATOR_URL: url({
    group,
    about:
      'A [simulator](../guides/simulator.md) of these providers that runs elsewhere. Test mode works with it, and outside production live mode too as long as no provider is set up. Without it one is started, but not in production: there test mode then has wallets only. Customers reach its card page at the same address.',
    schemes: ['http:', 'https:'],
  }),
} satisfies Record<string, Row<string>>
