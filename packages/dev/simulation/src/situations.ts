import type { RejectionReason, SubmissionCommand } from '@sotto/submission-core';

/**
 * Rare situations that a suite must reach. If a situation never happened, the suite has not tested
 * this situation.
 */
const SITUATIONS = [
  'a poll overlapped a prepare',
  'a settle was refused by its version',
  'a store was refused by its version',
  'a lane was handed over',
  'an attempt was reserved by another process',
  'a stale holder wrote',
  'a stale holder sent',
  'a refusal freed a nonce',
  'a refusal proved nothing',
  'a refusal came after its nonce had moved',
  'a claim was rejected',
  'a replacement landed',
  'a no-op landed against its owner',
  'a hole was filled',
  'a waiting attempt ended',
  'an attempt was no longer wanted',
  'a next attempt after a revert',
  'a next attempt had to wait for finality',
  'a foreign transaction consumed a nonce',
  'a lane was paused for a foreign transaction',
  'a lane rested for its account',
  'a reopening',
  'a reopening was refused',
  'an attempt had moved on before the reopening',
  'a lost one landed after a reopening',
  'the same bytes landed twice, with another outcome',
  'an outcome at ACCEPTED_ON_L2 was undone',
  'an outcome became final',
  'an attempt of its own nonce lost it',
  'a pre-confirmed answer was undone',
  'a rollback happened during a send',
  'a late answer after its process was gone',
  'a write was applied though its answer was lost',
  'a copy landed after its eviction',
  'a process died at a call',
  'a process was stopped and continued',
  'a lane was introduced in quarantine',
  'a ledger was behind its chain',
  'a quarantine no-op landed',
  'a quarantine ended',
  'an adoption',
  'a request was rejected while the ledger was behind',
  'a lane was retired with work in flight',
  'a newer call replaced one that waited',
  'a newer call came too late',
  'a newer call with an earlier last block was rejected',
  'a call was included up to its last block',
  'a late call was included and reverted',
  'a late call succeeded because its contract had become lenient',
  'a no-op landed against a late call',
  'an unsigned attempt ended by its last block',
  'a signed attempt ended by its last block',
  'bytes of a call that was replaced were refused',
  'bytes were sent again to another node',
  'another node refused bytes that landed',
  'a pushed message was true',
  'a pushed message was false',
  'a pushed message was lost',
  'a pushed message came late',
  'a pushed message came again',
  'a rollback was pushed',
  'two views were mixed',
  'a node reported nonsense',
  'L1 was undone',
  'a final outcome was opened again',
  'a copy did not know a call that had landed',
  'a copy did not know a call in the mempool',
  'a copy did not know a call in transit',
  'a node that lags was queried first about a copy',
  'a rollback undid the evidence that a copy is behind',
] as const;
export type Situation = (typeof SITUATIONS)[number];

/** Situations that happen only if a provider keeps rejected transactions. */
export const LYING_SITUATIONS = ['a refused one landed'] as const;

const RENEW_REJECTED: Partial<Record<RejectionReason, readonly Situation[]>> = {
  attempt_moved_on: ['a newer call came too late'],
  // Every newer call has its own fingerprint, so only its last block can be the reason.
  known_already: ['a newer call with an earlier last block was rejected'],
};

const SEEN_WHEN: Readonly<Record<string, readonly Situation[]>> = {
  'request: ledger_behind': ['a request was rejected while the ledger was behind'],
  'settle: stale_version': ['a settle was refused by its version'],
  'store: stale_version': ['a store was refused by its version'],
  'reopen: not_settled_so': ['a reopening was refused'],
};

/** Returns the situations that have happened when this command is rejected. */
export function whenRejected(
  { type }: SubmissionCommand,
  because: RejectionReason,
): readonly Situation[] {
  if (because === 'stale_fence') return ['a stale holder wrote'];
  if (because === 'not_final')
    return type === 'end_waiting' ? [] : ['a next attempt had to wait for finality'];
  if (type === 'renew') return RENEW_REJECTED[because] ?? [];
  if (type === 'claim') return ['a claim was rejected'];
  if (type === 'refusal')
    return [
      because === 'proves_nothing'
        ? 'a refusal proved nothing'
        : 'a refusal came after its nonce had moved',
    ];
  return SEEN_WHEN[`${type}: ${because}`] ?? [];
}

/** Counter of situations. */
export class Situations {
  readonly counts = new Map<string, number>();

  saw(name: Situation | (typeof LYING_SITUATIONS)[number]): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  add(other: Situations): void {
    for (const [name, count] of other.counts)
      this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  missing(): string[] {
    return SITUATIONS.filter((name) => !this.counts.has(name));
  }
}
