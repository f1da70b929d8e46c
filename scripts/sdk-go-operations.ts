// The types of the Go SDK, made from the OpenAPI document: bodies, queries and answers as structs, in the form that gofmt
// gives them. Run by `npm run docs`; a test fails when the file is stale. The operators' routes are left out.
import { type OpenApi, type Operation, type Schema, takesKey } from './sdk-operations.ts'

/** Better names than the operation gives; of a part: by its field. */
const betterNames: Record<string, string> = {
  RegisterData: 'SignedIn',
  'RegisterData.user': 'User',
  ListSessionsItem: 'Session',
  GetMeData: 'Me',
  'GetMeData.limits': 'Limits',
  ListWalletsItem: 'Wallet',
  ListTransactionsItem: 'Transaction',
  'ListTransactionsItem.counterparty': 'Counterparty',
  GetTransactionData: 'TransactionDetails',
  'GetTransactionData.steps': 'TransactionStep',
  ListMethodsItem: 'Method',
  InitiateDepositData: 'Deposit',
  'InitiateDepositData.failure': 'DepositFailure',
  PreviewWithdrawalData: 'WithdrawalPreview',
  WithdrawData: 'Withdrawal',
  CreateCampaignData: 'Campaign',
  'CreateCampaignData.paused': 'CampaignHalt',
  'CreateCampaignData.owner': 'Person',
  BrowseCampaignsItem: 'ListedCampaign',
  ContributeToCampaignData: 'CampaignContribution',
  'ContributeToCampaignData.campaign': 'CampaignTitle',
  WithdrawFromCampaignData: 'CampaignWithdrawal',
  PreviewCampaignWithdrawalData: 'CampaignWithdrawalPreview',
  PreviewTransferData: 'TransferPreview',
  SendMoneyData: 'Transfer',
  ListRecentRecipientsItem: 'Recipient',
  CreateMoneyRequestData: 'MoneyRequest',
  CreateGroupData: 'Group',
  'CreateGroupData.cycle': 'GroupCycle',
  GetGroupData: 'GroupDetails',
  'GetGroupData.members': 'GroupMember',
  'GetGroupData.round': 'GroupRound',
  'GetGroupData.round.seats': 'GroupSeat',
  'GetGroupData.round.draw': 'GroupDraw',
  'GetGroupData.round.draw.words': 'GroupDrawWord',
  'GetGroupData.debts': 'GroupDebt',
  'GetGroupData.feed': 'GroupNews',
  ContributeToGroupData: 'GroupContribution',
  'ContributeToGroupData.group': 'GroupName',
  GetGroupStatementData: 'GroupStatement',
  GetGroupHeadData: 'GroupHead',
  GetGroupReceiptData: 'GroupReceipt',
  ProposeGroupPayoutData: 'GroupPayout',
  RegisterMerchantData: 'Merchant',
  'RegisterMerchantData.credentials': 'MerchantCredentials',
  'RegisterMerchantData.credentials.live': 'ModeCredentials',
  RevealClientSecretData: 'ClientSecret',
  RotateKeyData: 'RotatedKey',
  PayOutMerchantData: 'MerchantPayout',
  ReplayNotificationData: 'NotificationDetails',
  'ReplayNotificationData.last_attempt': 'LastAttempt',
  'ReplayNotificationData.log': 'NotificationAttempt',
  ListNotificationsItem: 'NotificationSummary',
  ListEndpointsItem: 'Endpoint',
  ListEventsReply: 'Events',
  'ListEventsReply.data': 'Event',
  ListMerchantBalancesItem: 'MerchantBalance',
  GetMerchantVolumeData: 'MerchantVolume',
  'GetMerchantVolumeData.totals': 'MerchantVolumeTotals',
  'GetMerchantVolumeData.totals.accepted': 'MerchantVolumeFigure',
  'GetMerchantVolumeData.periods': 'MerchantVolumePeriod',
  ListMerchantPaymentsItem: 'MerchantPayment',
  'ListMerchantPaymentsItem.failure': 'Failure',
  GetMerchantPaymentData: 'MerchantPaymentDetails',
  'GetMerchantPaymentData.attempts': 'PaymentAttempt',
  'GetMerchantPaymentData.refunds': 'Refund',
  'InitiatePaymentReply.info': 'PaymentInfo',
  CreatePaymentData: 'StartedPayment',
  GetPaymentData: 'Payment',
}

