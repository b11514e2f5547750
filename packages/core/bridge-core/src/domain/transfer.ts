import { judge, type JudgedReport, type TransferAmounts } from './judge-report.js';
import type { QuotedTerms } from './quoted-terms.js';
import type { TransferStatusReport } from './status-report.js';
import { STEP_NAMES, type StepName } from './step-names.js';

/**
 * Progress of a transfer. Steps run one after another, so the completed steps and the state of the
 * next one describe it fully. Only {@link advance} creates new values.
 */
export interface Transfer {
  /** Completion time of each completed step, in order; Unix seconds, never decreasing. */
  readonly completedAtSeconds: readonly number[];
  /** State of the step after those; `pending` if no step is left. */
  readonly next: 'pending' | 'processing' | 'failed';
  /** Known transactions of the steps. */
  readonly txHashes: Readonly<Partial<Record<StepName, string>>>;
  /** True if the funds of a failed transfer are back on the source chain. */
  readonly refunded: boolean;
  /** Terms of its quote; null if this service did not quote it. */
  readonly terms: QuotedTerms | null;
  /**
   * Start of the request whose answer set the fields below, in Unix milliseconds. An answer to an
   * earlier request does not replace them.
   */
  readonly observedAtMs: number;
  /**
   * Time since when the protocol has claimed a delivery without evidence, in Unix seconds; null if
   * it does not.
   */
  readonly unconfirmedSinceSeconds: number | null;
  /** True if less than the quoted amount has arrived. */
  readonly isDepositIncomplete: boolean;
  /** `output` and `shortfall` are null until the transfer is completed. */
  readonly amounts: TransferAmounts;
  /** Bounded text of the protocol about a failure or a refund. */
  readonly reasonText: string | null;
}

const NO_AMOUNTS: TransferAmounts = {
  output: null,
  shortfall: null,
  deposited: null,
  missing: null,
  refunded: null,
};

/** A transfer without any report. */
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
 * Returns true if no further change can follow: it was delivered, or has failed and was refunded.
 */
export function hasEnded(transfer: Transfer): boolean {
  return isCompleted(transfer) || (transfer.next === 'failed' && transfer.refunded);
}

/** Returns true until the protocol has seen a part of the deposit. */
export function isUntouched({ completedAtSeconds, next, txHashes }: Transfer): boolean {
  return (
    completedAtSeconds.length === 0 && next === 'pending' && txHashes.deposit_detected === undefined
  );
}

/** Returns true if the protocol has reported only the quote. */
export function isUnused(transfer: Transfer): boolean {
  return isUntouched(transfer) && transfer.unconfirmedSinceSeconds === null;
}

/**
 * Merges a report into the known progress. A step never goes backwards. Times, hashes and the
 * delivered amount are set once. At most one step fails, and after a failure or the last step only
 * the refund changes. A reported time counts if it is in order and not in the future; otherwise the
 * present time is used. Reversible fields, such as the missing amount, are replaced only by the
 * answer to a later request.
 * @param askedAtMs start of the request that the report answers
 * @returns `remembered` itself if the report adds nothing
 */
export function advance(
  remembered: Transfer,
  sighting: TransferStatusReport,
  nowSeconds: number,
  askedAtMs: number = nowSeconds * 1_000,
): Transfer {
  const judged = judge(sighting, remembered.terms);
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
    ...observedAfter(remembered, judged, { done, next, nowSeconds, askedAtMs }),
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
  readonly askedAtMs: number;
}

function observedAfter(
  remembered: Transfer,
  judged: JudgedReport,
  { done, next, nowSeconds, askedAtMs }: Moment,
): Observed {
  const isCompletedNow = done === STEP_NAMES.length;
  const isOver = isCompletedNow || next === 'failed';
  const isLatest = isAnswerLatest(remembered, { nowSeconds, askedAtMs }) && !hasEnded(remembered);
  const { amounts, reasonText, isUnconfirmed, isDepositIncomplete } = judged;
  const wasUnconfirmed = remembered.unconfirmedSinceSeconds !== null;
  const isClaimed = !isOver && (isLatest ? isUnconfirmed : wasUnconfirmed);
  const before = remembered.amounts;
  const isDelivery = isCompletedNow && judged.completedSteps === STEP_NAMES.length;
  const latest = isLatest ? amounts : before;
  return {
    observedAtMs: isLatest ? askedAtMs : remembered.observedAtMs,
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
    // A later answer may omit the reason of a failure.
    reasonText: isLatest
      ? (reasonText ?? (next === 'failed' ? remembered.reasonText : null))
      : remembered.reasonText,
  };
}

/**
 * Returns true if no answer to a later request is known. A time in the future was written by a
 * wrong clock, so it must not block later answers.
 */
function isAnswerLatest(
  { observedAtMs }: Transfer,
  { nowSeconds, askedAtMs }: Pick<Moment, 'nowSeconds' | 'askedAtMs'>,
): boolean {
  return askedAtMs >= observedAtMs || observedAtMs >= (nowSeconds + 1) * 1_000;
}

function finalNext({ next }: Transfer): Transfer['next'] {
  return next === 'failed' ? 'failed' : 'pending';
}

function laterNext(
  remembered: Transfer,
  sighting: TransferStatusReport,
  done: number,
): Transfer['next'] {
  if (sighting.next === 'failed') return 'failed';
  // The state of an earlier step does not describe the present one.
  const said = sighting.completedSteps >= done ? sighting.next : 'pending';
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
 * Returns true if nothing changed. Times and hashes are only added, so their number shows if any is
 * new. The time of the observation alone is not a change.
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
