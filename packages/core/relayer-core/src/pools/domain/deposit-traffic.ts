import { quarterOf, type DomainError, type Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';
import {
  DepositAllowanceTooLow,
  DepositBalanceTooLow,
  DepositExists,
  DepositorNotDeployed,
  DepositsRationed,
  PoolNearlyFull,
} from '../../deposit-errors.js';
import { TREE_CAPACITY, isDeposit } from './deposit.js';

/**
 * State of a pool and of one deposit into it, at ACCEPTED_ON_L2. Amounts are in the token's
 * smallest unit.
 */
export interface DepositFacts {
  readonly denomination: bigint;
  /** Number of inserted leaves, whose root is `lastRoot`. */
  readonly nextIndex: number;
  readonly lastRoot: bigint;
  /** True if a leaf has this commitment. */
  readonly commitmentKnown: boolean;
  /** Class of the depositor's account; null if no account is deployed there. */
  readonly depositorClass: Felt | null;
  readonly balance: bigint;
  /** Allowance of the depositor for the pool. */
  readonly allowance: bigint;
}

/** Attempt in flight, of any kind. */
export interface LiveCall extends Pick<CallPurpose, 'kind' | 'subject'> {
  readonly id: string;
  readonly key: string;
  readonly fingerprint: string;
  /** Entrypoint of its call. */
  readonly entrypoint: string;
  /** False while it waits for a lane. */
  readonly isSent: boolean;
  readonly acceptedAtMs: number;
}

/** Deposit that is on chain. */
export interface EndedDeposit extends Pick<CallPurpose, 'subject'> {
  readonly id: string;
  readonly fingerprint: string;
  /** True if it reverted and so filled no leaf. */
  readonly hasReverted: boolean;
  readonly acceptedAtMs: number;
}

/** Maximum number of deposits. 0 allows none. */
export interface DepositLimits {
  /** Limits per hour. */
  readonly perDepositor: number;
  readonly perNetwork: number;
  readonly perPool: number;
  /** Number of the {@link TREE_CAPACITY} leaves of a pool that are reserved and never filled. */
  readonly leafReserve: number;
}

export const RATION_WINDOW_MS = 3_600_000;

/** Attempts in flight, and deposits included within the last hour. */
export interface Traffic {
  readonly live: readonly LiveCall[];
  readonly ended: readonly EndedDeposit[];
}

/** Keys of a deposit in the ledger. */
export interface DepositName {
  readonly pool: Felt;
  readonly key: string;
  readonly fingerprint: string;
}

/** Returns deposits into the pool that are in flight. */
export function depositsOnTheWay({ live }: Pick<Traffic, 'live'>, pool: Felt): readonly LiveCall[] {
  return live.filter((call) => isDeposit(call) && call.subject === pool);
}

/** Returns the number of leaves that are neither filled nor reserved by deposits in flight. */
export function leavesLeft(nextIndex: number, onTheWay: number): number {
  return Math.max(0, TREE_CAPACITY - nextIndex - onTheWay);
}

/**
 * Returns the error if the pool can't accept the leaf: the commitment exists, or too few leaves are
 * left.
 */
export function leafRefusal(
  facts: DepositFacts,
  traffic: Traffic,
  pool: Felt,
  { leafReserve }: DepositLimits,
): DomainError | null {
  if (facts.commitmentKnown) return new DepositExists();
  const left = leavesLeft(facts.nextIndex, depositsOnTheWay(traffic, pool).length);
  return left > leafReserve ? null : new PoolNearlyFull({ details: { leavesLeft: left } });
}

/** Returns the error if the depositor or the pool has reached its hourly limit. */
export function rationRefusal(
  traffic: Traffic,
  { pool, fingerprint }: DepositName,
  { perDepositor, perPool }: DepositLimits,
  nowMs: number,
): DepositsRationed | null {
  const deposits = [...traffic.ended, ...traffic.live.filter(isDeposit)];
  const ofDepositor = deposits.filter((deposit) => deposit.fingerprint === fingerprint);
  return (
    rationed(
      'depositor',
      ofDepositor.map(({ acceptedAtMs }) => acceptedAtMs),
      perDepositor,
      nowMs,
    ) ??
    rationed(
      'pool',
      leavesTaken(traffic, pool).map(({ acceptedAtMs }) => acceptedAtMs),
      perPool,
      nowMs,
    )
  );
}

/**
 * Returns deposits into the pool that have filled a leaf or will fill one. A reverted deposit fills
 * none, so it counts against its depositor only.
 */
export function leavesTaken(
  { live, ended }: Traffic,
  pool: Felt,
): readonly Pick<EndedDeposit, 'id' | 'acceptedAtMs'>[] {
  return [
    ...ended.filter(({ subject, hasReverted }) => subject === pool && !hasReverted),
    ...depositsOnTheWay({ live }, pool),
  ];
}

/**
 * Returns the number of deposits that may still begin in the pool within this hour, for all
 * networks together.
 */
export function rationLeft(
  traffic: Traffic,
  pool: Felt,
  { perPool }: Pick<DepositLimits, 'perPool'>,
  nowMs: number,
): number {
  const recent = leavesTaken(traffic, pool).filter(
    ({ acceptedAtMs }) => acceptedAtMs > nowMs - RATION_WINDOW_MS,
  );
  return Math.max(0, perPool - recent.length);
}

/** Number of remaining leaves below which the waits of a network begin. */
const BRAKED_LEAVES = TREE_CAPACITY / 2;
/** Wait between two deposits of a network at the beginning, in milliseconds. */
const FIRST_WAIT_MS = 600_000;

/**
 * Returns the wait between two deposits of one network into a pool. The wait doubles whenever the
 * number of remaining leaves halves, up to an hour: one network needs about nine days for all but
 * 24 of the last 512 leaves.
 */
function waitBetweenLeavesMs(leaves: number): number {
  return leaves >= BRAKED_LEAVES
    ? 0
    : Math.min(RATION_WINDOW_MS, (FIRST_WAIT_MS * BRAKED_LEAVES) / Math.max(1, leaves));
}

/**
 * Returns the error for a deposit if its network has used its quarter of the pool's hourly ration.
 * The same applies if it fills the tree too fast, or has a deposit within the hour while the first
 * half of the ration is used up. The second half is for networks without a deposit within the hour.
 * @param ofNetwork times at which the network's deposits into the pool were accepted
 * @param ofPool times at which all deposits into the pool were accepted
 */
export function networkShareRefusal(
  ofNetwork: readonly number[],
  ofPool: readonly number[],
  leaves: number,
  { perPool }: Pick<DepositLimits, 'perPool'>,
  nowMs: number,
): DepositsRationed | null {
  const isSecond = rationed('network', ofNetwork, 1, nowMs) !== null;
  const share =
    rationed('network', ofNetwork, quarterOf(perPool), nowMs) ??
    (isSecond ? rationed('network', ofPool, Math.ceil(perPool / 2), nowMs) : null);
  if (share !== null || ofNetwork.length === 0) return share;
  const freeAtMs = Math.max(...ofNetwork) + waitBetweenLeavesMs(leaves);
  if (freeAtMs <= nowMs) return null;
  return new DepositsRationed({
    details: { scope: 'network' },
    retryAfterSeconds: Math.ceil((freeAtMs - nowMs) / 1_000),
  });
}

/** Returns the error if the limit per hour is reached. @param times acceptance times */
export function rationed(
  scope: string,
  times: readonly number[],
  limit: number,
  nowMs: number,
): DepositsRationed | null {
  const recent = times.filter((atMs) => atMs > nowMs - RATION_WINDOW_MS).toSorted((a, b) => a - b);
  if (recent.length < limit) return null;
  // Another one fits once this one is an hour old.
  const freeing = recent[recent.length - limit] ?? nowMs;
  const seconds = Math.max(1, Math.ceil((freeing + RATION_WINDOW_MS - nowMs) / 1_000));
  return new DepositsRationed({ details: { scope }, retryAfterSeconds: seconds });
}

/**
 * Returns the error if the depositor can't pay.
 * @param taken amounts that its deposits in flight will transfer: from the balance, and from the
 *   allowance for the pool
 */
export function fundsRefusal(
  facts: DepositFacts,
  taken: { readonly balance: bigint; readonly allowance: bigint },
): DomainError | null {
  const { denomination, depositorClass, balance, allowance } = facts;
  if (depositorClass === null) return new DepositorNotDeployed();
  const needs = {
    balance: denomination + taken.balance,
    allowance: denomination + taken.allowance,
  };
  if (balance < needs.balance)
    return new DepositBalanceTooLow({ details: { required: String(needs.balance) } });
  if (allowance < needs.allowance)
    return new DepositAllowanceTooLow({ details: { required: String(needs.allowance) } });
  return null;
}