/** Cookies are for pages; a program has the token. */
const leftOut = new Set(['LoginBody.session', 'RegisterBody.session'])

const heading =
  '// Code generated from docs/reference/openapi.json by "npm run docs". DO NOT EDIT.\n\npackage mfuko\n'

type Side = 'sent' | 'answered'

interface Field {
  comment: string
  name: string
  type: string
  tag: string
}

export function sdkGoOperations(document: OpenApi): string {
  const structs = openStructs()
  const keyed: string[] = []
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
      if (takesKey(operation)) keyed.push(route)
      if (!path.startsWith('/api/operator/')) addOperation(structs, { route, operation })
    }
  }
  const codes = document.components.schemas.ErrorReply.properties?.code?.enum ?? []
  const types = structs.written()
  return [
    heading,
    imports(types.join('\n')),
    codeConstants(codes.map(String)),
    ...types,
    '// keyedRoutes take an Idempotency-Key: a repeated request happens once.',
    `var keyedRoutes = []string{\n${keyed.map((route) => `\t"${route}",`).join('\n')}\n}\n`,
  ].join('\n')
}

function imports(types: string): string {
  const used = [
    ...(types.includes('json.RawMessage') ? ['encoding/json'] : []),
    ...(types.includes('time.Time') ? ['time'] : []),
  ]
  return `import (\n${used.map((name) => `\t"${name}"\n`).join('')})\n`
}

function codeConstants(codes: string[]): string {
  const names = codes.map((code) => `Code${goName(code)}`)
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map((name, at) => `\t${name.padEnd(width)} Code = "${codes[at]}"`)
  return `// What the service says. The list is in docs/reference/errors.md.\nconst (\n${lines.join('\n')}\n)\n`
}

interface Described {
  route: string
  operation: Operation
}

function addOperation(structs: Structs, { route, operation }: Described): void {
  const { operationId, parameters = [], requestBody, responses } = operation
  const Name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length > 0) {
    const properties = Object.fromEntries(
      query.map(({ name, schema, description = '' }) => [name, { ...schema, description }]),
    )
    const required = query.filter((parameter) => parameter.required).map(({ name }) => name)
    const schema = { type: 'object', properties, required }
    structs.add(`${Name}Query`, { schema, side: 'sent', about: `is the query of ${route}.` })
  }
  const body = requestBody?.content['application/json']?.schema
  if (body !== undefined)
    structs.add(`${Name}Body`, { schema: body, side: 'sent', about: `is what ${route} takes.` })
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const reply = answer?.content?.['application/json']?.schema
  const { data, meta } = reply?.properties ?? {}
  const about = `is what ${route} answers.`
  const isPlain = data === undefined || (meta !== undefined && !('next_cursor' in (meta.properties ?? {})))
  if (isPlain) structs.add(`${Name}Reply`, { schema: reply ?? {}, side: 'answered', about })
  else if (data.type === 'array')
    structs.add(`${Name}Item`, {
      schema: data.items ?? {},
      side: 'answered',
      about: `is one of what ${route} answers.`,
    })
  else structs.add(`${Name}Data`, { schema: data, side: 'answered', about })
}

interface Struct {
  schema: Schema
  side: Side
  about: string
}

interface Struct {
  schema: Schema
  side: Side
  about: string
  /** Unless there is a better one. */
  name?: string
}

/** Each is written once: what looks the same has the name it got first. */
function openStructs() {
  const written: string[] = []
  const known = new Map<string, string>()
  const structs = {
    written: () => written,
    /** `path`: `CreatePaymentBody`, `GetGroupData.round`. */
    add: (path: string, { schema, side, about, name: wanted = path }: Struct): string => {
      if (schema.type !== 'object' || schema.properties === undefined) return 'json.RawMessage'
      const name = betterNames[path] ?? wanted
      const text = structText(fieldsOf(structs, { schema, side, path, name }))
      const before = known.get(text)
      if (before !== undefined) return before
      known.set(text, name)
      const more = schema.description ? `\n// ${oneLine(schema.description)}` : ''
      written.push(`// ${name} ${about}${more}\ntype ${name} struct {\n${text}\n}\n`)
      return name
    },
  }
  return structs
}

type Structs = ReturnType<typeof openStructs>

interface Place {
  schema: Schema
  side: Side
  path: string
  /** Of the struct that it is in. */
  name: string
}

