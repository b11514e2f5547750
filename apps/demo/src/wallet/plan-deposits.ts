/** Owner of the next deposit. */
export type PlannedDeposit = 'own' | 'other';

/**
 * Plans the deposits that activate our own one: ours first, then others' until its batch is full,
 * since a batch is deployed only as a whole.
 * @param waiting deposits that already wait for a batch, from 0 to below `batchSize`
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
