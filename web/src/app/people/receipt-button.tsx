// The receipt that the service makes, on paper. It is fetched with the session's token and shown to the printer in a frame
// that can run nothing.
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { useErrorText } from '../kit/errors.ts'
import { useWords } from '../kit/language.ts'
import { Notice } from '../kit/notice.tsx'
import { client } from '../session.ts'
import { details } from './history-words.ts'

export const ReceiptButton = ({ reference }: { reference: string }) => {
  const t = useWords(details)
  const text = useErrorText()
  const [{ isBusy, page, count, error }, show] = useState<{
    isBusy: boolean
    count: number
    page?: string
    error?: unknown
  }>({ isBusy: false, count: 0 })
  const print = async () => {
    show({ isBusy: true, count })
    try {
      show({ isBusy: false, page: await client.transactions.receipt(reference), count: count + 1 })
    } catch (caught) {
      show({ isBusy: false, count, error: caught })
    }
  }
  return (
    <>
      {error !== undefined && <Notice kind="problem" title={text(error)} />}
      <Button busy={isBusy} onClick={() => void print()}>
        <Printer aria-hidden="true" className="people-button-icon" />
        {t.print}
      </Button>
      {page !== undefined && (
        <iframe
          key={count}
          className="people-print"
          title={t.receipt}
          tabIndex={-1}
          aria-hidden="true"
          sandbox="allow-same-origin allow-modals"
          srcDoc={page}
          onLoad={(event) => event.currentTarget.contentWindow?.print()}
        />
      )}
    </>
  )
}
