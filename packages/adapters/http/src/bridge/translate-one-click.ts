import {
  canonicalAddress,
  earlier,
  formatAmount,
  formatAmountOf,
  type BridgeAsset,
  type ChainFamily,
  type DepositInstructions,
  type QuotedTerms,
  type ReportedAmount,
  type TransferQuote,
  type TransferRequest,
  type TransferStatusReport,
} from '@sotto/bridge-core';
import type { z } from 'zod';
import { OneClickQuote, type OneClickStatus } from './one-click.schemas.js';
import { progressOf } from './status-words.js';
import { malformedAt, parseAs } from './upstream.js';
import { isSameAmount } from './wire.js';

export interface AssetIds {
  readonly origin: string;
  readonly destination: string;
}

/** Terms of a request in addition to the transfer itself. */
export interface OneClickTerms {
  /** Maximum slippage, in basis points of the output. */
  readonly slippageBps: number;
  /** Deadline for the deposit, in milliseconds since the epoch. */
  readonly deadlineMs: number;
}

/**
 * Addresses for dry runs, which require addresses although no funds move: well-known contracts of
 * each family.
 */
const STAND_IN: Readonly<Record<ChainFamily, string>> = {
  evm: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  solana: 'So11111111111111111111111111111111111111112',
  near: 'wrap.near',
  starknet: '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
};

/** Builds the body of a quote request for exactly this amount. */
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

export type OneClickQuoteBody = ReturnType<typeof oneClickQuoteBody>;

/** @throws BridgeMalformed, also if the answer belongs to another request */
export function toOneClickQuote(
  body: unknown,
  asked: OneClickQuoteBody,
  { amount, from, to, dryRun }: TransferRequest,
): TransferQuote {
  const { quoteRequest, quote } = parseAs(OneClickQuote, body);
  checkEcho(quoteRequest, asked, from, to);
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

type QuoteRequest = z.output<typeof OneClickQuote>['quoteRequest'];

/** Fields that this service never sets: each would charge the transfer or redirect it. */
const NEVER_REQUESTED = [
  'appFees',
  'customRecipientMsg',
  'virtualChainRecipient',
  'virtualChainRefundRecipient',
] as const;

function isAbsent(value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return value === undefined || value === null || value === '' || isEmptyList;
}

/** Compares each field that affects money, in canonical form. */
function checkEcho(
  echoed: QuoteRequest,
  asked: OneClickQuoteBody,
  from: BridgeAsset,
  to: BridgeAsset,
): void {
  const names = [
    'dry',
    'swapType',
    'slippageTolerance',
    'originAsset',
    'depositType',
    'destinationAsset',
    'refundType',
    'recipientType',
  ] as const;
  for (const name of names)
    if (echoed[name] !== asked[name]) throw malformedAt(`quoteRequest.${name}`);
  // If a memo is required but missing from the answer, a deposit would be lost.
  if ((echoed.depositMode ?? asked.depositMode) !== asked.depositMode)
    throw malformedAt('quoteRequest.depositMode');
  for (const name of NEVER_REQUESTED)
    if (!isAbsent(echoed[name])) throw malformedAt(`quoteRequest.${name}`);
  if (!isSameAmount(echoed.amount, asked.amount)) throw malformedAt('quoteRequest.amount');
  if (!isSameAddress(to, echoed.recipient, asked.recipient))
    throw malformedAt('quoteRequest.recipient');
  if (!isSameAddress(from, echoed.refundTo, asked.refundTo))
    throw malformedAt('quoteRequest.refundTo');
}

function isSameAddress({ family }: BridgeAsset, one: string, other: string): boolean {
  return canonicalAddress(family, one) === canonicalAddress(family, other);
}

function depositOf({
  depositAddress,
  depositMemo,
  deadline,
  timeWhenInactive,
}: z.output<typeof OneClickQuote>['quote']): DepositInstructions {
  if (typeof depositAddress !== 'string' || depositAddress.includes(':'))
    throw malformedAt('quote.depositAddress');
  const memo = depositMemo ?? null;
  return {
    transactionId: memo === null ? depositAddress : `${depositAddress}:${encodeURIComponent(memo)}`,
    address: depositAddress,
    memo,
    // A deposit is accepted until one time and the address works until another; use the earlier
    // one.
    deadlineSeconds: earlier(deadline ?? null, timeWhenInactive ?? null),
  };
}

/**
 * Builds the query of a status: 1Click identifies a transfer only by its deposit address and memo.
 * Null for an invalid id.
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

/** Tokens of a transfer, if known. */
export interface KnownAssets {
  readonly from: Unit | null;
  readonly to: Unit | null;
}

type Unit = Pick<BridgeAsset, 'symbol' | 'decimals'>;

/** @throws BridgeMalformed if the status belongs to a transfer on other terms */
export function checkOneClickTerms({ quoteResponse }: OneClickStatus, terms: QuotedTerms): void {
  const { quoteRequest: { amount, recipient } = {}, quote: { depositAddress } = {} } =
    quoteResponse ?? {};
  if (amount !== undefined && !isSameAmount(amount, terms.amount.toString()))
    throw malformedAt('quoteResponse.quoteRequest.amount');
  if (recipient !== undefined && !isSameAddress(terms.to, recipient, terms.recipient))
    throw malformedAt('quoteResponse.quoteRequest.recipient');
  if (
    depositAddress !== undefined &&
    !isSameAddress(terms.from, depositAddress, terms.depositAddress)
  )
    throw malformedAt('quoteResponse.quote.depositAddress');
}

export function toOneClickSighting(
  { status, updatedAt, swapDetails, quoteResponse }: OneClickStatus,
  { from, to }: KnownAssets = { from: null, to: null },
): TransferStatusReport {
  const [deposit] = swapDetails.originChainTxHashes.elements;
  const [output] = swapDetails.destinationChainTxHashes.elements;
  const progress = progressOf(status);
  // A transfer that fails after its deposit was seen has completed the deposit step.
  const failedLater = progress.next === 'failed' && deposit !== undefined;
  const { quote: { deadline, timeWhenInactive } = {} } = quoteResponse ?? {};
  return {
    ...progress,
    completedSteps: failedLater ? Math.max(progress.completedSteps, 1) : progress.completedSteps,
    output: reported(swapDetails.amountOut, swapDetails.amountOutFormatted, to),
    deposited: reported(swapDetails.depositedAmount, swapDetails.depositedAmountFormatted, from),
    refund: reported(swapDetails.refundedAmount, swapDetails.refundedAmountFormatted, from),
    reasonText: swapDetails.refundReason ?? progress.reasonText,
    deadlineSeconds: earlier(deadline ?? null, timeWhenInactive ?? null) ?? undefined,
    details: {
      deposit_detected: { txHash: deposit?.hash },
      send_to_recipient: { txHash: output?.hash, completedAtSeconds: updatedAt },
    },
  };
}

/** Prefers smallest units to the formatted amount, which is rounded. */
function reported(
  units: bigint | undefined,
  formatted: ReportedAmount | undefined,
  unit: Unit | null,
): ReportedAmount | undefined {
  const symbol = unit?.symbol ?? null;
  if (units !== undefined && unit !== null)
    return { tokens: formatAmount(units, unit.decimals), symbol };
  if (formatted !== undefined) return { tokens: formatted.tokens, symbol };
  // Without the unit, zero and non-zero amounts are still distinguishable.
  return units === undefined ? undefined : { tokens: units.toString(), symbol: null };
}
