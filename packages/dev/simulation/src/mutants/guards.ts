import type { Felt } from '@sotto/kernel';
import type { SubmissionCommand } from '@sotto/submission-core';
import { everywhere, instead, over, type Mutant } from './mutant.js';

const never = { applied: false, because: 'known_already' } as const;
const nowhere = { applied: false, because: 'no_gap' } as const;
/**
 * Maximum number of calls of a lane above the account's nonce (`CALLS_WINDOW`), and the number of
 * these nonces that a quarantine does not cover (`BEYOND`).
 */
const CALLS_WINDOW = 8;
const BEYOND = 7n;

export const GUARD_MUTANTS: readonly Mutant[] = [
  {
    name: 'a refusal counts even after a second send',
    decide: instead('refusal', (event, view, decide) =>
      decide(event, {
        ...view,
        transactions: view.transactions.map((row) =>
          row.hash === event.hash ? { ...row, sendCount: 1, claimFence: event.fence } : row,
        ),
      }),
    ),
  },
  {
    name: 'a nonce that is not final is ignored',
    decide: everywhere((view) => ({
      ...view,
      lastAttemptIsUnfinal: false,
      callers: view.callers.map((caller) => ({ ...caller, isUnfinal: false })),
    })),
  },
  {
    name: 'a verdict ends the attempt that lost its nonce',
    kind: 'rollbacks',
    decide: instead('settle', (event, view, decide) => {
      const decision = decide(event, view);
      if (!decision.applied) return decision;
      const attempts = decision.changes.attempts?.map((attempt) =>
        attempt.state === 'accepted'
          ? ({
              ...attempt,
              state: 'expired',
              readmit: false,
              rejectionCode: 'LOST_ITS_NONCE',
              endedAtMs: view.nowMs,
            } as const)
          : attempt,
      );
      return {
        applied: true,
        changes: { ...decision.changes, ...(attempts === undefined ? {} : { attempts }) },
      };
    }),
  },
  {
    name: 'the machine does not know the last blocks of calls',
    decide: (decide) => (event, view) => {
      if (event.type === 'request')
        return decide({ ...event, submission: { ...event.submission, deadlineBlock: null } }, view);
      return decide(event.type === 'renew' ? { ...event, deadlineBlock: null } : event, view);
    },
  },
  { name: 'no nonce is reopened', decide: instead('reopen', () => never) },
  {
    name: 'a nonce is reopened only if the account’s nonce fell below it',
    ports: ({ ledger, ...ports }) => ({
      ...ports,
      ledger: over(ledger, {
        apply: async (event: SubmissionCommand) => {
          const nonce =
            event.type === 'reopen'
              ? (await ports.reader.head([event.lane])).accounts.get(event.lane)?.nonce
              : undefined;
          if (event.type === 'reopen' && nonce !== undefined && nonce > event.nonce)
            return { applied: false, because: 'not_settled_so', attempt: null };
          return ledger.apply(event);
        },
      }),
    }),
  },
  {
    name: 'a pre-confirmed transaction is settled',
    ports: ({ reader, ...ports }) => ({
      ...ports,
      reader: over(reader, {
        transactionStatuses: async (hashes: readonly Felt[]) => {
          const { blockNumber, blockHash } = await reader.head([]);
          return (await reader.transactionStatuses(hashes)).map((reportedStatus) =>
            reportedStatus.kind === 'pre_confirmed'
              ? {
                  ...reportedStatus,
                  kind: 'accepted' as const,
                  feeFri: 1n,
                  block: { number: blockNumber, hash: blockHash },
                }
              : reportedStatus,
          );
        },
      }),
    }),
  },
  {
    name: 'a block at ACCEPTED_ON_L2 is final',
    ports: ({ reader, ...ports }) => ({
      ...ports,
      reader: over(reader, {
        head: async (accounts: readonly Felt[]) => {
          const head = await reader.head(accounts);
          return { ...head, l1BlockNumber: head.blockNumber };
        },
        confirm: async (first, heights) => {
          const evidence = await reader.confirm(first, heights);
          return { ...evidence, l1BlockNumber: evidence.last.number };
        },
      }),
    }),
  },
  {
    name: 'a quarantine ends by time',
    decide: instead('quarantine', (event, view, decide) => {
      const decision = decide(event, view);
      if (!decision.applied || !event.isAged) return decision;
      // This mutant removes the quarantine, so the lane does not wait until nonces are consumed.
      const lanes = decision.changes.lanes?.map(({ quarantine, nextNonce, ...lane }) => ({
        ...lane,
        nextNonce,
        quarantine: quarantine && { ...quarantine, until: nextNonce ?? 0n },
      }));
      return {
        applied: true,
        changes: { ...decision.changes, ...(lanes === undefined ? {} : { lanes }) },
      };
    }),
  },
  {
    name: 'no lane is ever in quarantine',
    decide: (decide) => (event, view) =>
      event.type === 'quarantine'
        ? never
        : decide(event.type === 'introduce' ? { ...event, isAccepted: true } : event, view),
  },
  { name: 'no outcome is adopted', decide: instead('adopt', () => never) },
  {
    name: 'a ledger behind its chain blocks no work',
    kind: 'ledger lost',
    decide: everywhere((view, event) =>
      event.type === 'introduce' || event.type === 'end_quarantine' ? view : { ...view, lanes: [] },
    ),
    coveredBy:
      'the engine assigns no work while the ledger is behind; a lane in quarantine accepts only no-ops; the write rejects work that began before',
  },
  {
    name: 'a stale holder may write',
    decide: (decide) => (event, view) =>
      decide(
        'fence' in event && view.lane !== null ? { ...event, fence: view.lane.fence } : event,
        view,
      ),
    coveredBy:
      'the write checks every command against its rows (version, claims, state of the nonce), so two concurrent holders are safe; the fence only saves sends',
  },
  {
    name: 'a stale holder may store its transaction on any rows',
    decide: instead('store', (event, view, decide) =>
      decide(
        { ...event, fence: view.lane?.fence ?? event.fence, version: view.nonce?.version ?? 0 },
        view,
      ),
    ),
    coveredBy:
      'a nonce is assigned only while it has no transaction, and replaced only for its owner; the write checks both conditions',
  },
  {
    name: 'a payment under another nonce is ignored',
    kind: 'rollbacks',
    decide: everywhere((view) => ({
      ...view,
      lastAttemptExecutedBy: null,
      callers: view.callers.map((caller) => ({ ...caller, executedBy: null })),
    })),
  },
  {
    name: 'no hole is filled',
    decide: instead('store', (event, view, decide) =>
      event.attempt === null && view.nonce?.owner === null ? nowhere : decide(event, view),
    ),
  },
  {
    name: 'a refusal because of the account is treated as a refusal of the call',
    decide: instead('refusal', (event, view, decide) =>
      decide(
        event.cause === 'lane' || event.cause === 'account' ? { ...event, cause: 'call' } : event,
        view,
      ),
    ),
  },
  {
    name: 'a refusal counts under another fence',
    decide: instead('refusal', (event, view, decide) => {
      const fence = view.lane?.fence ?? event.fence;
      const transactions = view.transactions.map((row) =>
        row.hash === event.hash ? { ...row, claimFence: fence } : row,
      );
      return decide({ ...event, fence }, { ...view, transactions });
    }),
    coveredBy:
      'the count of claims: the next holder of the lane claims before it sends, and after this claim no refusal counts',
  },
  {
    name: 'calls use nonces beyond the window',
    kind: 'ledger lost',
    settings: (settings) => ({
      ...settings,
      nonceWindow: CALLS_WINDOW,
      maxInFlightPerLane: CALLS_WINDOW,
    }),
    decide: (decide) => (event, view) => {
      if (event.type === 'introduce') return decide({ ...event, window: 1n }, view);
      return decide(
        event.type === 'quarantine' ? { ...event, until: event.until - BEYOND } : event,
        view,
      );
    },
  },
  {
    name: 'a call that another ledger sent puts no lane into quarantine',
    kind: 'ledger lost',
    coveredBy:
      'the transaction is also adopted after it is settled; the quarantine is for further calls of that ledger that are requested again before they land, which happened in no run',
    ports: ({ ledger, accountHistory, ...ports }) => {
      const requested = new Set<Felt>();
      return {
        ...ports,
        accountHistory: over(accountHistory, {
          transaction: (hash: Felt, accounts: readonly Felt[]) => {
            for (const lane of accounts) requested.add(lane);
            return accountHistory.transaction(hash, accounts);
          },
        }),
        ledger: over(ledger, {
          apply: async (event: SubmissionCommand) => {
            if (event.type === 'quarantine' && !event.isAged && requested.delete(event.lane))
              return { ...never, attempt: null };
            return ledger.apply(event);
          },
        }),
      };
    },
  },
  {
    name: 'a key that has succeeded may be requested again',
    decide: instead('request', (event, view, decide) =>
      decide(
        event,
        view.lastAttempt?.state === 'succeeded'
          ? { ...view, lastAttempt: { ...view.lastAttempt, state: 'reverted' } }
          : view,
      ),
    ),
  },
  {
    name: 'a further send is not claimed',
    ports: ({ ledger, ...ports }) => ({
      ...ports,
      ledger: over(ledger, {
        apply: async (event: SubmissionCommand) =>
          event.type === 'claim'
            ? { applied: true, attempt: null, nonce: null, written: {} }
            : ledger.apply(event),
      }),
    }),
  },
  {
    name: 'a send that is not answered is repeated to another node under its claim',
    ports: ({ broadcaster, ...ports }) => ({
      ...ports,
      broadcaster: {
        nodeFor: (last) => broadcaster.nodeFor(last),
        send: async (bytes, node) => {
          const answer = await broadcaster.send(bytes, node);
          return answer.kind === 'unclear'
            ? broadcaster.send(bytes, broadcaster.nodeFor(node))
            : answer;
        },
      },
    }),
  },
  {
    name: 'a store command does not name the call that was signed',
    decide: instead('store', (event, view, decide) =>
      decide(
        event.fingerprint === null
          ? event
          : { ...event, fingerprint: view.lastAttempt?.fingerprint ?? event.fingerprint },
        view,
      ),
    ),
  },
  {
    name: 'a newer call is accepted although an older call was signed',
    decide: instead('renew', (event, view, decide) =>
      decide(event, {
        ...view,
        lastAttempt: view.lastAttempt && { ...view.lastAttempt, readmit: false },
      }),
    ),
    coveredBy:
      'an attempt does not wait while its older call may land; once the attempt waits again, the older call can no longer land',
  },
];
