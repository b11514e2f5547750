import { u256FromHalves } from '@sotto/kernel';
import type { ChainEvent, Node } from './node.js';

/** Leaves that were deployed together. */
export interface Batch {
  readonly start: number;
  readonly size: number;
}

/** All that a wallet needs of a pool's past to prove a withdrawal, from public events alone. */
export interface PoolHistory {
  /** Commitments by leaf index. */
  readonly leaves: readonly bigint[];
  readonly batches: readonly Batch[];
}

/** Reads a pool's past from its events. */
export async function readPoolHistory(node: Node, pool: bigint): Promise<PoolHistory> {
  const [deposits, deployed] = await Promise.all([
    node.events(pool, 'Deposit'),
    node.events(pool, 'BatchDeployed'),
  ]);
  return { leaves: leavesOf(deposits), batches: deployed.map(batchOf) };
}

/**
 * Commitments in leaf order.
 * @throws Error when a leaf is missing: with a gap the tree would have another root
 */
export function leavesOf(deposits: readonly ChainEvent[]): readonly bigint[] {
  const byIndex = new Map(
    deposits.map(({ keys: [, low, high], data: [leafIndex] }) => [
      Number(known(leafIndex)),
      u256FromHalves(known(low), known(high)),
    ]),
  );
  return Array.from({ length: byIndex.size }, (_, index) => {
    const leaf = byIndex.get(index);
    if (leaf === undefined) throw new Error(`the pool's events do not name leaf ${index}`);
    return leaf;
  });
}

/** The batch that an event announces. */
export function batchOf({ data: [start, size] }: ChainEvent): Batch {
  return { start: Number(known(start)), size: Number(known(size)) };
}

/** The active batch that holds a leaf, or undefined while the leaf waits for one. */
export function batchWith(leafIndex: number, batches: readonly Batch[]): Batch | undefined {
  return batches.find(({ start, size }) => leafIndex >= start && leafIndex < start + size);
}

function known(felt: bigint | undefined): bigint {
  if (felt === undefined)
    throw new Error("an event of the pool is shorter than the pool's interface says");
  return felt;
}
