import type { BridgeAsset } from './catalogue.js';

interface TransferTerms {
  readonly from: BridgeAsset;
  readonly to: BridgeAsset;
  /** Amount in the source token's smallest unit. */
  readonly amount: bigint;
  /** Refund address on the source chain; null if the caller specified no address. */
  readonly refundTo: string | null;
}

/** A transfer between two listed assets, with validated addresses. */
export type TransferRequest =
  | (TransferTerms & { readonly dryRun: true; readonly recipient: string | null })
  | (TransferTerms & { readonly dryRun: false; readonly recipient: string });

/**
 * One leg of the route. The names in a leg are chosen by the protocol; a leg of kind `swap` has a
 * dex.
 */
export interface RouteLeg {
  readonly step: 'swap' | 'bridge';
  readonly from: string;
  readonly to: string;
  readonly dex: string | null;
}

/** Fees as texts with their unit; null if the protocol does not report the fee. */
export interface TransferFees {
  readonly bridgeFee: string | null;
  readonly gasEstimate: string | null;
  readonly swapFees: string | null;
}

/**
 * Instructions for the deposit of the funds. The transfer begins when exactly the quoted amount has
 * arrived at the deposit address.
 */
export interface DepositInstructions {
  readonly transactionId: string;
  /** Deposit address on the source chain. */
  readonly address: string;
  /** Memo that the deposit must include; null if the chain needs no memo. */
  readonly memo: string | null;
  /** Deadline of the deposit in Unix seconds; null if the protocol reports no deadline. */
  readonly deadlineSeconds: number | null;
}

export interface TransferQuote {
  /** Estimated output in the destination token's smallest unit. */
  readonly estimatedOutput: bigint;
  readonly route: readonly RouteLeg[];
  readonly fees: TransferFees;
  readonly durationSeconds: number | null;
  /** Deposit instructions of a real transfer. Null if and only if the request is a dry run. */
  readonly deposit: DepositInstructions | null;
}
