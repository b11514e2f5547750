import { formatAmountOf, parseTokens } from './amount.js';
import type { BridgeAsset } from './catalogue.js';
import type { QuotedTerms } from './quoted-terms.js';
import type { ReportedAmount, TransferStatusReport } from './status-report.js';
import { STEP_NAMES } from './step-names.js';

/**
 * Part of the quoted output that may be missing without a reported shortfall, in basis points. The
 * value equals the slippage that quotes allow.
 */
const SHORTFALL_TOLERANCE_BPS = 100n;
const BPS = 10_000n;
/**
 * Maximum ratio of a reported amount to the quoted amount. An amount above this ratio is not
 * reported to callers, because it probably has a different unit.
 */
const MAX_QUOTED_FACTOR = 10n;
/** Number of fraction digits that are used to compare amounts of an unknown token. */
const FRACTION_DIGITS = 30;

/** Amounts of a transfer, each formatted with its unit; null if the amount is unknown. */
export interface TransferAmounts {
  readonly output: string | null;
  /** Missing part of the quoted output; null if the missing part is within the tolerance. */
  readonly shortfall: string | null;
  readonly deposited: string | null;
  /** Amount that is still missing from an incomplete deposit. */
  readonly missing: string | null;
  readonly refunded: string | null;
}

/** Report of a protocol whose statements were compared with the evidence in the report. */
export interface JudgedReport extends TransferStatusReport {
  /** True if the protocol reports a delivery without evidence. */
  readonly isUnconfirmed: boolean;
  readonly isDepositIncomplete: boolean;
  readonly amounts: TransferAmounts;
}

/**
 * Compares the statements of a report with its evidence. A delivery needs a transaction on the
 * destination chain or a delivered amount above zero, and no contrary evidence. A refund of zero is
 * not a refund. An amount far above the quoted amount is not evidence of a delivery, but a refund
 * of any size is evidence against the delivery.
 */
export function judge(stated: TransferStatusReport, terms: QuotedTerms | null): JudgedReport {
  const report =
    terms === null
      ? stated
      : { ...stated, output: plausible(stated.output, terms.to, terms.estimatedOutput) };
  const claimsDelivery = report.completedSteps >= STEP_NAMES.length;
  const isUnconfirmed = claimsDelivery && !isDelivered(report, terms);
  const { isDepositIncomplete = false } = report;
  const amounts = amountsOf(report, terms);
  const judged = { ...report, isUnconfirmed, isDepositIncomplete, amounts };
  if (isUnconfirmed)
    // The reported delivery is not confirmed. So the completed steps are only those for which the
    // protocol reports a time or a transaction.
    return { ...judged, completedSteps: listedSteps(report), next: 'processing' };
  const isRefundOfZero = report.refund !== undefined && unitsOf(report.refund, terms?.from) === 0n;
  return { ...judged, refunded: report.refunded && !isRefundOfZero };
}

/**
 * Returns the reported amount; undefined if it is not a number, or if it is more than ten times the
 * quoted amount. An amount in a token other than the quoted token is returned unchanged.
 */
function plausible(
  amount: ReportedAmount | undefined,
  asset: BridgeAsset,
  quoted: bigint,
): ReportedAmount | undefined {
  if (amount === undefined || inUnitOf(amount, asset) === undefined) return amount;
  const units = parseTokens(amount.tokens, asset.decimals);
  return units === undefined || units > MAX_QUOTED_FACTOR * quoted ? undefined : amount;
}

function isDelivered(report: TransferStatusReport, terms: QuotedTerms | null): boolean {
  const { details, refund } = report;
  const output = report.output === undefined ? undefined : inUnitOf(report.output, terms?.to);
  if (output !== undefined && unitsOf(output, terms?.to) === 0n) return false;
  const { deposit_detected: deposit, send_to_recipient: sent } = details;
  const hasHash = sent?.txHash !== undefined && sent.txHash !== deposit?.txHash;
  if (output === undefined && !hasHash) return false;
  return refund === undefined || !isRefundedInstead(report, output, refund, terms);
}

