import type { BridgeAsset } from './catalogue.js';

/** Quoted terms of a transfer. The outcome of the transfer is compared with these terms. */
export interface QuotedTerms {
  readonly from: BridgeAsset;
  readonly to: BridgeAsset;
  /** Amount in the source token's smallest unit. */
  readonly amount: bigint;
  /** Estimated output in the destination token's smallest unit. */
  readonly estimatedOutput: bigint;
  readonly recipient: string;
  readonly depositAddress: string;
  readonly depositMemo: string | null;
  /** Deadline of the deposit in Unix seconds; null if unknown. */
  readonly deadlineSeconds: number | null;
}

/** Returns true if two quotes have the same deposit, recipient and amounts. */
export function isSameTerms(one: QuotedTerms, other: QuotedTerms): boolean {
  return (
    one.from.chain === other.from.chain &&
    one.from.symbol === other.from.symbol &&
    one.to.chain === other.to.chain &&
    one.to.symbol === other.to.symbol &&
    one.amount === other.amount &&
    one.estimatedOutput === other.estimatedOutput &&
    one.recipient === other.recipient &&
    one.depositAddress === other.depositAddress &&
    one.depositMemo === other.depositMemo &&
    one.deadlineSeconds === other.deadlineSeconds
  );
}
