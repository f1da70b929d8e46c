// Groups, which operators only look at, and campaigns, which they may pause and give back.
import type { GetCampaignAsOperatorData, Reply } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { all, at, choices, type Item, List, pageOf, sentence, Table } from './list.tsx'
import { ReasonAct } from './reason-act.tsx'

export const Groups = () => (
  <ConsolePage title="Groups">
    <p className="mb-4 text-soft">No one but their members can move the money of a group.</p>
    <List<Item<'GET /api/operator/groups'>>
      name="groups"
      label="Groups"
      empty="No such group"
      keyOf={(one) => one.id}
      filters={[{ name: 'q', label: 'Search', hint: 'A part of the name, or the whole id' }]}
      columns={[
        {
          head: 'Name',
          cell: (one) => (
            <Link href={`/operator/groups/${one.id}`} className="link">
              {one.name}
            </Link>
          ),
        },
        { head: 'Kind', cell: (one) => sentence(one.kind) },
        { head: 'Members', number: true, cell: (one) => one.member_count },
        { head: 'Since', cell: (one) => <Time value={one.created_at} form="day" /> },
        {
          head: 'In the pot',
          number: true,
          cell: (one) => <Amount value={one.balance} currency={one.currency} />,
        },
      ]}
      pageAt={async (wanted, cursor, signal) =>
        pageOf(
          await client.request('GET /api/operator/groups', { query: { ...wanted, ...at(cursor) }, signal }),
        )
      }
    />
  </ConsolePage>
)

