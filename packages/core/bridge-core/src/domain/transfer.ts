/** The steps of a transfer in the order in which they run. Spec, "Bridge status". */
export const STEP_NAMES = [
  'deposit_detected',
  'swap_source_token',
  'bridge_to_destination',
  'swap_destination_token',
  'send_to_recipient',
] as const;

export type StepName = (typeof STEP_NAMES)[number];

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
  /**
   * What arrived, in the protocol's own words; null until the transfer is completed, or when the
   * protocol did not report it.
   */
  readonly outputAmount: string | null;
}

/** What a protocol says of one step beyond its status. */
export interface StepDetail {
  /** Unix seconds. */
  readonly completedAtSeconds?: number | undefined;
  readonly txHash?: string | undefined;
}

/**
 * What a protocol says of a transfer at one moment. It may be late, coarse, or contradict what it
 * said before.
 */
export interface TransferStatusReport {
  /** Steps that are certainly done, 0 to 5. */
  readonly completedSteps: number;
  /** The step after those. `failed` means: whichever step was under way. */
  readonly next: 'pending' | 'processing' | 'failed';
  readonly refunded: boolean;
  /** What arrived, or will: it counts for completed transfers only. */
  readonly outputAmount?: string | undefined;
  readonly details: Readonly<Partial<Record<StepName, StepDetail>>>;
}

/** A transfer of which nothing was seen yet. */
export const UNSEEN: Transfer = {
  completedAtSeconds: [],
  next: 'pending',
  txHashes: {},
  refunded: false,
  outputAmount: null,
};

export function isCompleted({ completedAtSeconds }: Transfer): boolean {
  return completedAtSeconds.length === STEP_NAMES.length;
}

/** Nothing more can come: it was delivered, or has failed and was paid back. */
export function hasEnded(transfer: Transfer): boolean {
  return isCompleted(transfer) || (transfer.next === 'failed' && transfer.refunded);
}

/**
 * What is known after a sighting. No step ever goes backwards, times, hashes and the amount that
 * arrived are set once, at most one step fails, and after a failure or the last step nothing moves
 * but the refund. A time that the protocol reports counts if it is in order and not in the future,
 * otherwise the present.
 * @returns `remembered` itself when the sighting adds nothing
 */
export function advance(
  remembered: Transfer,
  sighting: TransferStatusReport,
  nowSeconds: number,
): Transfer {
  const isOver = isCompleted(remembered) || remembered.next === 'failed';
  const doneBefore = remembered.completedAtSeconds.length;
  const done = isOver
    ? doneBefore
    : Math.min(Math.max(doneBefore, sighting.completedSteps), STEP_NAMES.length);

  const next =
    isOver || done === STEP_NAMES.length
      ? finalNext(remembered)
      : laterNext(remembered, sighting, done);
  const advanced: Transfer = {
    completedAtSeconds: completionTimes(remembered.completedAtSeconds, done, sighting, nowSeconds),
    next,
    txHashes: txHashesAfter(remembered.txHashes, sighting),
    refunded: remembered.refunded || (next === 'failed' && sighting.refunded),
    outputAmount:
      remembered.outputAmount ??
      (done === STEP_NAMES.length ? (sighting.outputAmount ?? null) : null),
  };
  return isSame(remembered, advanced) ? remembered : advanced;
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

/** Times and hashes are only ever added, so their number shows whether any came. */
function isSame(before: Transfer, after: Transfer): boolean {
  return (
    before.completedAtSeconds.length === after.completedAtSeconds.length &&
    before.next === after.next &&
    before.refunded === after.refunded &&
    before.outputAmount === after.outputAmount &&
    Object.keys(before.txHashes).length === Object.keys(after.txHashes).length
  );
}
