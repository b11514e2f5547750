import type { Felt } from '@sotto/kernel';
import type { NodeDisagreement } from '@sotto/facts';
import type { NodeHead } from '../rpc/starknet-node.js';

/** What one node showed in a look at all. */
export interface NodeReading {
  readonly name: string;
  readonly head: NodeHead;
  /** Of the block at the height that all have; null where it could not be read. */
  readonly commonHash: Felt | null;
  /** Nonces of our accounts in that block; those that could not be read are left out. */
  readonly nonces: ReadonlyMap<Felt, bigint>;
}

export interface Comparison {
  readonly disagreements: readonly NodeDisagreement[];
  /** More nodes say otherwise. With two there is no telling which of them is wrong. */
  readonly isContradicted: boolean;
}

const AGREES: Comparison = { disagreements: [], isContradicted: false };

/** The height that every node of a look has. */
export function commonHeight(heads: readonly NodeHead[]): number {
  return Math.min(...heads.map(({ number }) => number));
}

/**
 * In what each node differs from the others: a head that is more than `maxLagBlocks` below the
 * highest; the hash at a height that all have; the nonce of an account in one and the same block.
 * @param reference the node that is right where it is one word against another
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

/** What most nodes say; where as many say otherwise, what the reference says. */
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
