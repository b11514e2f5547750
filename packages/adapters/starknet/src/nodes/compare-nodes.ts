import type { Felt } from '@sotto/kernel';
import type { NodeDisagreement } from '@sotto/facts';
import type { NodeHead } from '../rpc/starknet-node.js';

/** Values that one node returned during a poll of all nodes. */
export interface NodeReading {
  readonly name: string;
  readonly head: NodeHead;
  /**
   * Hash of the block at the highest height that all nodes have. Null if this hash could not be
   * read.
   */
  readonly commonHash: Felt | null;
  /**
   * Nonces of our accounts in the block at the highest common height, by account. Accounts whose
   * nonce could not be read are omitted.
   */
  readonly nonces: ReadonlyMap<Felt, bigint>;
}

export interface Comparison {
  readonly disagreements: readonly NodeDisagreement[];
  /**
   * True if the majority of the nodes reports a different value. False if the votes are tied,
   * because it is unknown which value is wrong.
   */
  readonly isContradicted: boolean;
}

const AGREES: Comparison = { disagreements: [], isContradicted: false };

/** Returns the highest height that every polled node has. */
export function commonHeight(heads: readonly NodeHead[]): number {
  return Math.min(...heads.map(({ number }) => number));
}

/**
 * Returns the disagreements of each node with the other nodes. A node disagrees if the node's head
 * is more than `maxLagBlocks` below the highest head, or if the node's block hash at the common
 * height differs. A node also disagrees if it reports a different nonce of an account in the same
 * block.
 * @param reference the node whose value wins if the votes are tied
 */
export function compareNodes(
  readings: readonly NodeReading[],
  reference: string,
  maxLagBlocks: number,
): ReadonlyMap<string, Comparison> {
  const highest = Math.max(...readings.map(({ head }) => head.number));
  const hash = opinion(readings, reference, ({ commonHash }) => commonHash);
  const accounts = [...new Set(readings.flatMap(({ nonces }) => [...nonces.keys()]))];
  const onChain = readings.filter(({ commonHash }) => commonHash === hash.value);
  const nonces = accounts.map((account) => ({
    account,
    ...opinion(onChain, reference, (reading) => reading.nonces.get(account) ?? null),
  }));
  return new Map(
    readings.map((reading) => {
      const isBehind = reading.head.number < highest - maxLagBlocks;
      const otherBlock = reading.commonHash !== null && reading.commonHash !== hash.value;
      const otherNonces = nonces.filter(
        ({ account, value }) =>
          onChain.includes(reading) &&
          reading.nonces.has(account) &&
          reading.nonces.get(account) !== value,
      );
      const disagreements = [
        ...(isBehind ? (['head'] as const) : []),
        ...(otherBlock ? (['block'] as const) : []),
        ...(otherNonces.length > 0 ? (['nonce'] as const) : []),
      ];
      const isContradicted =
        (otherBlock && hash.isMajority) || otherNonces.some(({ isMajority }) => isMajority);
      return [
        reading.name,
        disagreements.length === 0 ? AGREES : { disagreements, isContradicted },
      ] as const;
    }),
  );
}

/**
 * Returns the value that most nodes report. If the votes are tied, returns the value of the
 * reference node.
 */
function opinion<Value>(
  readings: readonly NodeReading[],
  reference: string,
  valueOf: (reading: NodeReading) => Value | null,
): { readonly value: Value | null; readonly isMajority: boolean } {
  const votes = new Map<Value, number>();
  for (const reading of readings) {
    const value = valueOf(reading);
    if (value !== null) votes.set(value, (votes.get(value) ?? 0) + 1);
  }
  const own = readings.find(({ name }) => name === reference);
  const preferred = own === undefined ? null : valueOf(own);
  const [first] = [...votes].toSorted(
    ([a, votesOfA], [b, votesOfB]) =>
      votesOfB - votesOfA || Number(b === preferred) - Number(a === preferred),
  );
  if (first === undefined) return { value: null, isMajority: false };
  const others = [...votes.values()].reduce((sum, count) => sum + count, 0) - first[1];
  return { value: first[0], isMajority: first[1] > others };
}
