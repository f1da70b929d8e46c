// How much of the machine's memory the embedded server keeps pages in.
import { totalmem } from 'node:os'

const megabyte = 1024 * 1024
const buffersLeastMb = 128
const buffersMostMb = 4096

/**
 * An eighth of the memory: enough that the indexes of ten million entries stay in it, and little enough that the
 * service, the system's own cache and a neighbour have room. The most is where larger ones gain nothing more.
 */
export function sharedBuffers(memoryBytes: number): string {
  const eighthMb = Math.floor(memoryBytes / 8 / megabyte)
  return `${Math.min(buffersMostMb, Math.max(buffersLeastMb, eighthMb))}MB`
}

/** What a container or a limit leaves us of the machine's memory; 0 or a huge number where there is no such limit. */
export const memoryOf = (limitBytes: number, machineBytes = totalmem()): number =>
  limitBytes > 0 ? Math.min(limitBytes, machineBytes) : machineBytes
