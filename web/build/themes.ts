import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const name = 'virtual:themes.css'
const lightBlock = /:root \{([\s\S]*?)\n\}/
const darkBlock = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([\s\S]*?)\n {2}\}/

/**
 * tokens.css says each theme once, by the system's wish. In the app a person may choose, and `data-theme` on the root
 * element goes before the system. The second copy of the colours is made here, so that it can't differ.
 */
export const themes = (tokensFile: string): Plugin => ({
  name: 'mfuko-themes',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load(id) {
    if (id !== `\0${name}`) return undefined
    this.addWatchFile(tokensFile)
    return chosenThemes(readFileSync(tokensFile, 'utf8'))
  },
})

function chosenThemes(tokens: string): string {
  const light = lightBlock.exec(tokens)?.[1]
  const dark = darkBlock.exec(tokens)?.[1]
  if (light === undefined || dark === undefined) throw new Error('tokens.css has another form than expected.')
  const rule = (theme: string, lines: string) =>
    `:root[data-theme="${theme}"] {${lines}\ncolor-scheme: ${theme};\n}\n`
  return rule('light', light.replace(/color-scheme:[^;]*;/, '')) + rule('dark', dark)
}
