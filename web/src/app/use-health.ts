import { useCallback, useEffect, useRef, useState } from 'react'

/** What the page knows of the service. `unavailable`: it answers that it is not ready. */
export type Health =
  | { state: 'checking' }
  | { state: 'ok'; version: string; time: Date; checkedAt: Date }
  | { state: 'unavailable'; checkedAt: Date }
  | { state: 'unreachable'; checkedAt: Date }

const intervalMs = 10_000
const timeoutMs = 8_000

/** Checks at once, every 10 seconds while the page is seen, and when it is seen again. */
export const useHealth = (): { health: Health; checkNow: () => void } => {
  const [health, setHealth] = useState<Health>({ state: 'checking' })
  const latest = useRef<AbortController>(null)

  const check = useCallback(async () => {
    latest.current?.abort()
    const mine = new AbortController()
    latest.current = mine
    const answer = await askHealth(mine)
    // A newer question, or a page that has gone, makes this answer worthless.
    if (latest.current === mine) setHealth(answer)
  }, [])

  useEffect(() => {
    const checkIfSeen = () => {
      if (!document.hidden) void check()
    }
    checkIfSeen()
    const timer = setInterval(checkIfSeen, intervalMs)
    document.addEventListener('visibilitychange', checkIfSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', checkIfSeen)
      latest.current?.abort()
      latest.current = null
    }
  }, [check])

  return { health, checkNow: () => void check() }
}

const askHealth = async (controller: AbortController): Promise<Health> => {
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const reply = await fetch('/api/health', { cache: 'no-store', signal: controller.signal })
    return readHealth(await reply.json(), new Date())
  } catch {
    return { state: 'unreachable', checkedAt: new Date() }
  } finally {
    clearTimeout(timer)
  }
}

const readHealth = (body: unknown, checkedAt: Date): Health => {
  const { status, version, time } = (body ?? {}) as Record<string, unknown>
  if (status === 'ok' && typeof version === 'string' && typeof time === 'string') {
    return { state: 'ok', version, time: new Date(time), checkedAt }
  }
  return { state: status === 'unavailable' ? 'unavailable' : 'unreachable', checkedAt }
}
