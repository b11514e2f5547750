import type { Clock } from '@sotto/kernel';
import { LedgerBehindChain, type Attempt, type Revalidator } from '@sotto/submission-core';
import { depositsOnTheWay } from '../../pools/domain/deposit-traffic.js';
import { spentNote } from '../../pools/domain/withdrawal.js';
import { DepositQueued } from '../../deposit-errors.js';
import { BatchOutOfBounds, NullifierSpent, RootUnknown } from '../../errors.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import { QUEUED_RETRY_SECONDS, type PoolTraffic } from '../../pools/application/pool-traffic.js';
import type { SpentNotes } from './spent-notes.js';

/**
 * Milliseconds after admission during which a withdrawal is not checked again, unless deposits
 * arrived.
 */
const FRESH_MS = 5_000;

/**
 * Rejects a withdrawal that would revert and cost gas: its note is spent, or its root or batch is
 * no longer valid. If our own transaction spent the note and the ledger does not contain the
 * transaction, the attempt adopts its outcome first, so the rejection has no effect. While this is
 * undecided, the attempt waits. Ignores attempts of other kinds.
 */
export class WithdrawalRevalidator implements Revalidator {
  constructor(
    private readonly poolReader: Pick<PoolReader, 'withdrawalFacts'>,
    private readonly spentNotes: Pick<SpentNotes, 'spendingOf'>,
    private readonly traffic: PoolTraffic,
    private readonly clock: Clock,
  ) {}

  async rejectionOf(attempt: Attempt): Promise<string | null> {
    const { id, key, fingerprint, readmit, state, acceptedAtMs, target } = attempt;
    const note = spentNote(attempt);
    if (note === null) return null;
    const { pool, nullifierHash } = note;
    const isFirst = state === 'accepted' && !readmit;
    const live = await this.traffic.live();
    const ageMs = this.clock.nowMs() - acceptedAtMs;
    const isFresh = ageMs >= 0 && ageMs < FRESH_MS;
    if (isFirst && isFresh && depositsOnTheWay({ live }, pool).length === 0) return null;

    const place = await this.traffic.placeOf({ id, fingerprint, entrypoint: target.entrypoint });
    if (place === null) throw new Error('calldata of a live withdrawal is missing');
    const { root, batchStart, batchSize } = place;
    const facts = await this.poolReader.withdrawalFacts(pool, { root, nullifierHash, batchStart });
    if (facts.nullifierSpent) {
      const { isOpen } = await this.spentNotes.spendingOf({ ...note, key, requested: [attempt] });
      if (isOpen) throw new LedgerBehindChain({ retryAfterSeconds: QUEUED_RETRY_SECONDS });
      return NullifierSpent.code;
    }
    if (!facts.rootKnown) return RootUnknown.code;
    if (batchStart + batchSize > facts.nextIndex - facts.undeployedCount)
      return BatchOutOfBounds.code;
    const ahead = this.traffic.ahead(live, pool, null).length;
    // Deposits in flight may push the root out before the withdrawal lands. The withdrawal waits
    // until these deposits have ended.
    if (state === 'accepted' && ahead > this.traffic.window.outlives(pool, root, facts.nextIndex)) {
      throw new DepositQueued({
        details: { scope: 'roots' },
        retryAfterSeconds: QUEUED_RETRY_SECONDS,
      });
    }
    return null;
  }
}