/**
 * Returns true if the refunded share of the transfer is at least as large as the delivered share.
 */
function isRefundedInstead(
  { deposited }: TransferStatusReport,
  output: ReportedAmount | undefined,
  refund: ReportedAmount,
  terms: QuotedTerms | null,
): boolean {
  const refunded = unitsOf(refund, terms?.from);
  if (refunded === 0n) return false;
  if (output === undefined)
    return deposited === undefined || 2n * refunded >= unitsOf(deposited, terms?.from);
  const delivered = unitsOf(output, terms?.to);
  // Refund and output are in different tokens, so compare each of them as a share of its quoted
  // amount.
  return terms === null
    ? refunded >= delivered
    : refunded * terms.estimatedOutput >= delivered * terms.amount;
}

/**
 * Returns the number of steps up to the last step that has a reported time or transaction. The
 * final step of a transfer is not included.
 */
function listedSteps({ details }: TransferStatusReport): number {
  const listed = STEP_NAMES.slice(0, -1).findLastIndex(
    (step) =>
      details[step]?.completedAtSeconds !== undefined || details[step]?.txHash !== undefined,
  );
  return listed + 1;
}

function amountsOf(report: TransferStatusReport, terms: QuotedTerms | null): TransferAmounts {
  const deposited =
    terms === null ? report.deposited : plausible(report.deposited, terms.from, terms.amount);
  const refund =
    terms === null ? report.refund : plausible(report.refund, terms.from, terms.amount);
  const output = report.output === undefined ? undefined : inUnitOf(report.output, terms?.to);
  return {
    output: textOf(output, terms?.to),
    shortfall: terms === null || output === undefined ? null : shortfallOf(output, terms),
    deposited: textAboveZero(deposited, terms?.from),
    missing:
      terms === null || deposited === undefined || report.isDepositIncomplete !== true
        ? null
        : missingOf(deposited, terms),
    refunded: textAboveZero(refund, terms?.from),
  };
}

function shortfallOf(output: ReportedAmount, { to, estimatedOutput }: QuotedTerms): string | null {
  const lost = estimatedOutput - unitsOf(output, to);
  return lost * BPS > estimatedOutput * SHORTFALL_TOLERANCE_BPS ? formatAmountOf(lost, to) : null;
}

function missingOf(deposited: ReportedAmount, { from, amount }: QuotedTerms): string | null {
  const missing = amount - unitsOf(deposited, from);
  return missing > 0n ? formatAmountOf(missing, from) : null;
}

/** Returns the amount; undefined if its token differs from the token of the asset. */
function inUnitOf(
  amount: ReportedAmount,
  asset: BridgeAsset | undefined,
): ReportedAmount | undefined {
  return amount.symbol === null || asset === undefined || amount.symbol === asset.symbol
    ? amount
    : undefined;
}

/**
 * Converts a reported amount to smallest units of the asset. If the asset is unknown, the result
 * has 30 decimals and is valid only for comparisons.
 */
function unitsOf({ tokens }: ReportedAmount, asset: BridgeAsset | undefined): bigint {
  return parseTokens(tokens, asset?.decimals ?? FRACTION_DIGITS) ?? 0n;
}

/**
 * Formats the amount with its unit. Returns null for an amount of zero, because partners report
 * zero for unknown amounts.
 */
function textAboveZero(
  amount: ReportedAmount | undefined,
  asset: BridgeAsset | undefined,
): string | null {
  return amount === undefined || unitsOf(amount, asset) === 0n ? null : textOf(amount, asset);
}

/**
 * Formats the amount with its unit. Returns null if the unit is unknown, because a number without a
 * unit is misleading.
 */
function textOf(amount: ReportedAmount | undefined, asset: BridgeAsset | undefined): string | null {
  if (amount === undefined) return null;
  if (asset !== undefined && inUnitOf(amount, asset) !== undefined)
    return formatAmountOf(unitsOf(amount, asset), asset);
  return amount.symbol === null ? null : `${amount.tokens} ${amount.symbol}`;
}
