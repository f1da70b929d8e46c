// What a person does with the platform, with the token of their login: the same calls in a program and in a page.
import type * as shapes from './operations.ts'
import { dataOf, pageOf, type Request } from './request.ts'
import { campaignCalls, groupCalls } from './together.ts'
import type { CallOptions } from './transport.ts'

export type PlatformCalls = ReturnType<typeof openCalls>

export const openCalls = (request: Request) => ({
  /** Any route, typed. */
  request,
  account: accountCalls(request),
  wallets: {
    list: (call?: CallOptions) => dataOf(request('GET /api/wallets', { ...call })),
    open: (body: shapes.OpenWalletBody, call?: CallOptions) =>
      dataOf(request('POST /api/wallets', { ...call, body })),
  },
  transactions: {
    list: (query: shapes.ListTransactionsQuery = {}, call?: CallOptions) =>
      pageOf(request('GET /api/transactions', { ...call, query })),
    get: (reference: string, call?: CallOptions) =>
      dataOf(request('GET /api/transactions/:reference', { ...call, params: { reference } })),
    /** The whole selection as CSV. */
    csv: (query: shapes.ExportTransactionsQuery = {}, call?: CallOptions) =>
      request('GET /api/transactions.csv', { ...call, query }),
    /** A page to print. */
    receipt: (reference: string, call?: CallOptions) =>
      request('GET /api/transactions/:reference/receipt', { ...call, params: { reference } }),
  },
  transfers: transferCalls(request),
  requests: moneyRequestCalls(request),
  funding: {
    methods: (query: shapes.ListMethodsQuery, call?: CallOptions) =>
      dataOf(request('GET /api/methods', { ...call, query })),
    deposit: (body: shapes.InitiateDepositBody, call?: CallOptions) =>
      dataOf(request('POST /api/deposit/initiate', { ...call, body })),
    /** Fee, and what would be left; moves nothing. */
    previewWithdrawal: (body: shapes.PreviewWithdrawalBody, call?: CallOptions) =>
      dataOf(request('POST /api/withdraw/preview', { ...call, body })),
    withdraw: (body: shapes.WithdrawBody, call?: CallOptions) =>
      dataOf(request('POST /api/withdraw', { ...call, body })),
  },
  groups: groupCalls(request),
  campaigns: campaignCalls(request),
  merchant: merchantCalls(request),
})

const accountCalls = (request: Request) => ({
  me: (call?: CallOptions) => dataOf(request('GET /api/me', { ...call })),
  change: (body: shapes.ChangeMeBody, call?: CallOptions) =>
    dataOf(request('PATCH /api/me', { ...call, body })),
  setPin: (body: shapes.SetPinBody, call?: CallOptions) =>
    dataOf(request('PUT /api/me/pin', { ...call, body })),
  changePassword: (body: shapes.ChangePasswordBody, call?: CallOptions) =>
    dataOf(request('PUT /api/me/password', { ...call, body })),
  changeEmail: (body: shapes.ChangeEmailBody, call?: CallOptions) =>
    dataOf(request('PUT /api/me/email', { ...call, body })),
  changePhone: (body: shapes.ChangePhoneBody, call?: CallOptions) =>
    dataOf(request('PUT /api/me/phone', { ...call, body })),
  confirmEmail: (code: string, call?: CallOptions) =>
    dataOf(request('POST /api/auth/email/confirm', { ...call, body: { code } })),
  resendConfirmation: (call?: CallOptions) => dataOf(request('POST /api/auth/email/resend', { ...call })),
  forgotPassword: (body: shapes.ForgotPasswordBody, call?: CallOptions) =>
    dataOf(request('POST /api/auth/password/forgot', { ...call, body })),
  resetPassword: (body: shapes.ResetPasswordBody, call?: CallOptions) =>
    dataOf(request('POST /api/auth/password/reset', { ...call, body })),
  sessions: (call?: CallOptions) => pageOf(request('GET /api/auth/sessions', { ...call })),
  endSession: (id: string, call?: CallOptions) =>
    dataOf(request('DELETE /api/auth/sessions/:id', { ...call, params: { id } })),
})

const transferCalls = (request: Request) => ({
  /** Fee, and what the recipient gets; moves nothing. */
  preview: (body: shapes.PreviewTransferBody, call?: CallOptions) =>
    dataOf(request('POST /api/send/preview', { ...call, body })),
  send: (body: shapes.SendMoneyBody, call?: CallOptions) =>
    dataOf(request('POST /api/send', { ...call, body })),
  lookUp: (handle: string, call?: CallOptions) =>
    dataOf(request('GET /api/users/:handle', { ...call, params: { handle } })),
  recipients: (call?: CallOptions) => dataOf(request('GET /api/recipients', { ...call })),
})

