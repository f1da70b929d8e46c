// The one request that the shop makes: a payment, please.

export interface Gateway {
  apiUrl: string
  /** What header names begin with there. */
  headerPrefix: string
  merchantId: string
  apiKey: string
}

export interface PaymentRequest {
  payment_amount: number
  currency_code: string
  ref_trx: string
  description: string
  success_redirect: string
  failure_url: string
  cancel_redirect: string
  ipn_url: string
}

const timeoutMs = 10_000

export async function askForPayment(
  { apiUrl, headerPrefix, merchantId, apiKey }: Gateway,
  payment: PaymentRequest,
): Promise<{ paymentUrl: string } | { refusal: string }> {
  try {
    const reply = await fetch(`${apiUrl}/api/v1/initiate-payment`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [`${headerPrefix}-Merchant-Key`]: merchantId,
        [`${headerPrefix}-API-Key`]: apiKey,
      },
      body: JSON.stringify(payment),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer = (await reply.json()) as { payment_url?: string; message?: string; errors?: object }
    if (reply.ok && answer.payment_url !== undefined) return { paymentUrl: answer.payment_url }
    return { refusal: `${reply.status} ${answer.message} ${JSON.stringify(answer.errors ?? {})}` }
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) }
  }
}