function fieldsOf(structs: Structs, { schema, side, path, name }: Place): Field[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties)
    .filter(([key]) => !leftOut.has(`${path}.${key}`))
    .map(([key, field]) => {
      const isOptional = side === 'sent' && !required.includes(key)
      const place = { schema: field, side, path: `${path}.${key}`, name: name + goName(key) }
      return {
        comment: fieldComment(field),
        name: goName(key),
        type: isOptional ? optionalType(structs, place) : goType(structs, place),
        tag: `\`json:"${key}${isOptional ? ',omitempty' : ''}"\``,
      }
    })
}

/** Of what may be left out: the zero value must not be something that one may want to say. */
function optionalType(structs: Structs, place: Place): string {
  const type = goType(structs, place)
  if (isNullable(place.schema)) return '*Nullable'
  const mayBeZero = type === 'bool' || (type === 'int' && (place.schema.minimum ?? 0) <= 0)
  return mayBeZero ? `*${type}` : type
}

function goType(structs: Structs, place: Place): string {
  const { schema, side } = place
  if (isNullable(schema)) {
    const [inner = {}, ...others] = (schema.anyOf ?? typesOf(schema)).filter(({ type }) => type !== 'null')
    if (others.length > 0) return 'json.RawMessage'
    const type = goType(structs, { ...place, schema: inner })
    // Nothing is "" in texts and amounts, and nil in lists.
    return /^(string|Amount|Currency|json\.RawMessage|\[\]|map)/.test(type) ? type : `*${type}`
  }
  if (Array.isArray(schema.type)) return schema['x-money'] ? 'Amount' : 'json.RawMessage'
  switch (schema.type) {
    case 'array':
      return `[]${goType(structs, { ...place, schema: schema.items ?? {} })}`
    case 'object':
      return objectType(structs, place)
    case 'string':
      if (schema.enum?.includes('UGX')) return 'Currency'
      return schema.format === 'date-time' && side === 'answered' ? 'time.Time' : 'string'
    case 'number':
      return 'Amount'
    case 'integer':
      return 'int'
    case 'boolean':
      return 'bool'
    default:
      return 'json.RawMessage'
  }
}

function objectType(structs: Structs, place: Place): string {
  const { properties, additionalProperties } = place.schema
  if (properties === undefined) {
    if (typeof additionalProperties !== 'object') return 'map[string]json.RawMessage'
    return `map[string]${goType(structs, { ...place, schema: additionalProperties })}`
  }
  const [[key, inner] = ['', {}]] = Object.entries(properties)
  if (key === 'UGX') return `map[Currency]${goType(structs, { ...place, schema: inner })}`
  const about = `is a part of ${place.name.slice(0, -goName(place.path.split('.').at(-1) ?? '').length)}.`
  return structs.add(place.path, { schema: place.schema, side: place.side, about, name: place.name })
}

const isNullable = ({ anyOf, type }: Schema): boolean =>
  anyOf?.some((one) => one.type === 'null') ?? (Array.isArray(type) && type.includes('null'))

const typesOf = (schema: Schema): Schema[] => [schema.type ?? []].flat().map((type) => ({ ...schema, type }))

/** As gofmt does: columns are as wide as needed between two comments. */
function structText(fields: Field[]): string {
  const groups: Field[][] = []
  for (const field of fields) {
    if (field.comment !== '' || groups.length === 0) groups.push([])
    groups.at(-1)?.push(field)
  }
  const lines = groups.flatMap((group) => {
    const names = Math.max(...group.map(({ name }) => name.length))
    const types = Math.max(...group.map(({ type }) => type.length))
    return group.map(
      ({ comment, name, type, tag }) => `${comment}\t${name.padEnd(names)} ${type.padEnd(types)} ${tag}`,
    )
  })
  return lines.join('\n')
}

function fieldComment(schema: Schema): string {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  const words = oneLine(schema.description ?? inner.description ?? '')
  const values = (inner.enum ?? []).map(String)
  const isPlain = values.length < 2 || values.includes('UGX') || inner.type !== 'string'
  const choice = isPlain ? '' : `One of ${values.join(', ')}.`
  const text = [words, choice].filter((part) => part !== '').join(' ')
  return text === '' ? '' : `\t// ${text}\n`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const initialisms = new Set(['url', 'id', 'ipn', 'csv', 'ms'])

const goName = (key: string): string =>
  key
    .split('_')
    .map((word) =>
      initialisms.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('')
