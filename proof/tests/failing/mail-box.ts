// A mail server that takes everything, and can go away. It speaks as little SMTP as a client needs. Use:
//
//   const mails = await openMailBox()
//   await mails.away(); await mails.back()
//   mails.taken()         // how many have come
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface MailBox {
  url: string
  taken(): number
  away(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

export async function openMailBox(): Promise<MailBox> {
  let taken = 0
  const sockets = new Set<Socket>()
  const open = async (port: number): Promise<Server> => {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
      talk(socket, () => {
        taken += 1
      })
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let server: Server | undefined = await open(0)
  const { port } = server.address() as AddressInfo
  const away = async () => {
    const ending = server
    server = undefined
    for (const socket of sockets) socket.destroy()
    if (ending === undefined) return
    ending.close()
    await once(ending, 'close')
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken: () => taken,
    away,
    back: async () => {
      server ??= await open(port)
    },
    close: away,
  }
}

function talk(socket: Socket, onMail: () => void): void {
  let inMail = false
  let rest = ''
  const say = (line: string) => void (socket.writable && socket.write(`${line}\r\n`))
  say('220 mail box')
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (inMail && line !== '.') continue
      const word = inMail ? '.' : line.slice(0, 4).toUpperCase()
      inMail = word === 'DATA'
      if (word === '.') onMail()
      if (word === 'QUIT') socket.end('221 bye\r\n')
      else say(inMail ? '354 go on' : '250 good')
    }
  })
}
