// What a mail says, and until it is written what it is filled with. Where that shows a code it is sealed: a copy of the
// database opens no account, and a code that is moved to the mail of somebody else can't be read there.
import { placeIn, type Seal, type SealedColumn } from '../base/seal.ts'
import type { MessageRow } from './sql.ts'

export interface Contents {
  data?: object | undefined
  text?: string | undefined
  html?: string | undefined
}

export const codeContents: SealedColumn = { table: 'mail.messages', key: 'id', column: 'sealed' }

export const sealContents = (seal: Seal, { id, contents }: { id: string; contents: Contents }): Buffer =>
  seal.seal(JSON.stringify(contents), placeIn(codeContents, id))

/** Nothing of it is there when it was wiped. A code that the release before wrote down is not sealed. */
export function contentsOf(
  seal: Seal,
  row: Pick<MessageRow, 'id' | 'data' | 'body_text' | 'body_html' | 'sealed'>,
): Contents {
  if (row.sealed !== null) return JSON.parse(seal.open(row.sealed, placeIn(codeContents, row.id)))
  return {
    data: row.data ?? undefined,
    text: row.body_text ?? undefined,
    html: row.body_html ?? undefined,
  }
}
