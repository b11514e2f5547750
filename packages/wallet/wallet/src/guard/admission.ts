import type { JournalOptions } from '../journeys/journal.js';
import type { JourneyError } from '../journeys/journey-error.js';
import { inTurn } from '../journeys/turn.js';
import type { Note } from '../notes/note.js';
import type { Place, PoolView } from '../pools/pool-view.js';
import type { WalletStorage } from '../storage.js';
import {
  judge,
  LEAST_AGE_MS,
  LEAST_CROWD,
  type GuardBounds,
  type GuardCode,
  type GuardFacts,
  type GuardRefusal,
  type GuardVerdict,
} from './crowd-guard.js';
import { isNoteAtRisk, readGuardRecords } from './guard-records.js';

/** Options of the guard, on which the caller of a withdrawal or swap decides. */
export interface GuardOptions {
  /**
   * Refusals that the user overrides, each by its name. An override is stored with the withdrawal
   * and holds only for that withdrawal, including its retries and resumes. @default none
   */
  readonly allow?: readonly GuardCode[];
  /** Higher minimums than the guard's own. Lower values have no effect. */
  readonly bounds?: Partial<GuardBounds>;
}

/** Terms of the guard as stored with a withdrawal or swap. */
export interface GuardTerms extends GuardBounds {
  readonly allow: readonly GuardCode[];
}

/** Admission as stored with a withdrawal or swap. Other withdrawals count it as a use. */
export interface Admission {
  readonly by: 'at-risk' | 'guard';
  /** Unix time in ms. */
  readonly atMs: number;
  /**
   * False until the check knows that no other tab was checking when this admission was stored. A
   * later run repeats a check without confirmation, and never refuses a confirmed admission.
   */
  readonly isConfirmed: boolean;
}

/** Returns true if a stored admission, which may be damaged, holds without another check. */
export function isConfirmed(stored: unknown): boolean {
  const { isConfirmed: confirmed }: Partial<Admission> = Object(stored);
  return confirmed === true;
}

export function guardTerms({ allow = [], bounds = {} }: GuardOptions): GuardTerms {
  return {
    allow: [...new Set(allow)],
    leastCrowd: Math.max(LEAST_CROWD, bounds.leastCrowd ?? LEAST_CROWD),
    leastAgeMs: Math.max(LEAST_AGE_MS, bounds.leastAgeMs ?? LEAST_AGE_MS),
  };
}

/** Parses the terms of a stored entry, which may be damaged. */
export function storedTerms(stored: unknown): GuardTerms {
  const { allow, leastCrowd, leastAgeMs }: Partial<GuardTerms> = Object(stored);
  return guardTerms({
    allow: Array.isArray(allow) ? allow : [],
    bounds: {
      ...(typeof leastCrowd === 'number' ? { leastCrowd } : {}),
      ...(typeof leastAgeMs === 'number' ? { leastAgeMs } : {}),
    },
  });
}

/** Merges the terms of a repeated call: the earlier overrides and bounds remain valid. */
export function mergedTerms(before: unknown, next: GuardTerms): GuardTerms {
  const { allow, leastCrowd, leastAgeMs } = storedTerms(before);
  return {
    allow: [...new Set([...allow, ...next.allow])],
    leastCrowd: Math.max(leastCrowd, next.leastCrowd),
    leastAgeMs: Math.max(leastAgeMs, next.leastAgeMs),
  };
}

/** Withdrawal or swap that needs an admission. */
export interface AdmissionRequest extends JournalOptions {
  readonly note: Note;
  readonly pool: PoolView;
  readonly place: Place;
  /** Recipient as 0x hex. */
  readonly recipient: string;
  /** Stored terms of the guard. */
  readonly terms: GuardTerms;
  readonly storage: WalletStorage;
  readonly signal: AbortSignal;
  /** Called once if another tab runs a check. */
  readonly onWait: () => void;
  /** Stores the admission with the withdrawal or swap; null revokes it. */
  readonly store: (admission: Admission | null) => Promise<void>;
}

/**
 * Checks a withdrawal and stores its admission. Only one tab of a wallet runs the check at a time,
 * so that a later check sees the admissions of all earlier checks.
 * @returns the error to report if the guard refuses; undefined if the withdrawal is admitted
 * @throws any error of the storage; the signal's reason when the signal aborts
 */
export async function admit(request: AdmissionRequest): Promise<JourneyError | undefined> {
  const { note, pool, storage, signal, onWait, locks, store } = request;
  const { chainId } = pool;
  // A note at risk waits for no other tab.
  if (await isNoteAtRisk(storage, { chainId, commitment: note.commitment })) {
    await store({ by: 'at-risk', atMs: Date.now(), isConfirmed: true });
    return undefined;
  }
  const options = { signal, onWait, ...(locks === undefined ? {} : { locks }) };
  const id = BigInt(chainId).toString(16);
  return inTurn(storage, 'guard', id, options, async (turn) => {
    const verdict = await verdictOn(request);
    if ('refusals' in verdict) return refusalError(verdict.refusals);
    const by = verdict.admittedBy === 'at-risk' ? 'at-risk' : 'guard';
    const admission: Admission = { by, atMs: Date.now(), isConfirmed: false };
    // A storage may make this write after its timeout, when another tab has the turn.
    await store(admission);
    try {
      // If the turn was lost since the check, another tab may have been admitted: check again.
      await turn.write({});
    } catch (error) {
      await store(null);
      throw error;
    }
    await store({ ...admission, isConfirmed: true });
    return undefined;
  });
}

async function verdictOn(request: AdmissionRequest): Promise<GuardVerdict> {
  const terms = storedTerms(request.terms);
  return judge(await guardFacts(request), terms, terms.allow);
}

/** Reads all facts about a withdrawal through a relayer. @throws any error of the storage */
export async function guardFacts({
  note,
  pool,
  place,
  recipient,
  storage,
}: Pick<
  AdmissionRequest,
  'note' | 'pool' | 'place' | 'recipient' | 'storage'
>): Promise<GuardFacts> {
  const { commitment } = note;
  const subject = { chainId: pool.chainId, commitment, recipient: BigInt(recipient) };
  const records = await readGuardRecords(storage, subject);
  return {
    ...records,
    isSelfRelayed: false,
    poolKind: pool.kind,
    crowd: place.batch?.size ?? 0,
    depositedAtMs: place.depositedAtMs,
    blockTimeMs: pool.blockTimeMs,
    nowMs: Date.now(),
  };
}

const MESSAGES: Readonly<Record<GuardCode, string>> = {
  CROWD_TOO_SMALL: 'Too few deposits are in the batch of this note to hide the withdrawal.',
  TOO_SOON: 'The deposit is so recent that its time would link the withdrawal to it.',
  RECIPIENT_IS_DEPOSITOR:
    'The recipient is the account that paid for the deposit: the payment would show who withdraws.',
  RECIPIENT_REUSED:
    'Another note of this wallet used the address of the recipient: the payment would link the notes.',
};

/** Returns the error of a refused withdrawal, with the code of the first refusal. */
function refusalError(refusals: readonly [GuardRefusal, ...GuardRefusal[]]): JourneyError {
  const [{ code }] = refusals;
  const isOnlyEarly = refusals.every((one) => one.code === 'TOO_SOON');
  return { code, retry: isOnlyEarly ? 'later' : 'never', message: MESSAGES[code], refusals };
}
