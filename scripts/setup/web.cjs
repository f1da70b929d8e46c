'use strict'
// Builds the web app. The stamp in web/dist is a hash of everything the build reads. It is removed first and written
// last, so an interrupted build is never taken for a whole one.
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const { withLock } = require('./lock.cjs')
const { nodeBinary } = require('./node-binary.cjs')
const { run } = require('./run.cjs')
const { startError } = require('./start-error.cjs')

const root = path.resolve(__dirname, '../..')
const web = path.join(root, 'web')
const stamp = path.join(web, 'dist/.stamp')
/** Outside web/: the versions of the tools, the version that the pages show, the settings of TypeScript. */
const alsoRead = ['package-lock.json', 'package.json', 'tsconfig.base.json']

async function ensureWebBuilt({ say }) {
  if (isWebBuilt()) return
  await withLock({ name: 'mfuko-web', say }, async (started) => {
    // Another command may have done it while we waited.
    if (isWebBuilt()) return
    const hash = hashOfSources()
    fs.rmSync(stamp, { force: true })
    await build({ say, started })
    fs.writeFileSync(`${stamp}.new`, hash)
    fs.renameSync(`${stamp}.new`, stamp)
  })
}

/** An image for production may bring the built pages without their sources. */
function isWebBuilt() {
  if (!fs.existsSync(path.join(web, 'vite.config.ts'))) return true
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hashOfSources()
}

async function build({ say, started }) {
  const vite = createRequire(path.join(web, 'package.json')).resolve('vite/package.json')
  const { code, error, output } = await run({
    command: nodeBinary(),
    args: [path.join(path.dirname(vite), 'bin/vite.js'), 'build', '--logLevel', 'warn'],
    cwd: web,
    // A NODE_ENV of development would put React's slow half into the pages.
    env: { ...process.env, NODE_ENV: 'production' },
    doing: 'Building the web app',
    done: 'Built the web app',
    say,
    started,
  })
  if (code === 0) return
  process.stderr.write(`${output || error?.message || ''}\n`)
  throw startError(
    'The web app could not be built; the lines above say why. Mend that, then run the command again.',
  )
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of [...alsoRead, ...sources('web'), ...sources('sdk/js/src'), ...documents()]) {
    hash
      .update(`${file}\n`)
      .update(fs.readFileSync(path.join(root, file)))
      .update('\n')
  }
  return hash.digest('hex')
}

/** The pages of the documentation are made from these. */
function documents() {
  const libraries = ['js', 'php', 'python', 'go']
  const pages = [
    'CHANGELOG.md',
    'SECURITY.md',
    'integrations/woocommerce/README.md',
    ...libraries.map((name) => `sdk/${name}/README.md`),
  ]
  return [...sources('docs'), ...pages.filter((file) => fs.existsSync(path.join(root, file)))]
}

/** Files in a fixed order, without what the build makes and what only tests read. */
function sources(folder) {
  if (!fs.existsSync(path.join(root, folder))) return []
  const left = ['dist', 'node_modules', 'test', 'biome.json']
  return fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !left.includes(name) && !/\.test\.tsx?$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? sources(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    )
}

module.exports = { ensureWebBuilt, isWebBuilt }
