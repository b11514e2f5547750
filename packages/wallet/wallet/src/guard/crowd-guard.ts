/** Reason of the guard to refuse a withdrawal. Each reason is overridden by its name. */
export type GuardCode =
  'CROWD_TOO_SMALL' | 'TOO_SOON' | 'RECIPIENT_IS_DEPOSITOR' | 'RECIPIENT_REUSED';

/** Refusal by the guard, with the values that a page needs to explain it. */
export type GuardRefusal =
  /** The note's batch has `size` deposits, fewer than `minimum`. */
  | { readonly code: 'CROWD_TOO_SMALL'; readonly size: number; readonly minimum: number }
  /**
   * The deposit is younger than the minimum age. The guard admits the withdrawal from `untilMs`
   * (Unix time in ms); null if no source has a time of the deposit.
   */
  | { readonly code: 'TOO_SOON'; readonly untilMs: number | null }
  /** The recipient is the account that paid for the deposit. */
  | { readonly code: 'RECIPIENT_IS_DEPOSITOR' }
  /**
   * Another note of this wallet used the recipient's address. `usedBy` is the kind of the record
   * that shows it; `unreadable` if a damaged record may contain the address.
   */
  | { readonly code: 'RECIPIENT_REUSED'; readonly usedBy: AddressUse };

/** Kind of a record that contains an address. */
export type AddressUse =
  'deposit' | 'withdrawal' | 'own-withdrawal' | 'private-swap' | 'unreadable';

/** Minimums of the guard. A caller may raise them; only an override by name goes below them. */
export interface GuardBounds {
  /** Minimum number of deposits in the batch. @default {@link LEAST_CROWD} */
  readonly leastCrowd: number;
  /** Minimum age of the deposit in ms. @default {@link LEAST_AGE_MS} */
  readonly leastAgeMs: number;
}

/** Minimum number of deposits in the batch: a pool deploys batches of this size automatically. */
export const LEAST_CROWD = 3;
/** Minimum age of a deposit in ms: one hour after the deposit's block (ADR 51). */
export const LEAST_AGE_MS = 3_600_000;
/** Number of deposits from which a crowd is strong: the largest regular batch of a pool. */
const STRONG_CROWD = 7;

/** Word for the protection that a crowd gives. */
export type CrowdStrength = 'weak' | 'fair' | 'strong';

/**
 * Returns the word for a crowd of this number of deposits. The guard refuses a weak crowd. A
 * value that is not a number is weak.
 */
export function crowdStrength(size: number): CrowdStrength {
  if (size >= STRONG_CROWD) return 'strong';
  return size >= LEAST_CROWD ? 'fair' : 'weak';
}

/** Facts about one withdrawal. */
export interface GuardFacts {
  /** True if a swap of the note has reverted, or has stopped after a relayer saw its proof. */
  readonly isAtRisk: boolean;
  /** True if the caller explicitly sends the withdrawal from the user's account. */
  readonly isSelfRelayed: boolean;
  /** Kind of the note's pool. A swapped note is always a batch of one. */
  readonly poolKind: 'shielded' | 'swap';
  readonly crowd: number;
  /** Time of the deposit's block according to the chain, as Unix time in ms. */
  readonly depositedAtMs: number | undefined;
  /** Time of the newest block, as Unix time in ms. */
  readonly blockTimeMs: number | undefined;
  /**
   * Time at which this wallet began the deposit, by the clock of its machine, as Unix time in ms.
   */
  readonly begunAtMs: number | undefined;
  /** Present time by the clock of the machine, as Unix time in ms. */
  readonly nowMs: number;
  readonly isDepositor: boolean;
  readonly usedBy: AddressUse | undefined;
}

/** Decision of the guard, with the rule that admits the withdrawal. */
export type GuardVerdict =
  | { readonly admittedBy: 'at-risk' | 'self-relay' | 'guard' }
  | { readonly refusals: readonly [GuardRefusal, ...GuardRefusal[]] };

/**
 * Decides whether a withdrawal may be made. A note at risk is admitted first, then a withdrawal
 * that the user's account sends. Any other withdrawal is admitted if the caller overrides all
 * refusals.
 */
export function judge(
  facts: GuardFacts,
  bounds: GuardBounds,
  allow: readonly string[],
): GuardVerdict {
  if (facts.isAtRisk) return { admittedBy: 'at-risk' };
  if (facts.isSelfRelayed) return { admittedBy: 'self-relay' };
  const [first, ...more] = refusalsOf(facts, bounds).filter(({ code }) => !allow.includes(code));
  return first === undefined ? { admittedBy: 'guard' } : { refusals: [first, ...more] };
}

/** Returns every reason against the withdrawal, in the order of their codes' definition. */
export function refusalsOf(facts: GuardFacts, bounds: GuardBounds): readonly GuardRefusal[] {
  const { poolKind, crowd, isDepositor, usedBy } = facts;
  const refusals: GuardRefusal[] = [];
  // Swap and withdrawal of a swapped note are linked in any case: the kit warns and waits instead.
  if (poolKind === 'shielded') {
    const { leastCrowd: minimum } = bounds;
    if (!(crowd >= minimum)) refusals.push({ code: 'CROWD_TOO_SMALL', size: crowd, minimum });
    const leftMs = missingAgeMs(facts, bounds.leastAgeMs);
    if (leftMs === undefined) refusals.push({ code: 'TOO_SOON', untilMs: null });
    else if (leftMs > 0) refusals.push({ code: 'TOO_SOON', untilMs: facts.nowMs + leftMs });
  }
  if (isDepositor) refusals.push({ code: 'RECIPIENT_IS_DEPOSITOR' });
  if (usedBy !== undefined) refusals.push({ code: 'RECIPIENT_REUSED', usedBy });
  return refusals;
}

/**
 * Returns the time in ms that the deposit's age lacks. Each clock is compared only with itself: the
 * chain's clock with the deposit's block, the machine's clock with the wallet's record. So a wrong
 * machine clock does not matter, and a node that lies about times does not shorten the age of a
 * deposit that this wallet made.
 * @returns undefined if the age is unknown
 */
function missingAgeMs(
  { depositedAtMs, blockTimeMs, begunAtMs, nowMs }: GuardFacts,
  leastAgeMs: number,
): number | undefined {
  const ages: number[] = [];
  // A deposit cannot be younger than its block.
  if (depositedAtMs !== undefined && blockTimeMs !== undefined)
    ages.push(Math.max(blockTimeMs - depositedAtMs, 0));
  // A record of the future: the clock was set back, so the record proves nothing.
  if (begunAtMs !== undefined && begunAtMs <= nowMs) ages.push(nowMs - begunAtMs);
  return ages.length === 0 ? undefined : leastAgeMs - Math.min(...ages);
}
