import type { Felt } from '@sotto/kernel';
import { PRIVATE_SWAP_ENTRYPOINT } from '../../pools/domain/private-swap-call.js';
import { WITHDRAW_ENTRYPOINT } from '../../pools/domain/withdrawal.js';

/** Entry points whose gas is learnt separately. */
export const LEARNT_OPERATIONS = [WITHDRAW_ENTRYPOINT, PRIVATE_SWAP_ENTRYPOINT] as const;
export type LearntOperation = (typeof LEARNT_OPERATIONS)[number];

/** Succeeded withdrawal or swap of this service, without private data. */
export interface SucceededRelay {
  /** Id of its attempt. */
  readonly id: string;
  readonly transactionHash: Felt;
  /** Pool of the spent note; for a swap its input pool. */
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
  /** End time of the newest receipt's attempt. */
  readonly newestAtMs: number;
}

/** Gas that the network profile assumes for one transaction. */
export type AssumedGas = Pick<GasUse, 'l2Gas' | 'l1DataGas'>;

/**
 * Maximum multiple of the profile's figure that receipts may teach. A verifier that is charged by
 * steps uses 3.5 times the gas of one that is charged by Sierra gas. A limit of four therefore
 * covers every known real rise.
 */
const MOST_TIMES = 4n;

/**
 * Returns the gas of a pool's operation; null without any receipt. Each kind of gas is computed
 * separately.
 *
 * Each network contributes one value: the ninth decile of its receipts. The result is the value
 * that a quarter of the networks, and at least one of several, exceeds. With two networks, the
 * result is the median of their values and the profile's. So a single network determines the result
 * only while no other uses the pool, and never above {@link MOST_TIMES} the profile's figure.
 *
 * @param networkOf network of a receipt's caller; null if unknown: these receipts count as one
 *   network
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
 * Returns the smallest of up to four amounts; of more, an amount that at least a quarter are not
 * below.
 */
function thirdQuartile(amounts: readonly bigint[]): bigint {
  return ascending(amounts)[Math.max(1, Math.floor((amounts.length * 3) / 4)) - 1] ?? 0n;
}

const ascending = (amounts: readonly bigint[]): readonly bigint[] =>
  amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
