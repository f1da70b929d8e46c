// Which process has the other end of a connection on this machine, by what Linux says of it. Use:
//
//   const service = ownerOf(delivery.port, stage.services)
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ServiceProcess } from './service.ts'

export function ownerOf(port: number, among: readonly ServiceProcess[]): ServiceProcess | undefined {
  const socket = socketAt(port)
  if (socket === undefined) return undefined
  return among.find((one) => one.isAlive() && socketsOf(one.pid).includes(socket))
}

/** As its owner's files name it. In the table a row is "number: address:port address:port state … inode". */
function socketAt(port: number): string | undefined {
  const place = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const columns = line.trim().split(/\s+/)
    if (columns[1] === place) return `socket:[${columns[9]}]`
  }
  return undefined
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)]
    } catch {
      // Closed in this very moment.
      return []
    }
  })
}
