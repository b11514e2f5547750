import type { JSX } from 'preact';
import { pauseOf, resumeOf } from './actions.js';
import { ActionButton, Chip, Hash, Part, Table } from './parts.js';
import type { Lane } from './service.js';
import type { Session } from './session.js';
import { moneyByLane } from './submission-list.js';
import { counted, laneSaid, leaseSaid, plain, strk } from './words.js';

/** Accounts that send, each with its nonces, its lease and its money. */
export function Lanes({ session }: { readonly session: Session }): JSX.Element {
  const { lanes } = session.status.value.value;
  const recent = session.submissions.recent.value?.rows ?? [];
  const money = moneyByLane(recent);
  return (
    <Part
      title="Accounts"
      note={`STRK. Earned and paid: of the newest ${counted(recent.length, 'submission')}`}
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
            cell: ({ address }) => strk(money.get(address)?.earnedFri ?? 0n),
          },
          {
            name: 'Paid',
            isNumber: true,
            cell: ({ address }) => strk(money.get(address)?.paidFri ?? 0n),
          },
          {
            name: 'P&L',
            isNumber: true,
            cell: ({ address }) => {
              const { earnedFri = 0n, paidFri = 0n } = money.get(address) ?? {};
              return strk(earnedFri - paidFri);
            },
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
          {quarantine.taking ? ', no-ops take what is in question' : ''}
        </span>
      )}
    </>
  );
}
