import { quarterOf, type DomainError, type Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';
import {
  DepositAllowanceTooLow,
  DepositBalanceTooLow,
  DepositorNotDeployed,
  DepositsRationed,
  PoolNearlyFull,
} from '../../deposit-errors.js';
import { TREE_CAPACITY, isDeposit, madeCommitment } from './deposit.js';

/**
 * State of a pool and of one deposit into it, at ACCEPTED_ON_L2. Amounts are in the token's
 * smallest unit.
 */
export interface DepositFacts {
  readonly denomination: bigint;
  /** Number of inserted leaves. `lastRoot` is the root of these leaves. */
  readonly nextIndex: number;
  readonly lastRoot: bigint;
  /** True if the pool already has a leaf with the commitment of this deposit. */
  readonly commitmentKnown: boolean;
  /** Class hash of the depositor's account; null if no account is deployed at its address. */
  readonly depositorClass: Felt | null;
  readonly balance: bigint;
  /** Amount that the depositor allows the pool to transfer. */
  readonly allowance: bigint;
  /**
   * Ids of the queried pending deposits that this state contains already: balance, allowance and
   * leaves include them.
   */
  readonly includedIds: readonly string[];
}

/** Deposit in flight of a depositor, whose note the chain may contain already. */
export interface PendingDeposit {
  /** Id of the attempt. */
  readonly id: string;
  readonly pool: Felt;
  readonly commitment: bigint;
}

/** Attempt in flight: withdrawal, private swap, deposit or any other kind. */
export interface LiveCall extends CallPurpose {
  readonly id: string;
  readonly key: string;
  readonly fingerprint: string;
  /** Entrypoint that the attempt calls. */
  readonly entrypoint: string;
  /** False while the attempt waits for a lane. */
  readonly isSent: boolean;
  readonly acceptedAtMs: number;
}

/** Deposit whose transaction is on chain, succeeded or reverted. */
export interface EndedDeposit extends Pick<CallPurpose, 'subject'> {
  readonly id: string;
  readonly fingerprint: string;
  /** True if the deposit reverted and therefore filled no leaf. */
  readonly hasReverted: boolean;
  readonly acceptedAtMs: number;
}

/** Maximum numbers of deposits. A value of 0 allows no deposit. */
export interface DepositLimits {
  /** Maximum number of deposits per depositor within an hour. */
  readonly perDepositor: number;
  readonly perNetwork: number;
  readonly perPool: number;
  /**
   * Reserve: number of leaves that relayed deposits never fill, out of a pool's {@link
   * TREE_CAPACITY} leaves.
   */
  readonly leafReserve: number;
}

export const RATION_WINDOW_MS = 3_600_000;

/** Attempts in flight, and deposits included within the last hour. */
export interface Traffic {
  readonly live: readonly LiveCall[];
  readonly ended: readonly EndedDeposit[];
}

/** Values that identify a deposit in the ledger. */
export interface DepositName {
  readonly pool: Felt;
  readonly key: string;
  readonly fingerprint: string;
}

/** Returns the deposits into the pool that are in flight. */
export function depositsOnTheWay({ live }: Pick<Traffic, 'live'>, pool: Felt): readonly LiveCall[] {
  return live.filter((call) => isDeposit(call) && call.subject === pool);
}

/** Returns the depositor's deposits in flight into all pools, without the named deposit itself. */
export function pendingDeposits(
  live: readonly LiveCall[],
  { key, fingerprint }: Pick<DepositName, 'key' | 'fingerprint'>,
): readonly PendingDeposit[] {
  return live
    .filter((call) => call.fingerprint === fingerprint && call.key !== key)
    .flatMap((call) => {
      const commitment = madeCommitment(call);
      return commitment === null ? [] : [{ id: call.id, pool: call.subject, commitment }];
    });
}

/**
 * Returns the calls in flight without deposits that the facts include: their leaves and amounts
 * must not be counted twice.
 */
export function notIncluded(
  live: readonly LiveCall[],
  { includedIds }: Pick<DepositFacts, 'includedIds'>,
): readonly LiveCall[] {
  return includedIds.length === 0 ? live : live.filter(({ id }) => !includedIds.includes(id));
}

/** Returns the number of leaves that are neither filled nor needed by deposits in flight. */
export function leavesLeft(nextIndex: number, onTheWay: number): number {
  return Math.max(0, TREE_CAPACITY - nextIndex - onTheWay);
}

/** Returns the error if no more leaves are left than the reserve; null otherwise. */
export function leafRejection(
  facts: DepositFacts,
  traffic: Traffic,
  pool: Felt,
  { leafReserve }: DepositLimits,
): DomainError | null {
  const live = notIncluded(traffic.live, facts);
  const left = leavesLeft(facts.nextIndex, depositsOnTheWay({ live }, pool).length);
  return left > leafReserve ? null : new PoolNearlyFull({ details: { leavesLeft: left } });
}

/**
 * Returns the error if the depositor or the pool has reached its hourly limit of deposits; null
 * otherwise.
 */
export function rationRejection(
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
 * Returns the deposits into the pool that have filled a leaf or will fill a leaf. Reverted deposits
 * are not included, because they fill no leaf; only the limit of their depositor counts them.
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
 * Returns how many more deposits into the pool the hourly limit allows now, for all networks
 * together.
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

/** Number of remaining leaves below which each network must wait between its deposits. */
const BRAKED_LEAVES = TREE_CAPACITY / 2;
/**
 * Shortest wait between two deposits of one network, in milliseconds. The wait becomes longer as
 * leaves are filled.
 */
const FIRST_WAIT_MS = 600_000;

/**
 * Returns the wait between two deposits of one network into a pool, in milliseconds; 0 while at
 * least half of the leaves remain. The wait doubles whenever the number of remaining leaves halves,
 * up to an hour. One network thus needs about nine days to fill all but 24 of the last 512 leaves.
 */
function waitBetweenLeavesMs(leaves: number): number {
  return leaves >= BRAKED_LEAVES
    ? 0
    : Math.min(RATION_WINDOW_MS, (FIRST_WAIT_MS * BRAKED_LEAVES) / Math.max(1, leaves));
}

/**
 * Returns the error for a deposit if its network has used a quarter of the pool's hourly limit, or
 * must still wait since its last deposit. The first half of the hourly limit is open to every
 * network. The second half is for networks that have no deposit within the hour. Null if the
 * deposit is allowed. An hourly limit of a whole tree or more limits nothing, so it has no wait.
 * @param ofNetwork times at which the network's deposits into the pool were accepted
 * @param ofPool times at which all deposits into the pool were accepted
 */
export function networkShareRejection(
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
  if (share !== null || ofNetwork.length === 0 || perPool >= TREE_CAPACITY) return share;
  const freeAtMs = Math.max(...ofNetwork) + waitBetweenLeavesMs(leaves);
  if (freeAtMs <= nowMs) return null;
  return new DepositsRationed({
    details: { scope: 'network' },
    retryAfterSeconds: Math.ceil((freeAtMs - nowMs) / 1_000),
  });
}

/**
 * Returns the error if the hourly limit is reached; null otherwise. @param times acceptance times
 * of the deposits
 */
export function rationed(
  scope: string,
  times: readonly number[],
  limit: number,
  nowMs: number,
): DepositsRationed | null {
  const recent = times.filter((atMs) => atMs > nowMs - RATION_WINDOW_MS).toSorted((a, b) => a - b);
  if (recent.length < limit) return null;
  // When this deposit is an hour old, the next deposit is allowed.
  const freeing = recent[recent.length - limit] ?? nowMs;
  const seconds = Math.max(1, Math.ceil((freeing + RATION_WINDOW_MS - nowMs) / 1_000));
  return new DepositsRationed({ details: { scope }, retryAfterSeconds: seconds });
}

/** Amounts that a depositor's deposits in flight will transfer. */
export interface TakenFunds {
  readonly balance: bigint;
  /** Part of the allowance for the pool. */
  readonly allowance: bigint;
}

/** Returns the error if no account is deployed at the depositor's address; null otherwise. */
export function accountRejection({ depositorClass }: DepositFacts): DomainError | null {
  return depositorClass === null ? new DepositorNotDeployed() : null;
}

/** Returns the error if the depositor's balance is too low; null otherwise. */
export function balanceRejection(facts: DepositFacts, taken: TakenFunds): DomainError | null {
  const required = facts.denomination + taken.balance;
  return facts.balance >= required
    ? null
    : new DepositBalanceTooLow({ details: { required: String(required) } });
}

/** Returns the error if the depositor's allowance for the pool is too low; null otherwise. */
export function allowanceRejection(facts: DepositFacts, taken: TakenFunds): DomainError | null {
  const required = facts.denomination + taken.allowance;
  return facts.allowance >= required
    ? null
    : new DepositAllowanceTooLow({ details: { required: String(required) } });
}

/** Returns the error if the depositor can't pay the deposit; null otherwise. */
export function fundsRejection(facts: DepositFacts, taken: TakenFunds): DomainError | null {
  return (
    accountRejection(facts) ?? balanceRejection(facts, taken) ?? allowanceRejection(facts, taken)
  );
}
