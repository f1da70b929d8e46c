// What must be ready before the program can run, for `npm start`, `npm test` and `npm run bench`: a Node, the packages,
// the web app. Any Node must be able to read this file, so it has no syntax newer than ES2015; the rest waits in setup/.
'use strict'

const nodeMin = 20

/** Ends the process with a sentence when this Node is too old. */
function requireNode() {
  const version = process.versions.node
  if (Number(version.split('.')[0]) >= nodeMin) return
  const needed = `Mfuko needs Node ${nodeMin} or later, and this is Node ${version}.`
  process.stderr.write(`${needed} Install a newer one (https://nodejs.org), then run the command again.\n`)
  process.exit(1)
}

// All of them throw an error with the name StartError when a person has something to mend: its message says what.
module.exports = {
  requireNode,
  /** Installs the packages when those there are not the ones wanted. `dev: false` leaves out what only builds and tests need. */
  ensureInstalled: (options) => require('./setup/install.cjs').ensureInstalled(options),
  /** Builds the web app when its sources have changed. */
  ensureWebBuilt: (options) => require('./setup/web.cjs').ensureWebBuilt(options),
  /** Is the web app there, built from these sources? */
  isWebBuilt: () => require('./setup/web.cjs').isWebBuilt(),
  /** The Node that runs the program. Only after ensureInstalled. */
  nodeBinary: () => require('./setup/node-binary.cjs').nodeBinary(),
  /** The environment to run the service in. */
  nodeEnvironment: () => require('./setup/node-binary.cjs').nodeEnvironment(),
  /** Prepares, then runs a script on that Node; its exit code becomes ours. */
  runScript: (options) => require('./setup/run-script.cjs').runScript(options),
}
