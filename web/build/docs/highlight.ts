// Colours for examples of code, when the pages are built. It knows words, texts, comments and numbers of the languages
// that the documentation uses, and no more: what it does not understand stays plain.

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

interface Language {
  comment?: RegExp
  text: RegExp
  words?: readonly string[]
}

const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/
const slashes = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
const hashes = /(?<![\w$])#[^\n]*/

const js: Language = {
  comment: slashes,
  text: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/,
  words:
    'async await catch const else export for from function if import in instanceof let new of return throw try typeof while'.split(
      ' ',
    ),
}

const languages: Record<string, Language> = {
  js,
  ts: js,
  json: { text: quoted, words: ['true', 'false', 'null'] },
  sh: { comment: hashes, text: /"(?:[^"\\]|\\.)*"|'[^']*'/, words: ['export'] },
  php: {
    comment: new RegExp(`${slashes.source}|#(?!\\[)[^\\n]*`),
    text: quoted,
    words:
      'as catch class declare echo else elseif exit fn foreach function if instanceof match namespace new private public readonly require return static throw try use while'.split(
        ' ',
      ),
  },
  python: {
    comment: hashes,
    text: /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/,
    words:
      'and as class def elif else except False for from if import in is lambda None not or pass raise return True try while with yield'.split(
        ' ',
      ),
  },
  go: {
    comment: slashes,
    text: /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'/,
    words:
      'case chan const defer else for func go if import interface map nil package range return select struct switch type var'.split(
        ' ',
      ),
  },
  sql: {
    comment: /--[^\n]*/,
    text: /'[^']*'/,
    words: 'create from insert into on primary key table update values where select not null default'.split(
      ' ',
    ),
  },
}

export function highlight(code: string, name: string): string {
  const language = Object.hasOwn(languages, name) ? languages[name] : undefined
  if (language === undefined) return escapeHtml(code)
  const { comment, text, words = [] } = language
  const parts = [
    ...(comment === undefined ? [] : [`(?<comment>${comment.source})`]),
    `(?<text>${text.source})`,
    '(?<number>\\b\\d[\\d_]*(?:\\.\\d+)?\\b)',
    ...(words.length === 0 ? [] : [`(?<word>(?<![\\w$.-])(?:${words.join('|')})(?![\\w-]))`]),
  ]
  let html = ''
  let at = 0
  for (const match of code.matchAll(new RegExp(parts.join('|'), 'g'))) {
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? []
    html += `${escapeHtml(code.slice(at, match.index))}<span class="code-${kind}">${escapeHtml(match[0])}</span>`
    at = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(at))
}
