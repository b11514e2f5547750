import { judge, type JudgedReport, type TransferAmounts } from './judge-report.js';
import type { QuotedTerms } from './quoted-terms.js';
import type { TransferStatusReport } from './status-report.js';
import { STEP_NAMES, type StepName } from './step-names.js';

/**
 * Progress of a transfer. Steps run one after another, so the completed steps and the state of the
 * next step describe the progress fully. Only {@link advance} creates new values.
 */
export interface Transfer {
  /** Completion time of each completed step, in order; Unix seconds, never decreasing. */
  readonly completedAtSeconds: readonly number[];
  /** State of the first step that is not completed; `pending` if all steps are completed. */
  readonly next: 'pending' | 'processing' | 'failed';
  /** Known transaction hashes by step. */
  readonly txHashes: Readonly<Partial<Record<StepName, string>>>;
  /** True if the funds of a failed transfer are back on the source chain. */
  readonly refunded: boolean;
  /** Terms of the transfer's quote; null if this service did not quote the transfer. */
  readonly terms: QuotedTerms | null;
  /**
   * Start of the request whose response set the fields declared below this one, in Unix
   * milliseconds. A response to an earlier request does not replace these fields.
   */
  readonly observedAtMs: number;
  /**
   * Time since when the protocol has reported a delivery without evidence, in Unix seconds; null if
   * the protocol reports no unconfirmed delivery.
   */
  readonly unconfirmedSinceSeconds: number | null;
  /** True if less than the quoted amount has arrived at the deposit address. */
  readonly isDepositIncomplete: boolean;
  /** `output` and `shortfall` are null until the transfer is completed. */
  readonly amounts: TransferAmounts;
  /** Text of limited length in which the protocol explains a failure or a refund. */
  readonly reasonText: string | null;
}

const NO_AMOUNTS: TransferAmounts = {
  output: null,
  shortfall: null,
  deposited: null,
  missing: null,
  refunded: null,
};

/** State of a transfer before the first report. */
export const UNSEEN: Transfer = {
  completedAtSeconds: [],
  next: 'pending',
  txHashes: {},
  refunded: false,
  terms: null,
  observedAtMs: 0,
  unconfirmedSinceSeconds: null,
  isDepositIncomplete: false,
  amounts: NO_AMOUNTS,
  reasonText: null,
};

export function isCompleted({ completedAtSeconds }: Transfer): boolean {
  return completedAtSeconds.length === STEP_NAMES.length;
}

/**
 * Returns true if the transfer can't change any more: it was delivered, or it failed and was
 * refunded.
 */
export function hasEnded(transfer: Transfer): boolean {
  return isCompleted(transfer) || (transfer.next === 'failed' && transfer.refunded);
}

/** Returns true if the protocol has not yet detected any part of the deposit. */
export function isUntouched({ completedAtSeconds, next, txHashes }: Transfer): boolean {
  return (
    completedAtSeconds.length === 0 && next === 'pending' && txHashes.deposit_detected === undefined
  );
}

/**
 * Returns true if the transfer was only quoted, and the protocol has reported no deposit or
 * delivery.
 */
export function isUnused(transfer: Transfer): boolean {
  return isUntouched(transfer) && transfer.unconfirmedSinceSeconds === null;
}

/**
 * Merges a report into the known progress of a transfer.
 *
 * - A step never returns to an earlier state. Times, hashes and the delivered amount are set once.
 * - No more than one step fails. After a failure or the last step, only the refund changes.
 * - A reported time is used if it is not before the time of the previous step and not in the
 *   future. Otherwise the present time is used.
 * - Reversible fields, such as the missing amount, are replaced only by the response to a later
 *   request.
 * @param requestedAtMs start of the request whose response is the report
 * @returns the object `remembered` if the report adds nothing
 */
export function advance(
  remembered: Transfer,
  reportedStatus: TransferStatusReport,
  nowSeconds: number,
  requestedAtMs: number = nowSeconds * 1_000,
): Transfer {
  const judged = judge(reportedStatus, remembered.terms);
  const isOver = isCompleted(remembered) || remembered.next === 'failed';
  const doneBefore = remembered.completedAtSeconds.length;
  const done = isOver
    ? doneBefore
    : Math.min(Math.max(doneBefore, judged.completedSteps), STEP_NAMES.length);

  const next =
    isOver || done === STEP_NAMES.length
      ? finalNext(remembered)
      : laterNext(remembered, judged, done);
  const advanced: Transfer = {
    completedAtSeconds: completionTimes(remembered.completedAtSeconds, done, judged, nowSeconds),
    next,
    txHashes: txHashesAfter(remembered.txHashes, judged),
    refunded: remembered.refunded || (next === 'failed' && judged.refunded),
    terms: remembered.terms,
    ...observedAfter(remembered, judged, { done, next, nowSeconds, requestedAtMs }),
  };
  return isSame(remembered, advanced) ? remembered : advanced;
}

