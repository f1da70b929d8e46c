// What a page carries beyond the headers that every answer has. The pages hold no inline script or style and load
// nothing from another host, so the browser is told to refuse both.
const policy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self' data:",
  'form-action': "'self'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'frame-ancestors': "'none'",
  'connect-src': "'self'",
}

const writePolicy = (directives: Record<string, string>) =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')

export const pageHeaders = {
  'content-security-policy': writePolicy(policy),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=()',
  // Asked for anew each time (a cheap 304), because a page names the hashed files of one build.
  'cache-control': 'no-cache',
}

/** The API reference writes style elements while it runs. Nothing else is looser there. */
export const referenceHeaders = {
  ...pageHeaders,
  'content-security-policy': writePolicy({
    ...policy,
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self' data:",
  }),
}