const moneyRequestCalls = (request: Request) => ({
  create: (body: shapes.CreateMoneyRequestBody, call?: CallOptions) =>
    dataOf(request('POST /api/requests', { ...call, body })),
  list: (query: shapes.ListMoneyRequestsQuery = {}, call?: CallOptions) =>
    pageOf(request('GET /api/requests', { ...call, query })),
  get: (id: string, call?: CallOptions) =>
    dataOf(request('GET /api/requests/:id', { ...call, params: { id } })),
  pay: (id: string, body: shapes.PayMoneyRequestBody, call?: CallOptions) =>
    dataOf(request('POST /api/requests/:id/pay', { ...call, params: { id }, body })),
  decline: (id: string, call?: CallOptions) =>
    dataOf(request('POST /api/requests/:id/decline', { ...call, params: { id } })),
  cancel: (id: string, call?: CallOptions) =>
    dataOf(request('POST /api/requests/:id/cancel', { ...call, params: { id } })),
})

/** Of the owner of a business. */
const merchantCalls = (request: Request) => ({
  register: (body: shapes.RegisterMerchantBody, call?: CallOptions) =>
    dataOf(request('POST /api/merchant/register', { ...call, body })),
  get: (call?: CallOptions) => dataOf(request('GET /api/merchant', { ...call })),
  change: (body: shapes.ChangeMerchantBody, call?: CallOptions) =>
    dataOf(request('PATCH /api/merchant', { ...call, body })),
  revealSecret: (body: shapes.RevealClientSecretBody, call?: CallOptions) =>
    dataOf(request('POST /api/merchant/credentials/reveal', { ...call, body })),
  rotateKey: (body: shapes.RotateKeyBody, call?: CallOptions) =>
    dataOf(request('POST /api/merchant/rotate-key', { ...call, body })),
  payments: (query: shapes.ListMerchantPaymentsQuery = {}, call?: CallOptions) =>
    pageOf(request('GET /api/merchant/payments', { ...call, query })),
  payment: (reference: string, call?: CallOptions) =>
    dataOf(request('GET /api/merchant/payments/:reference', { ...call, params: { reference } })),
  refund: (reference: string, body: shapes.RefundPaymentBody = {}, call?: CallOptions) =>
    dataOf(
      request('POST /api/merchant/payments/:reference/refund', { ...call, params: { reference }, body }),
    ),
  /** Accepted, failed and refunded, by day or week. */
  volume: (query: shapes.GetMerchantVolumeQuery, call?: CallOptions) =>
    dataOf(request('GET /api/merchant/volume', { ...call, query })),
  /** What the business has earned, by currency. */
  balances: (query: shapes.ListMerchantBalancesQuery = {}, call?: CallOptions) =>
    dataOf(request('GET /api/merchant/balances', { ...call, query })),
  /** Earnings to the owner's wallet. */
  payOut: (body: shapes.PayOutMerchantBody, call?: CallOptions) =>
    dataOf(request('POST /api/merchant/payout', { ...call, body })),
  notifications: (query: shapes.ListNotificationsQuery = {}, call?: CallOptions) =>
    pageOf(request('GET /api/merchant/notifications', { ...call, query })),
  notification: (id: string, call?: CallOptions) =>
    dataOf(request('GET /api/merchant/notifications/:id', { ...call, params: { id } })),
  replay: (id: string, call?: CallOptions) =>
    dataOf(request('POST /api/merchant/notifications/:id/replay', { ...call, params: { id } })),
  /** All of a time range that did not arrive. */
  replayRange: (body: shapes.ReplayNotificationsBody, call?: CallOptions) =>
    dataOf(request('POST /api/merchant/notifications/replay', { ...call, body })),
  /** Addresses that have trouble. */
  endpoints: (call?: CallOptions) => dataOf(request('GET /api/merchant/endpoints', { ...call })),
  resumeEndpoint: (body: shapes.ResumeEndpointBody, call?: CallOptions) =>
    dataOf(request('POST /api/merchant/endpoints/resume', { ...call, body })),
  sendTestNotification: (body: shapes.SendTestNotificationBody = {}, call?: CallOptions) =>
    dataOf(request('POST /api/merchant/test-notification', { ...call, body })),
})
