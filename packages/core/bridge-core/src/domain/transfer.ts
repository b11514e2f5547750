import { judge, type JudgedReport, type TransferAmounts } from './judge-report.js';
import type { QuotedTerms } from './quoted-terms.js';
import type { TransferStatusReport } from './status-report.js';
import { STEP_NAMES, type StepName } from './step-names.js';

/**
 * How far a transfer has come. Steps run one after the other, so those that are done, and the state
 * of the one after them, say all. Only {@link advance} makes new ones.
 */
export interface Transfer {
  /** When each step that is done was completed, in order; Unix seconds, never decreasing. */
  readonly completedAtSeconds: readonly number[];
  /** The step after those; `pending` when no step is left. */
  readonly next: 'pending' | 'processing' | 'failed';
  /** Transactions of steps, as far as the protocol reported them. */
  readonly txHashes: Readonly<Partial<Record<StepName, string>>>;
  /** The funds of a failed transfer are back on the source chain. */
  readonly refunded: boolean;
  /** Terms of its quote; null if this service did not quote it. */
  readonly terms: QuotedTerms | null;
  /**
   * Begin of the request whose answer the fields below are from, in Unix milliseconds: an answer to
   * an earlier request does not replace them.
   */
  readonly observedAtMs: number;
  /**
   * Unix seconds since when the protocol has claimed a delivery without evidence; null if it does
   * not.
   */
  readonly unconfirmedSinceSeconds: number | null;
  /** Less than the quoted amount has arrived. */
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

/** A transfer of which nothing was seen yet. */
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

/** Nothing more can come: it was delivered, or has failed and was paid back. */
export function hasEnded(transfer: Transfer): boolean {
  return isCompleted(transfer) || (transfer.next === 'failed' && transfer.refunded);
}

/** True until the protocol has seen a part of the deposit. */
export function isUntouched({ completedAtSeconds, next, txHashes }: Transfer): boolean {
  return (
    completedAtSeconds.length === 0 && next === 'pending' && txHashes.deposit_detected === undefined
  );
}

/** True if the protocol has reported nothing but the quote. */
export function isUnused(transfer: Transfer): boolean {
  return isUntouched(transfer) && transfer.unconfirmedSinceSeconds === null;
}

/**
 * What is known after a sighting. No step ever goes backwards, times, hashes and the amount that
 * arrived are set once, at most one step fails, and after a failure or the last step nothing moves
 * but the refund. A time that the protocol reports counts if it is in order and not in the future,
 * otherwise the present. What may change in both directions, such as the amount that is missing, is
 * replaced only by the answer to a later request.
 * @param askedAtMs begin of the request that the sighting answers
 * @returns `remembered` itself when the sighting adds nothing
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
    // A later answer may leave out why a transfer failed.
    reasonText: isLatest
      ? (reasonText ?? (next === 'failed' ? remembered.reasonText : null))
      : remembered.reasonText,
  };
}

/**
 * True if no answer to a later request is known. A time in the future was written by a wrong clock:
 * it must not keep later answers away.
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
  // What is said of a step that was passed says nothing of the present one.
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
 * Times and hashes are only ever added, so their number shows whether any came. The time of the
 * observation alone is no change.
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