export const GroupDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'group', id],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/groups/:id', { params: { id }, signal })).data,
  })
  return (
    <ConsolePage title={query.data?.name ?? 'Group'} back="/operator/groups">
      <Loaded query={query} skeleton={<RowBones />}>
        {(group) => (
          <>
            <Facts
              rows={[
                ['In the pot', <Amount key="b" value={group.balance} currency={group.currency} />],
                ['Kind', sentence(group.kind)],
                [
                  'Contribution',
                  group.contribution_amount !== null && (
                    <Amount key="c" value={group.contribution_amount} currency={group.currency} />
                  ),
                ],
                [
                  'Goal',
                  group.goal_amount !== null && (
                    <Amount key="g" value={group.goal_amount} currency={group.currency} />
                  ),
                ],
                ['Visibility', sentence(group.visibility)],
                ['Since', <Time key="s" value={group.created_at} />],
                ['Closed', group.closed_at && <Time key="d" value={group.closed_at} />],
              ]}
            />
            <Story group={group} />
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

type SeenGroup = Reply<'GET /api/operator/groups/:id'>['data']

const Story = ({ group }: { group: SeenGroup }) => (
  <>
    <section className="console-section" aria-labelledby="members">
      <h2 id="members" className="section-title mb-3">
        Members
      </h2>
      <Table
        label="Members"
        rows={group.members}
        keyOf={({ handle }) => handle}
        columns={[
          { head: 'Name', cell: (one) => one.name },
          { head: 'Handle', cell: (one) => `@${one.handle}` },
          { head: 'Role', cell: (one) => sentence(one.role) },
          { head: 'Joined', cell: (one) => <Time value={one.joined_at} form="day" /> },
        ]}
      />
    </section>
    <section className="console-section" aria-labelledby="feed">
      <h2 id="feed" className="section-title mb-3">
        Lately
      </h2>
      <Table
        label="What happened lately"
        rows={group.feed.map((one, place) => ({ ...one, place }))}
        keyOf={({ place }) => String(place)}
        columns={[
          { head: 'Time', cell: (one) => <Time value={one.created_at} /> },
          { head: 'What', cell: (one) => sentence(one.type) },
          { head: 'By', cell: (one) => one.by?.name ?? '–' },
          {
            head: 'Amount',
            number: true,
            cell: (one) =>
              one.amount === null ? '–' : <Amount value={one.amount} currency={group.currency} />,
          },
        ]}
      />
    </section>
  </>
)

const tones = {
  active: 'good',
  ended: 'plain',
  paused: 'bad',
  returning: 'waiting',
  returned: 'plain',
} as const

export const Campaigns = () => (
  <ConsolePage title="Campaigns">
    <List<Item<'GET /api/operator/campaigns'>>
      name="campaigns"
      label="Campaigns"
      empty="No such campaign"
      keyOf={(one) => one.id}
      filters={[
        { name: 'q', label: 'Search', hint: 'Words of the title or the story' },
        {
          name: 'state',
          label: 'State',
          options: [all('All'), ...choices('active', 'ended', 'paused', 'returning', 'returned')],
        },
      ]}
      columns={[
        {
          head: 'Title',
          cell: (one) => (
            <Link href={`/operator/campaigns/${one.id}`} className="link">
              {one.title}
            </Link>
          ),
        },
        { head: 'Owner', cell: (one) => one.owner.name },
        { head: 'State', cell: (one) => <Status tone={tones[one.state]}>{sentence(one.state)}</Status> },
        {
          head: 'Raised',
          number: true,
          cell: (one) => <Amount value={one.raised_amount} currency={one.currency} />,
        },
        {
          head: 'Still there',
          number: true,
          cell: (one) => <Amount value={one.balance} currency={one.currency} />,
        },
      ]}
      pageAt={async (wanted, cursor, signal) =>
        pageOf(
          await client.request('GET /api/operator/campaigns', {
            query: { ...wanted, ...at(cursor) },
            signal,
          }),
        )
      }
    />
  </ConsolePage>
)

export const CampaignDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'campaign', id],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/campaigns/:id', { params: { id }, signal })).data,
  })
  return (
    <ConsolePage title={query.data?.title ?? 'Campaign'} back="/operator/campaigns">
      <Loaded query={query} skeleton={<RowBones />}>
        {(campaign) => (
          <>
            <Facts
              rows={[
                [
                  'State',
                  <Status key="s" tone={tones[campaign.state]}>
                    {sentence(campaign.state)}
                  </Status>,
                ],
                ['Reason', (campaign.returned ?? campaign.paused)?.reason],
                ['Raised', <Amount key="r" value={campaign.raised_amount} currency={campaign.currency} />],
                ['Goal', <Amount key="g" value={campaign.goal_amount} currency={campaign.currency} />],
                [
                  'Taken out',
                  <Amount key="t" value={campaign.withdrawn_amount} currency={campaign.currency} />,
                ],
                ['Still there', <Amount key="b" value={campaign.balance} currency={campaign.currency} />],
                ['Contributors', String(campaign.contributor_count)],
                [
                  'Owner',
                  <Link key="o" href={`/operator/people/${campaign.owner_id}`} className="link">
                    {campaign.owner.name}
                  </Link>,
                ],
                [
                  'Public page',
                  <a key="p" href={campaign.url} className="link">
                    see it
                  </a>,
                ],
                ...campaign.returns.map(
                  ({ state, count, amount }) =>
                    [
                      `Giving back, ${state}`,
                      <span key={state}>
                        {count === 1 ? '1 contribution' : `${count} contributions`},{' '}
                        <Amount value={amount} currency={campaign.currency} /> in all
                      </span>,
                    ] as const,
                ),
              ]}
            />
            <CampaignActs campaign={campaign} />
            <p className="console-section whitespace-pre-line">{campaign.story}</p>
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

const CampaignActs = ({ campaign }: { campaign: GetCampaignAsOperatorData }) => {
  const { id, state, returned, returns } = campaign
  const params = { id }
  const shown = 'Everybody who looks at the campaign sees it.'
  return (
    <div className="console-acts">
      {(state === 'active' || state === 'ended') && (
        <ReasonAct
          name={`pause-${id}`}
          text="Pause"
          danger
          about="Nobody can contribute any more, and its owner can take nothing out. The owner is told by mail."
          reason={shown}
          done="Paused"
          run={(body) => client.request('POST /api/operator/campaigns/:id/pause', { params, body })}
        />
      )}
      {state === 'paused' && (
        <ReasonAct
          name={`resume-${id}`}
          text="Resume"
          main
          about="It goes on as before. The owner is told by mail."
          done="It goes on"
          run={() => client.request('POST /api/operator/campaigns/:id/resume', { params })}
        />
      )}
      {returned === null && (
        <ReasonAct
          name={`give-back-${id}`}
          text="Give everything back"
          danger
          about="What is still there goes back to all who contributed, in equal parts of what they gave when some was taken out. It can not be stopped."
          reason={shown}
          done="It is being given back"
          run={(body) => client.request('POST /api/operator/campaigns/:id/return', { params, body })}
        />
      )}
      {returned !== null && returns.some((one) => one.state === 'failed') && (
        <ReasonAct
          name={`give-back-again-${id}`}
          text="Try again"
          main
          about="What a provider refused is sent back once more. What has arrived stays as it is."
          reason="For the audit log. Nobody else sees it."
          done="It is tried again"
          run={(body) => client.request('POST /api/operator/campaigns/:id/return', { params, body })}
        />
      )}
    </div>
  )
}
