// A mail server for tests: a real one, on a free port of this machine, that keeps what it is given and can be told to
// refuse.
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Received {
  from: string
  to: string[]
  /** As it came over the wire. */
  raw: string
  mail: Email
}

export interface MailServer {
  url: string
  received: Received[]
  /** What it answers to the next recipients, or to the next mails, instead of taking them: `450`, `550`. */
  refuse: { recipients: number[]; mails: number[] }
  stop(): Promise<void>
}

export interface MailServerOptions {
  port?: number
  /** Who may send; absent: anybody. */
  login?: { name: string; password: string }
}

export async function startMailServer({ port = 0, login }: MailServerOptions = {}): Promise<MailServer> {
  const received: Received[] = []
  const refuse: MailServer['refuse'] = { recipients: [], mails: [] }
  const refusal = (responseCode: number | undefined) =>
    responseCode === undefined ? null : Object.assign(new Error('refused by the test'), { responseCode })
  const server = new SMTPServer({
    disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === login?.name && password === login?.password) done(null, { user: username })
      else done(refusal(535))
    },
    onRcptTo: (_address, _session, done) => done(refusal(refuse.recipients.shift())),
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(Buffer.from(chunk))
      const refused = refusal(refuse.mails.shift())
      if (refused !== null) return done(refused)
      const raw = Buffer.concat(chunks).toString('latin1')
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        raw,
        mail: await PostalMime.parse(Buffer.concat(chunks)),
      })
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    refuse,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
