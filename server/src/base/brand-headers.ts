/** The header names that carry the service's brand, from the one prefix of the configuration: `SVC` → `SVC-Signature`. */
export const brandHeaders = (prefix: string) =>
  ({
    merchantKey: `${prefix}-Merchant-Key`,
    apiKey: `${prefix}-API-Key`,
    /** Of the platform's interface for merchants. */
    key: `X-${prefix}-Key`,
    signature: `${prefix}-Signature`,
    signatureAll: `${prefix}-Signature-All`,
    apiVersion: `${prefix}-API-Version`,
    webhookId: `${prefix}-Webhook-ID`,
    webhookAttempt: `${prefix}-Webhook-Attempt`,
    eventSequence: `${prefix}-Event-Sequence`,
  }) as const
