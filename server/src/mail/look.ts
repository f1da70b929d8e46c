/**
 * The colours and sizes of web/tokens.css that a mail needs. Written out, because mail readers know no custom
 * properties; a test holds them against that file. Only the light ones: what a mail reader makes of them in the dark is
 * its own affair.
 */
export const look = {
  ground: '#fbfaf7',
  surface: '#ffffff',
  sunk: '#f2efe7',
  line: '#e0dccf',
  ink: '#1b1f1a',
  'ink-soft': '#4d554a',
  brand: '#0f5c3f',
  radius: '12px',
} as const

/** The same families as on the pages, without double quotes: they stand inside an attribute. */
export const fonts = {
  text: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif",
  code: "ui-monospace, Menlo, Consolas, 'Roboto Mono', monospace",
} as const
