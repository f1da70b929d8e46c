// Loaded by Node in the process of each test file (--test-reporter): writes what happens as lines of JSON, which
// test-results.ts reads. CommonJS, because Node wants a reporter as the default export.
'use strict'
const { inspect } = require('node:util')

const wanted = new Set(['dequeue', 'complete', 'start', 'pass', 'fail', 'diagnostic', 'summary'])

// node:test tells only the message of an error that nobody caught; its stack is what one needs.
process.on('uncaughtExceptionMonitor', (error) => process.stderr.write(`Nobody caught: ${inspect(error)}\n`))

module.exports = async function* report(source) {
  for await (const { type, data } of source) {
    const kind = type.replace('test:', '')
    if (!wanted.has(kind)) continue
    yield `${JSON.stringify({
      type: kind,
      name: data.name,
      nesting: data.nesting,
      place: `${data.line}:${data.column}`,
      suite: data.details?.type === 'suite',
      skip: data.skip,
      todo: data.todo,
      message: data.message,
      failure: data.details?.error && failureOf(data.details.error),
      ms: data.details?.duration_ms,
    })}\n`
  }
}

/** The error of the test's own code is the cause; node:test wraps it. */
function failureOf(error) {
  const own = error.cause instanceof Error ? error.cause : undefined
  const text = own === undefined ? String(error.cause ?? error.message) : textOf(own)
  return {
    type: error.failureType,
    text: own && error.message !== own.message ? `${error.message}\n${text}` : text,
  }
}

/** An assertion's message holds the difference already; its fields would say it a second time. */
function textOf(error) {
  const text = error.code === 'ERR_ASSERTION' ? (error.stack ?? error.message) : inspect(error, { depth: 4 })
  return text
    .split('\n')
    .filter((line) => !/^\s+at .*\(?node:(internal\/|async_hooks)/.test(line))
    .join('\n')
}
