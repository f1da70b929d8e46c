// `npm start`: makes ready what is missing, then runs the service (server/src/main.ts) on the project's own Node.
// What must stay true: whatever ends this process, the service ends too. It is told by a message, and when the
// channel for messages breaks, it stops by itself. Any Node must be able to read this file up to the check.
'use strict'
const setup = require('./setup.cjs')

setup.requireNode()
require('./setup/launch.cjs').launch()
