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
 * What the chain says, at ACCEPTED_ON_L2, of a pool and of one deposit into it. Amounts are in the
 * token's smallest unit.
 */
export interface DepositFacts {
  readonly denomination: bigint;
  /** Leaves inserted so far, and the root that they make. */
  readonly nextIndex: number;
  readonly lastRoot: bigint;
  /** Whether a leaf has this commitment. */
  readonly commitmentKnown: boolean;
  /** The class of the depositor's account; null while none is deployed there. */
  readonly depositorClass: Felt | null;
  readonly balance: bigint;
  /** What the pool may take of it. */
  readonly allowance: bigint;
}

/** An attempt that is on its way, of whatever kind. */
export interface LiveCall extends Pick<CallPurpose, 'kind' | 'subject'> {
  readonly id: string;
  readonly key: string;
  readonly fingerprint: string;
  /** What it calls. */
  readonly entrypoint: string;
  /** False while it waits for a lane. */
  readonly isSent: boolean;
  readonly acceptedAtMs: number;
}

/** A deposit that is on chain. */
export interface EndedDeposit extends Pick<CallPurpose, 'subject'> {
  readonly id: string;
  readonly fingerprint: string;
  /** It filled no leaf. */
  readonly hasReverted: boolean;
  readonly acceptedAtMs: number;
}

/** How many deposits may begin. 0 allows none. */
export interface DepositLimits {
  /** Within an hour. */
  readonly perDepositor: number;
  readonly perNetwork: number;
  readonly perPool: number;
  /** Leaves that are not filled, of the {@link TREE_CAPACITY} that a pool has for ever. */
  readonly leafReserve: number;
}

export const RATION_WINDOW_MS = 3_600_000;

/** What is on its way, and what came on chain within the hour. */
export interface Traffic {
  readonly live: readonly LiveCall[];
  readonly ended: readonly EndedDeposit[];
}

/** A deposit as the ledger knows it. */
export interface DepositName {
  readonly pool: Felt;
  readonly key: string;
  readonly fingerprint: string;
}

/** Deposits into the pool that are on their way. */
export function depositsOnTheWay({ live }: Pick<Traffic, 'live'>, pool: Felt): readonly LiveCall[] {
  return live.filter((call) => isDeposit(call) && call.subject === pool);
}

/** Leaves that are neither filled nor about to be. */
export function leavesLeft(nextIndex: number, onTheWay: number): number {
  return Math.max(0, TREE_CAPACITY - nextIndex - onTheWay);
}

/** Why a pool takes no such leaf: it has it, or has hardly any left. */
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

/** Why the depositor or the pool has had enough for this hour. */
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
 * Deposits into the pool that fill a leaf, or are on their way to one. A reverted deposit fills
 * none: it counts against its depositor only.
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

/** Deposits that may still begin in the pool within this hour, for all networks together. */
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

/** Below this number of leaves one network fills a pool's tree more and more slowly. */
const BRAKED_LEAVES = TREE_CAPACITY / 2;
/** Wait of one network between two deposits where the brake begins. */
const FIRST_WAIT_MS = 600_000;

/**
 * Wait between two deposits of one network into a pool. It doubles whenever the leaves that are
 * left halve, up to an hour: one network needs about nine days for all but 24 of the last 512.
 */
function waitBetweenLeavesMs(leaves: number): number {
  return leaves >= BRAKED_LEAVES
    ? 0
    : Math.min(RATION_WINDOW_MS, (FIRST_WAIT_MS * BRAKED_LEAVES) / Math.max(1, leaves));
}

/**
 * Rejection of a deposit whose network has its quarter of the pool's hourly ration, has a part of
 * its first half, which is gone, or fills the tree faster than it may. The second half is for
 * networks without a deposit within the hour.
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

/** @param times when what counts was accepted */
export function rationed(
  scope: string,
  times: readonly number[],
  limit: number,
  nowMs: number,
): DepositsRationed | null {
  const recent = times.filter((atMs) => atMs > nowMs - RATION_WINDOW_MS).toSorted((a, b) => a - b);
  if (recent.length < limit) return null;
  // Once this one is an hour old there is room for one more.
  const freeing = recent[recent.length - limit] ?? nowMs;
  const seconds = Math.max(1, Math.ceil((freeing + RATION_WINDOW_MS - nowMs) / 1_000));
  return new DepositsRationed({ details: { scope }, retryAfterSeconds: seconds });
}

/**
 * Why the depositor can't pay.
 * @param taken what its deposits on their way will take: of the balance, and of the pool's
 *   allowance
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
