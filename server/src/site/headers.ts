import * as http from '../http/headers.ts'

export const pageHeaders = {
  ...http.pageHeaders,
  // Asked for anew each time (a cheap 304), because a page names the hashed files of one build.
  'cache-control': 'no-cache',
}

/** The API reference writes style elements while it runs. Nothing else is looser there. */
export const referenceHeaders = {
  ...pageHeaders,
  'content-security-policy': http.writePolicy({
    ...http.pagePolicy,
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self' data:",
  }),
}
