// The receipt of one entry in the account of a group, and the way to check it.
import type { GetGroupReceiptData } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'
import { useParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { Facts } from '../kit/facts.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { feedWords } from './feed-words.ts'
import { saveFile } from './share.ts'
import { fromMinorText } from './sums.ts'
import './together.css'

export const Entry = () => {
  const t = useWords(feedWords)
  const { id, seq } = useParams<{ id: string; seq: string }>()
  const query = useQuery({
    queryKey: ['groups', id, 'entries', seq],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/groups/:id/entries/:seq/receipt', { params: { id, seq }, signal }))
        .data,
  })
  return (
    <Page title={t.proofTitle(Number(seq))} back={`/groups/${id}/feed`}>
      <p className="text-soft">{t.proofText}</p>
      <Loaded query={query} skeleton={<RowBones rows={4} />}>
        {(receipt) => <Proof receipt={receipt} />}
      </Loaded>
    </Page>
  )
}

const Proof = ({ receipt }: { receipt: GetGroupReceiptData }) => {
  const t = useWords(feedWords)
  const c = useWords(common)
  const language = useLanguage()
  const { entry, head } = receipt
  const { currency } = head
  const paper = JSON.stringify(receipt, null, 2)
  return (
    <>
      <Facts
        rows={[
          [
            c.amount,
            <Amount key="amount" value={fromMinorText(entry.amount, currency)} currency={currency} />,
          ],
          [
            t.inPotAfter,
            <Amount key="after" value={fromMinorText(entry.balance_after, currency)} currency={currency} />,
          ],
          [t.time, <Time key="time" value={new Date(Number(entry.posting.time_ms)).toISOString()} />],
        ]}
      />
      <div className="form">
        <a
          className="button button-main"
          href={`/verify?lang=${language}#paper=${encodeURIComponent(paper)}`}
          target="_blank"
          rel="noopener"
        >
          <ShieldCheck aria-hidden="true" />
          {t.check}
        </a>
        <p className="field-hint">{t.checkText}</p>
        <Button onClick={() => saveFile({ name: `receipt-${entry.seq}.json`, text: paper })}>
          <Download aria-hidden="true" />
          {t.saveReceipt}
        </Button>
      </div>
      <HeadPart head={head} />
      <details className="together-more mt-6">
        <summary>{t.raw}</summary>
        <CopyButton text={paper} what={t.copyReceipt} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
        <pre className="together-raw" tabIndex={0}>
          {paper}
        </pre>
      </details>
    </>
  )
}

const HeadPart = ({ head }: { head: GetGroupReceiptData['head'] }) => {
  const t = useWords(feedWords)
  return (
    <section className="mt-8" aria-labelledby="head">
      <h2 id="head" className="section-title">
        {t.head}
      </h2>
      <p className="text-soft">{t.headText}</p>
      <Facts
        rows={[
          [t.entries, head.seq],
          [
            t.hash,
            <code key="hash" className="together-hash">
              {head.hash}
            </code>,
          ],
        ]}
      />
      <Button
        className="mt-4 w-full"
        onClick={() => saveFile({ name: `head-${head.seq}.json`, text: JSON.stringify(head, null, 2) })}
      >
        <Download aria-hidden="true" />
        {t.saveHead}
      </Button>
    </section>
  )
}
