import type { Felt } from '@sotto/kernel';
import { PRIVATE_SWAP_ENTRYPOINT } from '../../swaps/domain/private-swap.js';
import { WITHDRAW_ENTRYPOINT } from '../../withdrawals/domain/withdrawal.js';

/** Entry points whose gas is learnt, apart from each other. */
export const LEARNT_OPERATIONS = [WITHDRAW_ENTRYPOINT, PRIVATE_SWAP_ENTRYPOINT] as const;
export type LearntOperation = (typeof LEARNT_OPERATIONS)[number];

/** A withdrawal or swap of this service that has succeeded, without what is private of it. */
export interface SucceededRelay {
  readonly transactionHash: Felt;
  /** Whose note it paid: a swap's input pool. */
  readonly pool: Felt;
  readonly operation: LearntOperation;
  readonly endedAtMs: number;
}

/** What its receipt says. */
export interface GasUse extends SucceededRelay {
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
}

/** What receipts say that a pool's operation uses. */
export interface LearntGas {
  /** The ninth decile of each kind by itself: one in ten uses more. */
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
  readonly receipts: number;
  /** When the newest of them ended. */
  readonly newestAtMs: number;
}

/** Null without any receipt. */
export function learntFrom(uses: readonly GasUse[]): LearntGas | null {
  if (uses.length === 0) return null;
  return {
    l2Gas: ninthDecile(uses.map(({ l2Gas }) => l2Gas)),
    l1DataGas: ninthDecile(uses.map(({ l1DataGas }) => l1DataGas)),
    receipts: uses.length,
    newestAtMs: Math.max(...uses.map(({ endedAtMs }) => endedAtMs)),
  };
}

/** The least of the amounts that nine in ten are not above. */
function ninthDecile(amounts: readonly bigint[]): bigint {
  const sorted = amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.ceil((sorted.length * 9) / 10) - 1] ?? 0n;
}
