import {
  formatAmountOf,
  type ChainFamily,
  type DepositInstructions,
  type TransferQuote,
  type TransferRequest,
  type TransferStatusReport,
} from '@sotto/bridge-core';
import { OneClickQuote, OneClickStatus } from './one-click.schemas.js';
import { progressOf } from './status-words.js';
import { malformedAt, parseAs } from './upstream.js';

export interface AssetIds {
  readonly origin: string;
  readonly destination: string;
}

/** What a request says beside the transfer itself. */
export interface OneClickTerms {
  /** In basis points, of the output. */
  readonly slippageBps: number;
  /** Until when the deposit must arrive. */
  readonly deadlineMs: number;
}

/**
 * Dry runs must name addresses, though nothing is ever sent there: well-known contracts of each
 * family.
 */
const STAND_IN: Readonly<Record<ChainFamily, string>> = {
  evm: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  solana: 'So11111111111111111111111111111111111111112',
  near: 'wrap.near',
  starknet: '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
};

/** Body of a request for a quote, for exactly this amount. */
export function oneClickQuoteBody(
  { from, to, amount, dryRun, recipient, refundTo }: TransferRequest,
  { origin, destination }: AssetIds,
  { slippageBps, deadlineMs }: OneClickTerms,
) {
  return {
    dry: dryRun,
    swapType: 'EXACT_INPUT',
    slippageTolerance: slippageBps,
    originAsset: origin,
    depositType: 'ORIGIN_CHAIN',
    destinationAsset: destination,
    amount: amount.toString(),
    refundTo: refundTo ?? STAND_IN[from.family],
    refundType: 'ORIGIN_CHAIN',
    recipient: recipient ?? STAND_IN[to.family],
    recipientType: 'DESTINATION_CHAIN',
    deadline: new Date(deadlineMs).toISOString(),
    depositMode: 'SIMPLE',
  };
}

/** @throws BridgeMalformed, also when the answer is for another request than ours */
export function toOneClickQuote(
  body: unknown,
  asked: ReturnType<typeof oneClickQuoteBody>,
  { amount, to, dryRun }: TransferRequest,
): TransferQuote {
  const { quoteRequest, quote } = parseAs(OneClickQuote, body);
  for (const name of ['originAsset', 'destinationAsset', 'amount', 'recipient'] as const) {
    if (quoteRequest[name] !== asked[name]) throw malformedAt(`quoteRequest.${name}`);
  }
  if (quote.amountIn !== amount) throw malformedAt('quote.amountIn');
  const { withdrawFee, timeEstimate } = quote;
  return {
    estimatedOutput: quote.amountOut,
    route: [],
    fees: {
      bridgeFee: withdrawFee === undefined ? null : formatAmountOf(withdrawFee, to),
      gasEstimate: null,
      swapFees: null,
    },
    durationSeconds: timeEstimate ?? null,
    deposit: dryRun ? null : depositOf(quote),
  };
}

function depositOf({
  depositAddress,
  depositMemo,
  deadline,
}: {
  readonly depositAddress?: string | null | undefined;
  readonly depositMemo?: string | null | undefined;
  readonly deadline?: number | undefined;
}): DepositInstructions {
  if (typeof depositAddress !== 'string' || depositAddress.includes(':'))
    throw malformedAt('quote.depositAddress');
  const memo = depositMemo ?? null;
  return {
    transactionId: memo === null ? depositAddress : `${depositAddress}:${encodeURIComponent(memo)}`,
    address: depositAddress,
    memo,
    deadlineSeconds: deadline ?? null,
  };
}

/**
 * Query of a status: 1Click knows a transfer by its deposit address and memo alone. Null for an id
 * that can't be one.
 */
export function oneClickStatusParams(
  transactionId: string,
): { readonly depositAddress: string; readonly depositMemo?: string } | null {
  const [depositAddress = '', memo, ...more] = transactionId.split(':');
  if (depositAddress === '' || more.length > 0) return null;
  if (memo === undefined) return { depositAddress };
  try {
    return { depositAddress, depositMemo: decodeURIComponent(memo) };
  } catch {
    return null;
  }
}

/** @throws BridgeMalformed */
export function toOneClickSighting(body: unknown): TransferStatusReport {
  const { status, updatedAt, swapDetails } = parseAs(OneClickStatus, body);
  const [deposit] = swapDetails.originChainTxHashes;
  const [output] = swapDetails.destinationChainTxHashes;
  const progress = progressOf(status);
  // A transfer that fails after its deposit was seen does not fail for want of one.
  const failedLater = progress.next === 'failed' && deposit?.hash !== undefined;
  return {
    ...progress,
    outputAmount: swapDetails.amountOutFormatted,
    completedSteps: failedLater ? Math.max(progress.completedSteps, 1) : progress.completedSteps,
    details: {
      deposit_detected: { txHash: deposit?.hash },
      send_to_recipient: { txHash: output?.hash, completedAtSeconds: updatedAt },
    },
  };
}
