import type { Felt } from '@sotto/kernel';
import { PRIVATE_SWAP_ENTRYPOINT } from '../../pools/domain/private-swap-call.js';
import { WITHDRAW_ENTRYPOINT } from '../../pools/domain/withdrawal.js';

/** Entry points whose gas is learnt, apart from each other. */
export const LEARNT_OPERATIONS = [WITHDRAW_ENTRYPOINT, PRIVATE_SWAP_ENTRYPOINT] as const;
export type LearntOperation = (typeof LEARNT_OPERATIONS)[number];

/** A withdrawal or swap of this service that has succeeded, without what is private of it. */
export interface SucceededRelay {
  /** Of its attempt. */
  readonly id: string;
  readonly transactionHash: Felt;
  /** Whose note it paid: a swap's input pool. */
  readonly pool: Felt;
  readonly operation: LearntOperation;
  readonly endedAtMs: number;
}

/** What its receipt says. */
export interface GasUse extends Omit<SucceededRelay, 'id'> {
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
}

/** Gas of a pool's operation, as receipts show it. */
export interface LearntGas {
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
  readonly receipts: number;
  /** End of the newest of them. */
  readonly newestAtMs: number;
}

/** Gas that the network profile assumes for one transaction. */
export type AssumedGas = Pick<GasUse, 'l2Gas' | 'l1DataGas'>;

/**
 * Largest multiple of the profile's figure that receipts may teach. A verifier that is charged by
 * steps uses 3.5 times as much as one that is charged by Sierra gas, so four follows each real rise
 * that is known.
 */
const MOST_TIMES = 4n;

/**
 * Returns the gas of a pool's operation; null without any receipt. Each kind of gas is judged
 * separately. Each network has one voice: the ninth decile of its receipts. The result is the voice
 * that a quarter of the networks, and at least one of several, exceeds; of two networks and the
 * profile it is the middle one. So one network alone moves the result only while no other uses
 * the pool, and never above {@link MOST_TIMES} the profile's figure.
 * @param networkOf network of a receipt's caller; null if unknown: all of these have one voice
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

/** The least of the amounts that nine in ten are not above. */
function ninthDecile(amounts: readonly bigint[]): bigint {
  return ascending(amounts)[Math.ceil((amounts.length * 9) / 10) - 1] ?? 0n;
}

/** The least of one; of several, an amount that a quarter of them are not below. */
function thirdQuartile(amounts: readonly bigint[]): bigint {
  return ascending(amounts)[Math.max(1, Math.floor((amounts.length * 3) / 4)) - 1] ?? 0n;
}

const ascending = (amounts: readonly bigint[]): readonly bigint[] =>
  amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
