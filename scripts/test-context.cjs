// Loaded before a test file. To know which test a call of `test()` or `after()` stands in, node:test follows every promise
// of the process, which takes up to a tenth of its time. Here it is told by an AsyncLocalStorage, which costs next to
// nothing. Seen on Node 24.21: it asks async_hooks for three things when it is loaded, and gets these in their place.
// Afterwards async_hooks is as it was, for everybody else.
'use strict'
const hooks = require('node:async_hooks')

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks
const running = new AsyncLocalStorage()
let onTest = () => undefined

class TestResource extends AsyncResource {
  constructor(type, options) {
    super(type, options)
    onTest(this.asyncId(), type, 0, this)
  }

  runInAsyncScope(work, thisArg, ...args) {
    const inside = () => Reflect.apply(work, thisArg, args)
    return super.runInAsyncScope(() => running.run(this.asyncId(), inside))
  }
}

Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  createHook: ({ init }) => {
    onTest = init
    return { enable: () => undefined, disable: () => undefined }
  },
})
require('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })

// What has been read and compiled is kept when a process ends; the others that start meanwhile need it sooner.
const { flushCompileCache } = require('node:module')
setTimeout(flushCompileCache, 3_000).unref()
