import { settle, type Felt } from '@sotto/kernel';
import type { VerdictPart } from '../domain/verdict.js';
import { CLOCK_TOLERANCE_MS, type HeadWatch } from './head-watch.js';

/** Checks that the node responds and serves the chain of the profile. */
export const nodePart = (head: Pick<HeadWatch, 'head'>, chainId: Felt): VerdictPart => ({
  component: 'node',
  scope: 'instance',
  failure: 'NODE_UNREACHABLE',
  poll: async () => ((await head.head()).chainId === chainId ? [] : [{ code: 'WRONG_CHAIN' }]),
});

/**
 * Checks that the node's newest block is not older than `maxAgeMs`. Errors of the node are not
 * reported here, but by {@link nodePart}.
 * @param maxAgeMs null if the chain makes blocks only when there are transactions
 */
export const headPart = (
  head: Pick<HeadWatch, 'head' | 'status'>,
  maxAgeMs: number | null,
): VerdictPart => ({
  component: 'head',
  scope: 'instance',
  failure: 'HEAD_TOO_OLD',
  async poll() {
    if (maxAgeMs === null) return [];
    await settle(head.head());
    const status = head.status();
    if (status === null || status.ageMs <= maxAgeMs) return [];
    const { blockNumber, ageMs, clockAheadMs } = status;
    const details = { block: blockNumber, ageMs: Math.round(ageMs) };
    // A lagging node and a machine clock that is ahead have the same effect here, so both are
    // reported.
    const other = clockAheadMs === null ? { orElse: 'CLOCK_WRONG' } : {};
    return [{ code: 'HEAD_TOO_OLD', details: { ...details, ...other } }];
  },
});

/**
 * Checks that the machine's clock and the ledger's times agree with the clock of the store or with
 * the block times of the nodes.
 */
export const clockPart = (head: Pick<HeadWatch, 'head' | 'status'>): VerdictPart => ({
  component: 'clock',
  scope: 'warning',
  failure: 'CLOCK_WRONG',
  async poll() {
    await settle(head.head());
    const status = head.status();
    if (status === null) return [];
    const { ledgerAheadMs, isClockInTheWay } = status;
    if (ledgerAheadMs !== 0)
      return [{ code: 'LEDGER_TIME_WRONG', details: { aheadMs: Math.round(ledgerAheadMs) } }];
    const aheadMs = status.clockAheadMs ?? 0;
    if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return [];
    const causes = isClockInTheWay ? { causes: 'LEDGER_NOT_JUDGED' } : {};
    return [{ code: 'CLOCK_WRONG', details: { aheadMs: Math.round(aheadMs), ...causes } }];
  },
});
