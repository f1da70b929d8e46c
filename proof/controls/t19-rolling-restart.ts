// Bugs of the kind that people notice when a process is stopped.
import type { Control } from '../scene.ts'

const proof = 'T19'

export const controls: Control[] = [
  {
    proof,
    name: 'requests that run are cut',
    file: 'server/src/runtime.ts',
    find: '  if (app.server.listening) await sleep(drainMs)\n',
    put: '  app.server.closeAllConnections()\n',
    expect: /who was logging in/,
  },
  {
    proof,
    name: 'it does not say that it is about to stop',
    file: 'server/src/runtime.ts',
    find: '    closers.push(async () => health.stopping())\n',
    put: '',
    expect: /of them said so before/,
  },
  {
    proof,
    name: 'what is being sent is left to its lease',
    file: 'server/src/notifications/delivery.ts',
    find: '    await Promise.race([allEnded, sleep(finishMs, undefined, { ref: false })])\n    await work.sender.close()\n    await allEnded\n    await work.recorder.finish()\n',
    put: '    void allEnded\n',
    expect: /slow shop was delivered|came 2 times/,
  },
]
