import type { Felt } from '@sotto/kernel';
import { APPLY_ACTIONS_ENTRYPOINT } from '../../pools/domain/apply-actions-call.js';
import { PRIVATE_SWAP_ENTRYPOINT } from '../../pools/domain/private-swap-call.js';
import { WITHDRAW_ENTRYPOINT } from '../../pools/domain/withdrawal.js';

/** Names of entry points whose gas is learnt separately. */
export const LEARNT_OPERATIONS = [
  WITHDRAW_ENTRYPOINT,
  PRIVATE_SWAP_ENTRYPOINT,
  APPLY_ACTIONS_ENTRYPOINT,
] as const;
export type LearntOperation = (typeof LEARNT_OPERATIONS)[number];

/** Withdrawal or swap of this service that succeeded, without private data. */
export interface SucceededRelay {
  /** Id of the attempt that succeeded. */
  readonly id: string;
  readonly transactionHash: Felt;
  /** Pool of the spent note. The pool of a swap is the pool from which the note was swapped. */
  readonly pool: Felt;
  readonly operation: LearntOperation;
  readonly endedAtMs: number;
}

/** Gas of a transaction, from its receipt. */
export interface GasUse extends Omit<SucceededRelay, 'id'> {
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
}

/** Gas of a pool's operation, learnt from receipts. */
export interface LearntGas {
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
  readonly receipts: number;
  /** End time of the newest receipt's attempt, in Unix milliseconds. */
  readonly newestAtMs: number;
}

/** Gas that the network profile assumes for one transaction. */
export type AssumedGas = Pick<GasUse, 'l2Gas' | 'l1DataGas'>;

/**
 * Maximum multiple of the profile's gas value that can be learnt from receipts. A verifier whose
 * gas is charged by steps uses 3.5 times the gas of a verifier that is charged by Sierra gas. So a
 * maximum of four is above every known genuine increase.
 */
const MOST_TIMES = 4n;

/**
 * Returns the gas of a pool's operation; null if there are no receipts. L2 gas and L1 data gas are
 * computed separately.
 *
 * Each network contributes one value: the ninth decile of its receipts. The result is the third
 * quartile of these values. If there are several networks, at least one of them has a higher value.
 * With two networks, the result is the median of their values and the profile's value. So a single
 * network determines the result only while no other network uses the pool, and the result is never
 * above {@link MOST_TIMES} times the profile's value.
 *
 * @param networkOf network of a receipt's caller; null if unknown. All receipts of unknown networks
 *   are treated as one network
 */
export function learntFrom(
  uses: readonly GasUse[],
  networkOf: (use: GasUse) => string | null,
  assumed: AssumedGas,
): LearntGas | null {
  if (uses.length === 0) return null;
  const voices = [...Map.groupBy(uses, networkOf).values()];
  const figureOf = (kind: keyof AssumedGas): bigint => {
    const figures = voices.map((own) => ninthDecile(own.map((use) => use[kind])));
    const figure = thirdQuartile(figures.length === 2 ? [...figures, assumed[kind]] : figures);
    const most = MOST_TIMES * assumed[kind];
    return figure < most ? figure : most;
  };
  return {
    l2Gas: figureOf('l2Gas'),
    l1DataGas: figureOf('l1DataGas'),
    receipts: uses.length,
    newestAtMs: Math.max(...uses.map(({ endedAtMs }) => endedAtMs)),
  };
}

/** Returns the smallest amount that at least nine in ten amounts do not exceed. */
function ninthDecile(amounts: readonly bigint[]): bigint {
  return ascending(amounts)[Math.ceil((amounts.length * 9) / 10) - 1] ?? 0n;
}

/**
 * Returns the third quartile. If there are several amounts, a quarter of them (rounded up) come
 * after the result in ascending order.
 */
function thirdQuartile(amounts: readonly bigint[]): bigint {
  return ascending(amounts)[Math.max(1, Math.floor((amounts.length * 3) / 4)) - 1] ?? 0n;
}

const ascending = (amounts: readonly bigint[]): readonly bigint[] =>
  amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
