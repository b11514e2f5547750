import type { JSX } from 'preact';
import { pauseOf, resumeOf } from './actions.js';
import { ActionButton, Chip, Hash, Part, Table } from './parts.js';
import type { Lane } from './service.js';
import type { Session } from './session.js';
import { moneyByLane, NO_MONEY, type LaneMoney } from './submission-list.js';
import { counted, laneSaid, leaseSaid, plain, strk } from './words.js';

/** View of the lanes, each with its nonces, lease and money. */
export function Lanes({ session }: { readonly session: Session }): JSX.Element {
  const { lanes } = session.status.value.value;
  const recent = session.submissions.recent.value?.rows ?? null;
  const money = recent === null ? null : moneyByLane(recent);
  // Null means that the amounts were not read yet, which differs from zero.
  const amountOf = (address: string, of: (money: LaneMoney) => bigint): string =>
    strk(money === null ? null : of(money.get(address) ?? NO_MONEY));
  return (
    <Part
      title="Accounts"
      note={
        recent === null
          ? 'STRK'
          : `STRK. Earned and paid: of the newest ${counted(recent.length, 'submission')}`
      }
    >
      <Table<Lane>
        caption="Accounts with nonces, leases, balances and money"
        empty="No account is configured, or none could be read."
        rows={lanes}
        keyOf={({ address }) => address}
        columns={[
          { name: 'Account', cell: ({ address }) => <Hash value={address} /> },
          {
            name: 'Role',
            cell: ({ role, configured, retiring }) => (
              <>
                {plain(role)}
                {configured ? null : <span class="small care">not in the settings</span>}
                {retiring ? <span class="small quiet">retiring</span> : null}
              </>
            ),
          },
          { name: 'State', cell: (lane) => <LaneState lane={lane} /> },
          { name: 'Held by', cell: leaseSaid },
          { name: 'Nonce', isNumber: true, cell: ({ nonce }) => nonce ?? 'not known' },
          { name: 'Open', isNumber: true, cell: ({ openNonces }) => openNonces },
          { name: 'Balance', isNumber: true, cell: ({ balanceFri }) => strk(balanceFri) },
          {
            name: 'Earned',
            isNumber: true,
            cell: ({ address }) => amountOf(address, ({ earnedFri }) => earnedFri),
          },
          {
            name: 'Paid',
            isNumber: true,
            cell: ({ address }) => amountOf(address, ({ paidFri }) => paidFri),
          },
          {
            name: 'P&L',
            isNumber: true,
            cell: ({ address }) =>
              amountOf(address, ({ earnedFri, paidFri }) => earnedFri - paidFri),
          },
          {
            name: 'Action',
            cell: ({ address: name, paused }) => (
              <ActionButton
                session={session}
                action={
                  paused === null
                    ? pauseOf({ kind: 'lane', name })
                    : resumeOf({ kind: 'lane', name })
                }
              />
            ),
          },
        ]}
      />
    </Part>
  );
}

function LaneState({ lane }: { readonly lane: Lane }): JSX.Element {
  const { paused, quarantine } = lane;
  return (
    <>
      <Chip said={laneSaid(lane)} />
      {paused === null || paused === lane.reason ? null : <span class="small">{paused}</span>}
      {quarantine === null ? null : (
        <span class="small">
          until nonce {quarantine.until}, {quarantine.cause}
          {quarantine.taking ? ', no-ops consume the nonces in question' : ''}
        </span>
      )}
    </>
  );
}
