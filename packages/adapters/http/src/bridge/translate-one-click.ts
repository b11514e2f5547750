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

/** Terms of a 1Click request in addition to the transfer itself. */
export interface OneClickTerms {
  /** Maximum slippage, in basis points of the output. */
  readonly slippageBps: number;
  /** Deadline for the deposit, in milliseconds since the epoch. */
  readonly deadlineMs: number;
}

/**
 * Placeholder addresses for dry runs, which require addresses although no funds move: well-known
 * contracts of each chain family.
 */
const STAND_IN: Readonly<Record<ChainFamily, string>> = {
  evm: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  solana: 'So11111111111111111111111111111111111111112',
  near: 'wrap.near',
  starknet: '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
};

/** Returns the body of a quote request for exactly this amount. */
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

/** @throws BridgeMalformed if the response is malformed or belongs to another request */
export function toOneClickQuote(
  body: unknown,
  requested: OneClickQuoteBody,
  { amount, from, to, dryRun }: TransferRequest,
): TransferQuote {
  const { quoteRequest, quote } = parseAs(OneClickQuote, body);
  checkEcho(quoteRequest, requested, from, to);
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

/**
 * Fields that this service never sets. If one of them appears in the response, a charge would be
 * added or the transfer would be redirected.
 */
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

/** Compares each echoed field that affects money with our request, in canonical form. */
function checkEcho(
  echoed: QuoteRequest,
  requested: OneClickQuoteBody,
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
    if (echoed[name] !== requested[name]) throw malformedAt(`quoteRequest.${name}`);
  // A different deposit mode may require a memo, and a deposit without this memo would be lost.
  if ((echoed.depositMode ?? requested.depositMode) !== requested.depositMode)
    throw malformedAt('quoteRequest.depositMode');
  for (const name of NEVER_REQUESTED)
    if (!isAbsent(echoed[name])) throw malformedAt(`quoteRequest.${name}`);
  if (!isSameAmount(echoed.amount, requested.amount)) throw malformedAt('quoteRequest.amount');
  if (!isSameAddress(to, echoed.recipient, requested.recipient))
    throw malformedAt('quoteRequest.recipient');
  if (!isSameAddress(from, echoed.refundTo, requested.refundTo))
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
    // The deposit's deadline and the time when the address becomes inactive may differ; the earlier
    // time is used.
    deadlineSeconds: earlier(deadline ?? null, timeWhenInactive ?? null),
  };
}

/**
 * Returns the query parameters of a status: 1Click identifies a transfer only by its deposit
 * address and memo. Returns null for an invalid id.
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

/** Units of a transfer's two tokens; null if a unit is unknown. */
export interface KnownAssets {
  readonly from: Unit | null;
  readonly to: Unit | null;
}

type Unit = Pick<BridgeAsset, 'symbol' | 'decimals'>;

/**
 * @throws BridgeMalformed if amount, recipient or deposit address in the status differ from the
 *   quoted terms
 */
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

export function toOneClickStatus(
  { status, updatedAt, swapDetails, quoteResponse }: OneClickStatus,
  { from, to }: KnownAssets = { from: null, to: null },
): TransferStatusReport {
  const [deposit] = swapDetails.originChainTxHashes.elements;
  const [output] = swapDetails.destinationChainTxHashes.elements;
  const progress = progressOf(status);
  // If a transfer fails after its deposit was seen, the deposit step is completed.
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

/**
 * Returns the amount computed from its smallest units if these and the decimals are known.
 * Otherwise returns the formatted amount, which is rounded.
 */
function reported(
  units: bigint | undefined,
  formatted: ReportedAmount | undefined,
  unit: Unit | null,
): ReportedAmount | undefined {
  const symbol = unit?.symbol ?? null;
  if (units !== undefined && unit !== null)
    return { tokens: formatAmount(units, unit.decimals), symbol };
  if (formatted !== undefined) return { tokens: formatted.tokens, symbol };
  // Even if the unit is unknown, callers can distinguish zero from other amounts.
  return units === undefined ? undefined : { tokens: units.toString(), symbol: null };
}
