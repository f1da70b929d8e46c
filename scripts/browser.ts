// A Chromium for the browser tests: the one that is there, or else one from the system's packages, or else
// Playwright's own download. Whatever is found must answer `--version`: Ubuntu has a /usr/bin/chromium-browser
// that only says what to install.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type GroupEnd, type GroupOptions, runGroup } from './process-group.ts'
import {
  ensureSystemPackage,
  everyFewSeconds,
  type Found,
  findCommand,
  isProgram,
  usualFolders,
} from './system-package.ts'

export interface FindBrowserOptions {
  say: (line: string) => void
  stop?: AbortSignal
  /** The value of CHROMIUM_PATH. */
  wanted?: string | undefined
  /** Paths to try, in this order; those of this machine, unless told. */
  candidates?: readonly string[]
  /** Ways to get one when none works, in this order; those of this machine, unless told. */
  installers?: readonly Installer[]
}

export type Installer = (options: FindBrowserOptions) => Promise<Found>

/** The shell first: the same engine without windows starts a page in half the time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
]
const shell = { command: 'chromium-headless-shell', aptPackage: 'chromium-headless-shell' }
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
const versionLimitMs = 20_000
const downloadLimitMs = 900_000

export async function findBrowser(options: FindBrowserOptions): Promise<Found> {
  if (options.wanted) {
    if (await answers(options.wanted, options)) return { path: options.wanted }
    return {
      advice: `CHROMIUM_PATH is ${options.wanted}, but that doesn't run as a browser. Correct it or unset it.`,
    }
  }
  for (const path of options.candidates ?? (await candidatesHere(options))) {
    if (await answers(path, options)) return { path }
  }
  for (const install of options.installers ?? [earlierDownload, installPackage, downloadChromium]) {
    const found = await install(options)
    if ('path' in found && (await answers(found.path, options))) return found
  }
  const how =
    process.platform === 'darwin' ? 'brew install --cask google-chrome' : 'sudo apt-get install chromium'
  return {
    advice: `No browser was found on this machine. Install Chromium or Google Chrome, for example with \`${how}\`, or set CHROMIUM_PATH to the program.`,
  }
}

async function candidatesHere({ say, stop }: FindBrowserOptions): Promise<string[]> {
  // Where it may be installed it is; elsewhere any other browser will do.
  await ensureSystemPackage({ ...shell, say, ...(stop === undefined ? {} : { stop }) })
  const inPath = names.map((name) => findCommand(name, usualFolders())).filter((path) => path !== undefined)
  return [...inPath, ...macPaths]
}

/** Also for a program of the right name: does it start? */
async function answers(path: string, { stop }: FindBrowserOptions): Promise<boolean> {
  if (!isProgram(path)) return false
  const end = await run({ command: path, args: ['--version'], limitMs: versionLimitMs }, stop)
  return end.how === 'exited' && end.code === 0
}

const installPackage: Installer = ({ say, stop }) =>
  ensureSystemPackage({
    command: 'chromium',
    aptPackage: 'chromium',
    say,
    ...(stop === undefined ? {} : { stop }),
  })

const earlierDownload: Installer = async () => {
  // Loaded only here: it takes as long as a small test.
  const { chromium } = await import('playwright-core')
  const path = chromium.executablePath()
  return isProgram(path) ? { path } : { advice: 'Playwright has not downloaded a browser yet.' }
}

const downloadChromium: Installer = async (options) => {
  options.say('Downloading Chromium through Playwright…')
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  const args = [cli, 'install', '--no-shell', 'chromium']
  const onOutput = everyFewSeconds(options.say)
  await run({ command: process.execPath, args, limitMs: downloadLimitMs, onOutput }, options.stop)
  return earlierDownload(options)
}

const run = (options: GroupOptions, stop: AbortSignal | undefined): Promise<GroupEnd> =>
  runGroup(stop === undefined ? options : { ...options, stop })
