/** Depositor of a planned deposit. */
export type PlannedDeposit = 'own' | 'other';

/**
 * Plans the deposits that are needed until our deposit is in an active batch. Our deposit is first.
 * Then deposits of others fill the batch, because only a full batch is deployed.
 * @param waiting number of deposits that already wait for a batch, from 0 to below `batchSize`
 * @throws RangeError if the numbers are not integers or out of range
 */
export function planDeposits(waiting: number, batchSize: number): readonly PlannedDeposit[] {
  if (!Number.isInteger(batchSize) || batchSize < 1)
    throw new RangeError('a batch holds at least one deposit');
  if (!Number.isInteger(waiting) || waiting < 0 || waiting >= batchSize)
    throw new RangeError('a full batch does not wait');
  const others = batchSize - waiting - 1;
  return ['own', ...Array.from({ length: others }, () => 'other' as const)];
}
