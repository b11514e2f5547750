import type { BridgeAsset } from './catalogue.js';

interface TransferTerms {
  readonly from: BridgeAsset;
  readonly to: BridgeAsset;
  /** Amount in the source token's smallest unit. */
  readonly amount: bigint;
  /** Refund address on the source chain; null if the caller names none. */
  readonly refundTo: string | null;
}

/** A transfer between two listed assets, with validated addresses. */
export type TransferRequest =
  | (TransferTerms & { readonly dryRun: true; readonly recipient: string | null })
  | (TransferTerms & { readonly dryRun: false; readonly recipient: string });

/** One leg of the route, as named by the protocol; swaps have a dex. */
export interface RouteLeg {
  readonly step: 'swap' | 'bridge';
  readonly from: string;
  readonly to: string;
  readonly dex: string | null;
}

/** Texts with their unit; null if the protocol does not state them. */
export interface TransferFees {
  readonly bridgeFee: string | null;
  readonly gasEstimate: string | null;
  readonly swapFees: string | null;
}

/** Address for the funds. The transfer begins once exactly the quoted amount arrives. */
export interface DepositInstructions {
  readonly transactionId: string;
  /** Address on the source chain. */
  readonly address: string;
  /** Memo that the deposit must include, if the chain needs one. */
  readonly memo: string | null;
  /** Deadline of the deposit in Unix seconds; null if the protocol states none. */
  readonly deadlineSeconds: number | null;
}

export interface TransferQuote {
  /** Output in the destination token's smallest unit. */
  readonly estimatedOutput: bigint;
  readonly route: readonly RouteLeg[];
  readonly fees: TransferFees;
  readonly durationSeconds: number | null;
  /** Null if and only if it is a dry run. */
  readonly deposit: DepositInstructions | null;
}
