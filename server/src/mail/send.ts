// The one place mail leaves from. What the mail server answers is a value, not an exception.
import type { Transporter } from 'nodemailer'

export interface Envelope {
  /** Without the angle brackets. The same over all attempts, so that a reader can drop the second copy. */
  messageId: string
  date: Date
  from: { name: string; address: string }
  to: { name: string; address: string }
  locale: string
  subject: string
  text: string
  html: string
}

/** `later`: try again. `never`: the server refuses this recipient or this mail for good. */
export type Outcome = { outcome: 'sent' } | { outcome: 'later' | 'never'; problem: string }

export interface Sender {
  send(envelope: Envelope): Promise<Outcome>
}

interface SenderOptions {
  url: string
  production: boolean
}

const connectMs = 10_000
const silentMs = 30_000

/** A connection a mail: there are few, and none is left open. */
export function openSender(options: SenderOptions): Sender {
  let opened: Promise<Transporter> | undefined
  return {
    send: async ({ messageId, date, from, to, locale, subject, text, html }) => {
      try {
        opened ??= openTransport(options)
        const transport = await opened
        await transport.sendMail({
          messageId: `<${messageId}>`,
          date,
          from,
          to,
          // Written out, so that it is exactly one recipient, whatever the header looks like.
          envelope: { from: from.address, to: [to.address] },
          subject,
          text,
          html,
          headers: {
            'Content-Language': locale,
            // Nobody's holiday answer is wanted.
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
          },
        })
        return { outcome: 'sent' }
      } catch (error) {
        return outcomeOf(error)
      }
    },
  }
}

async function openTransport({ url, production }: SenderOptions): Promise<Transporter> {
  // Many have no mail server, and most processes of the others send nothing: they need not read it.
  const { createTransport } = await import('nodemailer')
  const asked = new URL(url).searchParams.get('requireTLS')
  return createTransport({
    url,
    requireTLS: asked === null ? production && new URL(url).protocol === 'smtp:' : asked === 'true',
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silentMs,
    // A mail is made of what we hand over, and never of files or addresses named in it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const problemMax = 300

/**
 * Only a refusal of the recipient or of the mail itself is final. A refused login or sender is a mistake in our
 * settings, which somebody may mend before the attempts are used up.
 */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Error)) return { outcome: 'later', problem: String(error) }
  const { responseCode, command, code } = error as Error & {
    responseCode?: number
    command?: string
    code?: string
  }
  const isFinal = (responseCode ?? 0) >= 500 && (command === 'RCPT TO' || command === 'DATA')
  const words = error.message
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, problemMax)
    .toWellFormed()
  return { outcome: isFinal ? 'never' : 'later', problem: `${code ?? error.name}: ${words}` }
}