type Observed = Pick<
  Transfer,
  'observedAtMs' | 'unconfirmedSinceSeconds' | 'isDepositIncomplete' | 'amounts' | 'reasonText'
>;

interface Moment {
  readonly done: number;
  readonly next: Transfer['next'];
  readonly nowSeconds: number;
  readonly requestedAtMs: number;
}

function observedAfter(
  remembered: Transfer,
  judged: JudgedReport,
  { done, next, nowSeconds, requestedAtMs }: Moment,
): Observed {
  const isCompletedNow = done === STEP_NAMES.length;
  const isOver = isCompletedNow || next === 'failed';
  const isLatest =
    isAnswerLatest(remembered, { nowSeconds, requestedAtMs }) && !hasEnded(remembered);
  const { amounts, reasonText, isUnconfirmed, isDepositIncomplete } = judged;
  const wasUnconfirmed = remembered.unconfirmedSinceSeconds !== null;
  const isClaimed = !isOver && (isLatest ? isUnconfirmed : wasUnconfirmed);
  const before = remembered.amounts;
  const isDelivery = isCompletedNow && judged.completedSteps === STEP_NAMES.length;
  const latest = isLatest ? amounts : before;
  return {
    observedAtMs: isLatest ? requestedAtMs : remembered.observedAtMs,
    unconfirmedSinceSeconds: isClaimed ? (remembered.unconfirmedSinceSeconds ?? nowSeconds) : null,
    isDepositIncomplete:
      !isOver && (isLatest ? isDepositIncomplete : remembered.isDepositIncomplete),
    amounts: {
      output: before.output ?? (isDelivery ? amounts.output : null),
      shortfall: before.output === null && isDelivery ? amounts.shortfall : before.shortfall,
      deposited: latest.deposited ?? before.deposited,
      missing: isOver ? null : latest.missing,
      refunded: latest.refunded ?? before.refunded,
    },
    // A later response may omit the reason of a failure, so keep the known reason.
    reasonText: isLatest
      ? (reasonText ?? (next === 'failed' ? remembered.reasonText : null))
      : remembered.reasonText,
  };
}

/**
 * Returns true if no response to a later request has been merged yet. A stored time in the future
 * was written by a wrong clock, so that time must not block new responses.
 */
function isAnswerLatest(
  { observedAtMs }: Transfer,
  { nowSeconds, requestedAtMs }: Pick<Moment, 'nowSeconds' | 'requestedAtMs'>,
): boolean {
  return requestedAtMs >= observedAtMs || observedAtMs >= (nowSeconds + 1) * 1_000;
}

function finalNext({ next }: Transfer): Transfer['next'] {
  return next === 'failed' ? 'failed' : 'pending';
}

function laterNext(
  remembered: Transfer,
  reportedStatus: TransferStatusReport,
  done: number,
): Transfer['next'] {
  if (reportedStatus.next === 'failed') return 'failed';
  // If the report refers to a step that is already completed, its state does not apply to the step
  // in progress.
  const said = reportedStatus.completedSteps >= done ? reportedStatus.next : 'pending';
  const known = remembered.completedAtSeconds.length === done ? remembered.next : 'pending';
  return said === 'processing' ? said : known;
}

function completionTimes(
  before: readonly number[],
  done: number,
  { details }: TransferStatusReport,
  nowSeconds: number,
): readonly number[] {
  const times = [...before];
  for (const step of STEP_NAMES.slice(before.length, done)) {
    const earliest = times.at(-1) ?? 0;
    const latest = Math.max(earliest, nowSeconds);
    const reported = details[step]?.completedAtSeconds;
    times.push(
      reported !== undefined && reported >= earliest && reported <= latest ? reported : latest,
    );
  }
  return times;
}

function txHashesAfter(
  before: Transfer['txHashes'],
  { details }: TransferStatusReport,
): Transfer['txHashes'] {
  const reported = STEP_NAMES.flatMap((step) => {
    const txHash = details[step]?.txHash;
    return txHash === undefined ? [] : [[step, txHash] as const];
  });
  return { ...Object.fromEntries(reported), ...before };
}

/**
 * Returns true if the two states are equal. Times and hashes are only added, so equal numbers of
 * entries mean equal entries. States that differ only in the observation time are equal.
 */
function isSame(before: Transfer, after: Transfer): boolean {
  return (
    before.completedAtSeconds.length === after.completedAtSeconds.length &&
    before.next === after.next &&
    before.refunded === after.refunded &&
    before.unconfirmedSinceSeconds === after.unconfirmedSinceSeconds &&
    before.isDepositIncomplete === after.isDepositIncomplete &&
    before.reasonText === after.reasonText &&
    before.amounts.output === after.amounts.output &&
    before.amounts.shortfall === after.amounts.shortfall &&
    before.amounts.deposited === after.amounts.deposited &&
    before.amounts.missing === after.amounts.missing &&
    before.amounts.refunded === after.amounts.refunded &&
    Object.keys(before.txHashes).length === Object.keys(after.txHashes).length
  );
}
