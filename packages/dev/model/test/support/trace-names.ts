import { toFelt, type Felt } from '@sotto/kernel';
import type { TraceStep } from '../../src/traces.mjs';
import type { BlockRef, NonceConsumer, NonceRow, SignedTransaction } from '@sotto/submission-core';
import { aBlock, aSignedTransaction, took } from '@sotto/submission-core/testing';

/** Name prefix of a no-op in the model. */
export const NOOP = '--';

export const addressOf = (L: number): Felt => toFelt(`0x1a2e${L}`);
/** Formats the lane and the nonce of a row as `L0n0`. */
export const placeOf = ({ lane, nonce }: Pick<NonceRow, 'lane' | 'nonce'>): string =>
  `L${lane.at(-1)}n${nonce}`;
/**
 * Returns the price of a price step. Each step outbids the step below, and the highest step of a
 * trace is the price ceiling.
 */
export const priceOf = (step: number): bigint => 10_000_000_000n * 2n ** BigInt(step);
export const blockOf = (block: string | null | undefined): BlockRef =>
  aBlock(Number(block?.slice(1) ?? 0));

/**
 * Maps the model's transactions to hashes. Each combination of name, lane and nonce has a separate
 * hash.
 */
export class TraceNames {
  readonly #names = new Map<Felt, string>();

  signed({ tx = '', L = 0, n = 0 }: Pick<TraceStep, 'tx' | 'L' | 'n'>): SignedTransaction {
    const signed = aSignedTransaction(`${tx} at L${L}n${n}`, priceOf(Number(tx[3])));
    this.#names.set(signed.hash, tx);
    return signed;
  }

  nameOf(hash: Felt): string {
    return this.#names.get(hash) ?? hash;
  }

  consumer(hash: Felt, good: boolean, block: string | null): NonceConsumer {
    const execution = good ? 'SUCCEEDED' : 'REVERTED';
    return took(hash, { execution, revertReason: good ? null : 'no', block: blockOf(block) });
  }
}
