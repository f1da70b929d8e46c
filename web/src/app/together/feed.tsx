import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones, usePages } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { client } from '../session.ts'
import { cursorOf, pageOf, useGroup, useId } from './data.ts'
import { FeedRows } from './feed-rows.tsx'
import { feedWords } from './feed-words.ts'
import './together.css'

export const Feed = () => {
  const t = useWords(feedWords)
  const id = useId()
  const group = useGroup(id)
  const query = usePages(['groups', id, 'feed'], async (cursor, signal) =>
    pageOf(
      await client.request('GET /api/groups/:id/feed', { params: { id }, query: cursorOf(cursor), signal }),
    ),
  )
  return (
    <Page title={t.feed} back={`/groups/${id}`} width="wide">
      <Loaded query={query} skeleton={<RowBones rows={8} />}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={t.nothing}>{t.nothingText}</Empty>
          ) : (
            <Loaded query={group} skeleton={<RowBones rows={8} />}>
              {(found) => <FeedRows group={found} items={items} />}
            </Loaded>
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </Page>
  )
}
