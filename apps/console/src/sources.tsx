import type { JSX } from 'preact';
import { Age, Chip, Figure, Part, Table } from './parts.js';
import type { Node } from './service.js';
import type { Session } from './session.js';
import { detailsSaid, nodeSaid, plain, priceReasonsOf, wordsOf } from './words.js';

/** View of the nodes, the ledger, the audit and the price sources. */
export function Sources({ session }: { readonly session: Session }): JSX.Element {
  const { build, nodes, ledger, audit, clockSkewSeconds, lastLookAt } = session.status.value.value;
  return (
    <>
      <Part title="Starknet nodes" note="As this instance sees them">
        <Table<Node>
          caption="Starknet nodes with heads and scores"
          empty="No node is known."
          rows={nodes}
          keyOf={({ name }) => name}
          columns={[
            { name: 'Node', cell: ({ name }) => name },
            { name: 'State', cell: (node) => <Chip said={nodeSaid(node)} /> },
            { name: 'Block', isNumber: true, cell: ({ headBlock }) => headBlock ?? 'not known' },
            {
              name: 'No newer for',
              isNumber: true,
              cell: ({ headAgeSeconds }) =>
                headAgeSeconds === null ? 'not known' : `${headAgeSeconds.toFixed(1)} s`,
            },
            { name: 'Score', isNumber: true, cell: ({ score }) => score.toFixed(2) },
            {
              name: 'Disagrees in',
              cell: ({ disagreements }) => disagreements.join(', ') || '–',
            },
            {
              name: 'Last error',
              cell: ({ lastErrorCode }) =>
                lastErrorCode === null ? '–' : <code>{lastErrorCode}</code>,
            },
          ]}
        />
      </Part>
      <Part title="Price sources">
        <Prices session={session} />
      </Part>
      <Part title="Instance and ledger">
        <dl class="figures">
          <Figure
            name="Ledger"
            value={plain(ledger.state)}
            tone={ledger.state === 'UP_TO_DATE' ? 'good' : 'bad'}
          />
          <Figure name="Its last block" value={ledger.lastBlock ?? '–'} />
          <Figure
            name="Chain read"
            value={lastLookAt === null ? 'not yet' : <Age session={session} at={lastLookAt} />}
            unit={lastLookAt === null ? '' : 'ago'}
          />
          <Figure name="Release" value={build.version} unit={build.commit.slice(0, 7)} />
          <Figure name="Audited to block" value={audit.lastBlock ?? 'not yet'} />
          <Figure
            name="Clock, against the store’s"
            value={clockSkewSeconds.store ?? 'not known'}
            unit={clockSkewSeconds.store === null ? '' : 's'}
          />
        </dl>
      </Part>
    </>
  );
}

function Prices({ session }: { readonly session: Session }): JSX.Element {
  const { verdict } = session.status.value.value;
  const reasons = priceReasonsOf(verdict);
  if (verdict.asOf === 0) return <p class="quiet">Not known yet.</p>;
  if (reasons.length === 0) return <p class="good">Every source has a usable price.</p>;
  return (
    <ul class="plain-list">
      {reasons.map((reason) => (
        <li key={`${reason.code} ${reason.component} ${detailsSaid(reason.details)}`} class="bad">
          {wordsOf(reason).headline} for <Age session={session} at={reason.since} />
          {`: ${detailsSaid(reason.details) || reason.meaning}`}
        </li>
      ))}
    </ul>
  );
}
