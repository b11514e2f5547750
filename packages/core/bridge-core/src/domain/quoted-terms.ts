import type { BridgeAsset } from './catalogue.js';

/** Quoted terms of a transfer. They describe it, and its outcome is compared with them. */
export interface QuotedTerms {
  readonly from: BridgeAsset;
  readonly to: BridgeAsset;
  /** In the source token's smallest unit. */
  readonly amount: bigint;
  /** In the destination token's smallest unit. */
  readonly estimatedOutput: bigint;
  readonly recipient: string;
  readonly depositAddress: string;
  readonly depositMemo: string | null;
  /** Unix seconds after which nothing may be sent any more; null if unknown. */
  readonly deadlineSeconds: number | null;
}

/** True if both terms bind funds to the same deposit, recipient and amounts. */
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
