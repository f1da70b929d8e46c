/** Names of files and folders, and words that have no place in any file. */

import { lineAt, type Rule } from './scan.ts'

const kebab = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/
/** Files whose name others have decided: documents at the top, and what tools look for. */
const givenNames = /^(?:[A-Z]+\.md|LICENSE|NOTICE|Dockerfile)$/
/** Other languages have rules of their own, which their tools rely on: `__init__.py`, `client_test.go`, `Client.php`. */
const otherLanguage = /^sdk\/(?:go|php|python)\//

const fileName: Rule = {
  name: 'file-name',
  check: (sources) =>
    sources
      .filter(({ path }) => !otherLanguage.test(path))
      .filter(({ path }) => path.split('/').some((part) => !kebab.test(part) && !givenNames.test(part)))
      .map(({ path }) => ({
        path,
        line: 1,
        rule: 'file-name',
        hint: 'names are kebab-case: small letters, digits, hyphens',
      })),
}

const indexFile: Rule = {
  name: 'index-file',
  check: (sources) =>
    sources
      .filter(({ path }) => /(?:^|\/)index\.(?:ts|tsx|js|mjs|cjs)$/.test(path))
      .map(({ path }) => ({
        path,
        line: 1,
        rule: 'index-file',
        hint: 'name the file by its concept; a door has its room’s name',
      })),
}

const emptyFolders = ['utils', 'common', 'helpers', 'types', 'lib', 'shared', 'misc']

const folderName: Rule = {
  name: 'folder-name',
  check: (sources) =>
    sources
      .filter(({ path }) => path.startsWith('server/src/'))
      .filter(({ path }) =>
        path
          .split('/')
          .slice(2, -1)
          .some((part) => emptyFolders.includes(part)),
      )
      .map(({ path }) => ({
        path,
        line: 1,
        rule: 'folder-name',
        hint: `a folder called ${emptyFolders.join(', ')} says nothing: name the concept`,
      })),
}

/** Written in parts, so that this file has none of them. */
const workplaceWords = [
  new RegExp(['/wo', 'rk/'].join('')),
  new RegExp(['\\.\\./sha', 'red\\b'].join('')),
  new RegExp(['\\bsub', '-?agents?\\b'].join(''), 'i'),
  new RegExp(['\\bcla', 'ude'].join(''), 'i'),
  new RegExp(['\\bC', 'EO\\b'].join('')),
]

/** The lockfile is left out: its checksums can spell anything. */
const workplace: Rule = {
  name: 'workplace-word',
  check: (sources) =>
    sources
      .filter(({ path }) => path !== 'package-lock.json')
      .flatMap(({ path, text }) =>
        workplaceWords.flatMap((word) => {
          const found = word.exec(text)
          const hint = `"${found?.[0]}" points outside the project: readers of the project cannot follow it`
          return found ? [{ path, line: lineAt(text, found.index), rule: 'workplace-word', hint }] : []
        }),
      ),
}

export const fileRules: Rule[] = [fileName, indexFile, folderName, workplace]
