import type { BridgeAsset } from './catalogue.js';

interface TransferTerms {
  readonly from: BridgeAsset;
  readonly to: BridgeAsset;
  /** In the source token's smallest unit. */
  readonly amount: bigint;
  /**
   * Where funds go if the transfer fails, an address of the source chain; null when the caller
   * names none.
   */
  readonly refundTo: string | null;
}

/** A transfer between two listed assets, its addresses checked. */
export type TransferRequest =
  | (TransferTerms & { readonly dryRun: true; readonly recipient: string | null })
  | (TransferTerms & { readonly dryRun: false; readonly recipient: string });

/** One leg of the way, as the protocol names it; a dex for swaps. */
export interface RouteLeg {
  readonly step: 'swap' | 'bridge';
  readonly from: string;
  readonly to: string;
  readonly dex: string | null;
}

/** Texts with their unit; null where the protocol does not state them. */
export interface TransferFees {
  readonly bridgeFee: string | null;
  readonly gasEstimate: string | null;
  readonly swapFees: string | null;
}

/** Where the funds must arrive. The transfer begins when exactly the quoted amount does. */
export interface DepositInstructions {
  readonly transactionId: string;
  /** On the source chain. */
  readonly address: string;
  /** Must go with the deposit, where the chain needs one. */
  readonly memo: string | null;
  /**
   * Unix seconds after which nothing may be sent any more; null when the protocol does not state
   * it.
   */
  readonly deadlineSeconds: number | null;
}

export interface TransferQuote {
  /** In the destination token's smallest unit. */
  readonly estimatedOutput: bigint;
  readonly route: readonly RouteLeg[];
  readonly fees: TransferFees;
  readonly durationSeconds: number | null;
  /** Null for a dry run, and only then. */
  readonly deposit: DepositInstructions | null;
}
