import type { Attempt, Readmission } from '@sotto/submission-core';
import { parseWithdrawalKey } from '../domain/withdrawal.js';
import { NullifierSpent } from '../errors.js';
import type { PoolReader } from '../ports/pool-reader.port.js';

/** A withdrawal is no longer wanted once its note has been spent, whoever spent it. Attempts of other kinds are left alone. */
export class WithdrawalReadmission implements Readmission {
  constructor(private readonly poolReader: PoolReader) {}

  async refusalOf({ key }: Attempt): Promise<string | null> {
    const withdrawal = parseWithdrawalKey(key);
    if (withdrawal === null) return null;
    return (await this.poolReader.nullifierSpent(withdrawal.pool, withdrawal.nullifierHash)) ? NullifierSpent.code : null;
  }
}
