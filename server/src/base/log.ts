/** What rooms need of a logger: fields first, then a sentence. Fields are never request bodies or credentials. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  fatal(fields: object, message: string): void
}
