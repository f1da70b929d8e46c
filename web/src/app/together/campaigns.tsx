import type { BrowseCampaignsQuery } from '@mfuko/sdk/browser'
import { Plus, Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { currencyCodes } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { ChoiceField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones, usePages } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { CampaignCard } from './campaign-card.tsx'
import { campaignWords } from './campaign-words.ts'
import { type Category, cursorOf, pageOf } from './data.ts'
import { Tabs } from './parts.tsx'
import './together.css'

export const Campaigns = () => (
  <Frame here="browse">
    <Browse />
  </Frame>
)

export const OwnCampaigns = () => {
  const t = useWords(campaignWords)
  const query = usePages(['campaigns', 'mine'], async (cursor, signal) =>
    pageOf(await client.request('GET /api/campaigns', { query: cursorOf(cursor), signal })),
  )
  return (
    <Frame here="mine">
      <Loaded query={query} skeleton={<RowBones rows={3} />}>
        {(campaigns) =>
          campaigns.length === 0 ? (
            <Empty
              title={t.noneMine}
              action={
                <ButtonLink href="/campaigns/new" look="main">
                  {t.begin}
                </ButtonLink>
              }
            >
              {t.noneMineText}
            </Empty>
          ) : (
            <ul className="together-cards">
              {campaigns.map((campaign) => (
                <li key={campaign.id}>
                  <CampaignCard campaign={campaign} own />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </Frame>
  )
}

const Frame = ({ here, children }: { here: 'browse' | 'mine'; children: React.ReactNode }) => {
  const t = useWords(campaignWords)
  return (
    <Page
      title={t.campaigns}
      width="wide"
      side={
        <ButtonLink href="/campaigns/new" look="main">
          <Plus aria-hidden="true" />
          {t.begin}
        </ButtonLink>
      }
    >
      <Tabs
        label={t.campaigns}
        tabs={[
          { href: '/campaigns', text: t.browse, here: here === 'browse' },
          { href: '/campaigns/mine', text: t.mine, here: here === 'mine' },
        ]}
      />
      {children}
    </Page>
  )
}

type Filter = 'q' | 'category' | 'currency' | 'sort'
const filterNames: readonly Filter[] = ['q', 'category', 'currency', 'sort']

function useFilters() {
  const [search, setSearch] = useSearchParams()
  const given = filterNames.flatMap((name) => {
    const value = search.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const set = (name: Filter, value: string) =>
    setSearch(
      (before) => {
        if (value === '') before.delete(name)
        else before.set(name, value)
        return before
      },
      { replace: true },
    )
  return {
    filters: Object.fromEntries(given) as Partial<Record<Filter, string>>,
    set,
    clear: () => setSearch({}, { replace: true }),
  }
}

const Browse = () => {
  const t = useWords(campaignWords)
  const { filters, set, clear } = useFilters()
  // An address that somebody changed by hand is refused by the service, in its own words.
  const asked = filters as BrowseCampaignsQuery
  const query = usePages(['campaigns', 'browse', filters], (cursor, signal) =>
    client.campaigns.browse({ ...asked, ...cursorOf(cursor) }, { signal }),
  )
  return (
    <>
      <SearchForm key={filters.q} q={filters.q ?? ''} onSearch={(q) => set('q', q)} />
      <Selections filters={filters} set={set} />
      <Loaded query={query} skeleton={<RowBones rows={4} />}>
        {(campaigns) =>
          campaigns.length === 0 ? (
            <Empty
              title={t.none}
              action={
                Object.keys(filters).length > 0 ? (
                  <Button onClick={clear}>{t.clear}</Button>
                ) : (
                  <ButtonLink href="/campaigns/new" look="main">
                    {t.begin}
                  </ButtonLink>
                )
              }
            >
              {t.noneText}
            </Empty>
          ) : (
            <ul className="together-cards">
              {campaigns.map((campaign) => (
                <li key={campaign.id}>
                  <CampaignCard campaign={campaign} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </>
  )
}

const SearchForm = ({ q, onSearch }: { q: string; onSearch: (q: string) => void }) => {
  const t = useWords(campaignWords)
  const [typed, setTyped] = useState(q)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(typed.trim())
  }
  return (
    <search>
      <form className="together-search" onSubmit={submit}>
        <TextField
          label={t.search}
          hiddenLabel
          type="search"
          placeholder={t.searchHint}
          value={typed}
          onChange={setTyped}
          maxLength={100}
        />
        <Button type="submit">
          <Search aria-hidden="true" />
          <span className="sr-only">{t.search}</span>
        </Button>
      </form>
    </search>
  )
}

interface SelectionProps {
  filters: Partial<Record<Filter, string>>
  set: (name: Filter, value: string) => void
}

const Selections = ({ filters, set }: SelectionProps) => {
  const t = useWords(campaignWords)
  const c = useWords(common)
  return (
    <div className="together-filters">
      <ChoiceField
        label={t.category}
        value={filters.category ?? ''}
        onChange={(value) => set('category', value)}
        options={[
          { value: '', text: t.anyCategory },
          ...(Object.keys(t.categories) as Category[]).map((category) => ({
            value: category as string,
            text: t.categories[category],
          })),
        ]}
      />
      <ChoiceField
        label={c.currency}
        value={filters.currency ?? ''}
        onChange={(value) => set('currency', value)}
        options={[
          { value: '', text: t.anyCurrency },
          ...currencyCodes.map((code) => ({ value: code as string, text: code as string })),
        ]}
      />
      <ChoiceField
        label={t.sort}
        value={filters.sort ?? 'newest'}
        onChange={(value) => set('sort', value === 'newest' ? '' : value)}
        options={(['newest', 'ending', 'most_funded'] as const).map((sort) => ({
          value: sort as string,
          text: t.sorts[sort],
        }))}
      />
    </div>
  )
}
