// What each mail is filled with. The words are in words/: one file a language, complete by its type.

/** A moment, shown in the reader's language and in UTC. */
interface Moment {
  time: Date
}

export interface TemplateData {
  confirm_email: { code: string }
  reset_password: { code: string }
  new_device: Moment & { device: string; address: string }
  pin_changed: Moment
  pin_locked: Moment
  password_changed: Moment
  /** To the address of before. */
  email_changed: Moment
  /** After a hundred wrong passwords. */
  login_locked: Moment
  session_revoked: Moment
  account_frozen: Record<string, never>
  account_unfrozen: Record<string, never>
  /** Amounts are text in the reader's language: `toText(amount, locale)`. */
  money_in: Moment & { amountText: string; from: string; reference: string; balanceText: string }
  money_out: Moment & {
    amountText: string
    to: string
    feeText: string
    reference: string
    balanceText: string
  }
  money_request: { amountText: string; from: string; note?: string | undefined }
  merchant_approved: { businessName: string }
  merchant_rejected: { businessName: string; reason: string }
  merchant_suspended: { businessName: string; reason: string }
  merchant_reinstated: { businessName: string }
  /** The same notification failed several times. */
  notification_trouble: Moment & { businessName: string; url: string }
  /** Nothing is sent to this address any more: it has failed for days, */
  notification_suspended: Moment & { businessName: string; url: string }
  /** or it has said that it is gone for good. */
  notification_gone: Moment & { businessName: string; url: string }
}

export type TemplateName = keyof TemplateData

/** The fields a template can't do without. */
export const neededFields: { readonly [Name in TemplateName]: readonly string[] } = {
  confirm_email: ['code'],
  reset_password: ['code'],
  new_device: ['device', 'address', 'time'],
  pin_changed: ['time'],
  pin_locked: ['time'],
  password_changed: ['time'],
  email_changed: ['time'],
  login_locked: ['time'],
  session_revoked: ['time'],
  account_frozen: [],
  account_unfrozen: [],
  money_in: ['amountText', 'from', 'reference', 'balanceText', 'time'],
  money_out: ['amountText', 'to', 'feeText', 'reference', 'balanceText', 'time'],
  money_request: ['amountText', 'from'],
  merchant_approved: ['businessName'],
  merchant_rejected: ['businessName', 'reason'],
  merchant_suspended: ['businessName', 'reason'],
  merchant_reinstated: ['businessName'],
  notification_trouble: ['businessName', 'url', 'time'],
  notification_suspended: ['businessName', 'url', 'time'],
  notification_gone: ['businessName', 'url', 'time'],
}

/** Their contents are wiped as soon as they have served. */
export const hasCode = (template: TemplateName): boolean => neededFields[template].includes('code')

export const isTemplate = (text: string): text is TemplateName => Object.hasOwn(neededFields, text)
