import type { JSX } from 'preact';
import { pauseOf, resumeOf } from './actions.js';
import { ActionButton, Chip, Part, Table } from './parts.js';
import type { Gate, Pool } from './service.js';
import type { Session } from './session.js';
import { gateSaid, strk, timeOf } from './words.js';

/** View of the pools with their circuit breakers and their results. */
export function Pools({ session }: { readonly session: Session }): JSX.Element {
  const { pools } = session.status.value.value;
  return (
    <Part title="Pools" note="STRK, of the last hour">
      <Table<Pool>
        caption="Pools with breakers and money"
        empty="The network profile has no pool, or none could be read."
        rows={pools}
        keyOf={({ address }) => address}
        columns={[
          { name: 'Pool', cell: ({ key }) => key },
          { name: 'Withdrawals', cell: ({ withdrawals }) => <GateState gate={withdrawals} /> },
          { name: 'Batches', cell: ({ batches }) => <GateState gate={batches} /> },
          { name: 'Earned', isNumber: true, cell: ({ money }) => strk(money.earnedFri) },
          { name: 'Paid', isNumber: true, cell: ({ money }) => strk(money.spentFri) },
          {
            name: 'P&L',
            isNumber: true,
            cell: ({ money }) => strk(BigInt(money.earnedFri) - BigInt(money.spentFri)),
          },
          {
            name: 'Lost to reverts',
            isNumber: true,
            cell: ({ money, strict }) => (
              <>
                {strk(money.lostFri)}
                {strict ? <span class="small care">one request each caller</span> : null}
              </>
            ),
          },
          { name: 'Reserved', isNumber: true, cell: ({ money }) => strk(money.reservedFri) },
          {
            name: 'Ended',
            isNumber: true,
            cell: ({ money: { succeeded, reverted, unsent } }) => (
              <span title="succeeded, reverted, not sent">
                {succeeded} / {reverted} / {unsent}
              </span>
            ),
          },
          {
            name: 'Action',
            cell: ({ key: name, withdrawals, batches }) => (
              <ActionButton
                session={session}
                action={
                  [withdrawals, batches].every(({ state }) => state === 'open')
                    ? pauseOf({ kind: 'pool', name })
                    : resumeOf({ kind: 'pool', name })
                }
              />
            ),
          },
        ]}
      />
    </Part>
  );
}

function GateState({ gate }: { readonly gate: Gate }): JSX.Element {
  return (
    <>
      <Chip said={gateSaid(gate)} />
      {gate.reason === null ? null : <span class="small">{gate.reason}</span>}
      {gate.until === null ? null : <span class="small quiet">until {timeOf(gate.until)}</span>}
    </>
  );
}
