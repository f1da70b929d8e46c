// What each mail is filled with. The words are in words/: one file a language, complete by its type.

/** A moment, shown in the reader's language and in UTC, or by the clock of another place. */
interface Moment {
  time: Date
}
interface MomentThere extends Moment {
  timeZone: string
}

export interface TemplateData {
  confirm_email: { code: string }
  reset_password: { code: string }
  new_device: Moment & { device: string; address: string }
  /** `ended`: all other sessions were ended with it. */
  pin_changed: Moment & { ended?: 'yes' }
  /** `disabled`: no waiting opens it again. */
  pin_locked: Moment & { disabled?: 'yes' }
  password_changed: Moment
  /** To the address of before. */
  email_changed: Moment
  /** After a hundred wrong passwords. */
  login_locked: Moment
  session_revoked: Moment
  /** From another device, by whoever is signed in there. */
  session_ended: Moment & { device: string }
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
  /** By a provider; the fee left beside the amount. */
  withdrawal_done: Moment & {
    amountText: string
    to: string
    feeText: string
    reference: string
    balanceText: string
  }
  withdrawal_failed: Moment & { amountText: string; to: string; reference: string }
  money_request: { amountText: string; from: string; note?: string | undefined }
  /** A cycle of a savings group that the reader has not paid for; the moment is when it is or was due. */
  group_due_soon: MomentThere & { groupName: string; amountText: string }
  group_due_today: MomentThere & { groupName: string; amountText: string }
  group_late: MomentThere & { groupName: string; amountText: string }
  group_proposal: { groupName: string; from: string; to: string; amountText: string; reason: string }
  merchant_approved: { businessName: string }
  merchant_rejected: { businessName: string; reason: string }
  merchant_suspended: { businessName: string; reason: string }
  merchant_reinstated: { businessName: string }
  /** The provider did not take it to the customer, perhaps days after it was asked for. */
  refund_failed: Moment & {
    businessName: string
    amountText: string
    reference: string
    mode: 'live' | 'test'
  }
  campaign_ended: { title: string; raisedText: string; goalText: string }
  campaign_paused: { title: string; reason: string }
  campaign_resumed: { title: string }
  /** To the owner: the money goes back to who gave it. */
  campaign_returning: { title: string; reason: string }
  /** To who gave. */
  campaign_returned: { title: string; reason: string; amountText: string; reference: string }
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
  session_ended: ['device', 'time'],
  account_frozen: [],
  account_unfrozen: [],
  money_in: ['amountText', 'from', 'reference', 'balanceText', 'time'],
  money_out: ['amountText', 'to', 'feeText', 'reference', 'balanceText', 'time'],
  withdrawal_done: ['amountText', 'to', 'feeText', 'reference', 'balanceText', 'time'],
  withdrawal_failed: ['amountText', 'to', 'reference', 'time'],
  money_request: ['amountText', 'from'],
  group_due_soon: ['groupName', 'amountText', 'time'],
  group_due_today: ['groupName', 'amountText', 'time'],
  group_late: ['groupName', 'amountText', 'time'],
  group_proposal: ['groupName', 'from', 'to', 'amountText', 'reason'],
  merchant_approved: ['businessName'],
  merchant_rejected: ['businessName', 'reason'],
  merchant_suspended: ['businessName', 'reason'],
  merchant_reinstated: ['businessName'],
  refund_failed: ['businessName', 'amountText', 'reference', 'mode', 'time'],
  campaign_ended: ['title', 'raisedText', 'goalText'],
  campaign_paused: ['title', 'reason'],
  campaign_resumed: ['title'],
  campaign_returning: ['title', 'reason'],
  campaign_returned: ['title', 'reason', 'amountText', 'reference'],
  notification_trouble: ['businessName', 'url', 'time'],
  notification_suspended: ['businessName', 'url', 'time'],
  notification_gone: ['businessName', 'url', 'time'],
}

/** Their contents are wiped as soon as they have served. */
export const hasCode = (template: TemplateName): boolean => neededFields[template].includes('code')

export const isTemplate = (text: string): text is TemplateName => Object.hasOwn(neededFields, text)
