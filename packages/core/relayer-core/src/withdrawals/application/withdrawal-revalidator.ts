import type { Clock, Felt } from '@sotto/kernel';
import { LedgerBehindChain, type Attempt, type Revalidator } from '@sotto/submission-core';
import { depositsOnTheWay } from '../../pools/domain/deposit-traffic.js';
import { spentNote } from '../../pools/domain/withdrawal.js';
import { DepositQueued } from '../../deposit-errors.js';
import { BatchOutOfBounds, NullifierSpent, RootUnknown } from '../../errors.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import { QUEUED_RETRY_SECONDS, type PoolTraffic } from '../../pools/application/pool-traffic.js';
import type { SpentNotes } from './spent-notes.js';

/**
 * For this many milliseconds after its admission, a withdrawal is not checked again. This does not
 * apply if deposits of the pool are in flight.
 */
const FRESH_MS = 5_000;

/**
 * Rejects a withdrawal that would revert and cost gas, because its note is spent, or because its
 * root or batch is no longer valid. If our own transaction spent the note but is missing in the
 * ledger, the attempt first adopts the outcome of that transaction, so the rejection has no effect.
 * While the outcome is undecided, the attempt waits. Attempts that spend no note are never
 * rejected.
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
    const ageMs = this.clock.nowMs() - acceptedAtMs;
    const isFresh = ageMs >= 0 && ageMs < FRESH_MS;
    if (isFirst && isFresh && !(await this.#mayMeetDeposit(id, pool))) return null;

    const live = await this.traffic.live();
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
    // Deposits in flight may push the withdrawal's root out of the pool's root history before the
    // withdrawal is included. The withdrawal waits until these deposits have ended.
    if (state === 'accepted' && ahead > this.traffic.window.outlives(pool, root, facts.nextIndex)) {
      throw new DepositQueued({
        details: { scope: 'roots' },
        retryAfterSeconds: QUEUED_RETRY_SECONDS,
      });
    }
    return null;
  }

  /** Returns true if deposits into the pool were in flight when the withdrawal was stored. */
  async #mayMeetDeposit(id: string, pool: Felt): Promise<boolean> {
    const live = await this.traffic.liveSince(id);
    return depositsOnTheWay({ live }, pool).length > 0;
  }
}
