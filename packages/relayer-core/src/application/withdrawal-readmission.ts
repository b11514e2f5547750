import type { Attempt, Readmission } from '@sotto/submission-core';
import { parseWithdrawalKey } from '../domain/withdrawal.js';
import { NullifierSpent } from '../errors.js';
import type { PoolReader } from '../ports/pool-reader.port.js';
import type { SpentNotes } from './spent-notes.js';

/**
 * A withdrawal is no longer wanted once its note has been spent, by which transaction ever. Where that was one of ours that the ledger does not
 * know, the attempt takes over its outcome first, and the refusal finds it ended. Attempts of other kinds are left alone.
 */
export class WithdrawalReadmission implements Readmission {
  constructor(
    private readonly poolReader: PoolReader,
    private readonly spentNotes: Pick<SpentNotes, 'spendingOf'>,
  ) {}

  async refusalOf({ key, fingerprint }: Attempt): Promise<string | null> {
    const withdrawal = parseWithdrawalKey(key);
    if (withdrawal === null) return null;
    if (!(await this.poolReader.nullifierSpent(withdrawal.pool, withdrawal.nullifierHash))) return null;
    await this.spentNotes.spendingOf({ ...withdrawal, key, fingerprints: [fingerprint] });
    return NullifierSpent.code;
  }
}
