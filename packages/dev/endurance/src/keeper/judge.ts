import { selectorOf } from '@sotto/adapter-starknet';
import {
  planLeverage,
  type Holding,
  type LeverageLimits,
  type LeveragePlan,
  type LeveragePrice,
  type LeverageQuestion,
  type PlannedRound,
} from '@sotto/curator-core';
import { u256FromHalves } from '@sotto/kernel';
import type { RecordedCall, RecordedTransaction } from './record.js';

/** Addresses of the contracts that keepers call, and names of their deploy methods. */
interface KeeperPlaces {
  readonly purchases: bigint;
  readonly strk: bigint;
  /** ERC-20 token that the turbo vault supplies as collateral. */
  readonly wbtc: bigint;
  /** Address of the leveraged vault. */
  readonly turbo: bigint;
  /** Methods that deploy a vault's idle funds. The amount is their first argument. */
  readonly deployMethods: readonly string[];
}

/**
 * Limits, price and terms of the position that are the same for all plans of the leveraged vault.
 */
export interface LeverageTerms {
  readonly limits: LeverageLimits;
  readonly price: LeveragePrice;
  readonly terms: Omit<LeverageQuestion['position'], keyof Holding>;
  /**
   * Units of nominal debt per smallest unit of the debt token. The factor is constant, because no
   * interest accrues.
   */
  readonly nominalPerUnit: bigint;
}

/**
 * Work that the test has created for keepers. New work of a kind is created only after the previous
 * work of this kind was done.
 */
interface Given {
  /** All accounts that sign for keepers. */
  readonly accounts: readonly bigint[];
  /** Amounts of idle funds that each vault received, by address, in order of arrival. */
  readonly funds: ReadonlyMap<bigint, readonly bigint[]>;
  /** Number of due times of each order, by id. */
  readonly dueTimes: ReadonlyMap<bigint, number>;
  /**
   * Amounts that each lane needed to reach its ceiling, by address. The list has one amount for
   * each time that the lane was below its floor.
   */
  readonly lacks: ReadonlyMap<bigint, readonly bigint[]>;
  /** First leaf of each batch that waits for deployment, by pool. */
  readonly batches: ReadonlyMap<bigint, readonly bigint[]>;
  /**
   * Leverage targets of the turbo vault in the order in which they were set, in hundredths of a
   * percent.
   */
  readonly targets: readonly number[];
}

/** Transactions of keepers on chain. `findings` is empty if all due work was done exactly once. */
export interface KeeperJudgement {
  readonly executions: number;
  readonly deployments: number;
  readonly topUps: number;
  readonly batches: number;
  readonly rounds: number;
  /**
   * Total amount borrowed by rounds that increase the leverage, in the smallest unit of the debt
   * token.
   */
  readonly borrowed: bigint;
  /** Transactions without calls that only consume a nonce. */
  readonly noops: number;
  readonly findings: readonly string[];
}

/** Supply and debt of the leveraged vault, and its balance of the debt token. */
export type VaultHolding = Holding & Pick<LeverageQuestion, 'repaysWith'>;

export interface JudgedRecord {
  readonly places: KeeperPlaces;
  readonly given: Given;
  readonly leverage: LeverageTerms;
  readonly transactions: readonly RecordedTransaction[];
  /** Returns the holding of the leveraged vault at the end of a block. */
  readonly holdingAt: (block: number | 'latest') => Promise<VaultHolding>;
}

/** 1×. */
const UNLEVERAGED_BPS = 10_000;
const EXECUTED = BigInt(selectorOf('OrderExecuted'));
const TRANSFERRED = BigInt(selectorOf('Transfer'));
const BATCH_DEPLOYED = BigInt(selectorOf('BatchDeployed'));
const EXECUTE = BigInt(selectorOf('execute_order'));
const TRANSFER = BigInt(selectorOf('transfer'));
const DEPLOY_BATCH = BigInt(selectorOf('deploy_batch'));
const ROUND_UP = BigInt(selectorOf('leverage_round'));
const ROUND_DOWN = BigInt(selectorOf('deleverage_round'));

/**
 * Compares keepers' transactions on chain with the due work. Does not use the status that keepers
 * report about themselves.
 */
export async function judge(record: JudgedRecord): Promise<KeeperJudgement> {
  const { given, places } = record;
  const accounts = new Set(given.accounts);
  const own = record.transactions.filter(({ sender }) => accounts.has(sender));
  const succeeded = own.filter(({ revertReason }) => revertReason === null);
  const findings = own.flatMap(({ hash, revertReason }) =>
    revertReason === null ? [] : [`${hash} has reverted: ${revertReason}`],
  );

  const executions = executionsOf(record.transactions, places.purchases);
  for (const [order, due] of given.dueTimes)
    findings.push(...differences(`order ${order} was executed`, executions.get(order), upTo(due)));
  const deployments = byTarget(succeeded, isDeployment(places), ({ calldata }) =>
    firstU256(calldata),
  );
  for (const [vault, amounts] of both(given.funds, deployments))
    findings.push(...differences(`vault ${hex(vault)} deployed`, deployments.get(vault), amounts));
  const topUps = grouped(
    callsOf(succeeded, ({ to, selector }) => to === places.strk && selector === TRANSFER).map(
      ({ call: { calldata } }) => [calldata[0] ?? 0n, firstU256(calldata.slice(1))] as const,
    ),
  );
  for (const [lane, amounts] of both(given.lacks, topUps))
    findings.push(...differences(`lane ${hex(lane)} got`, topUps.get(lane), amounts));
  const batches = batchesOf(record.transactions, given.batches);
  for (const [pool, starts] of given.batches)
    findings.push(...differences(`pool ${hex(pool)} deployed`, batches.get(pool), starts));
  const rounds = await judgeRounds(record, succeeded, findings);
  for (const { hash, calls } of succeeded)
    if (calls.some((call) => !isKnown(call, places, given)))
      findings.push(`${hash} has a call that no work required`);
  return {
    executions: sizeOf(executions),
    deployments: sizeOf(deployments),
    topUps: sizeOf(topUps),
    batches: sizeOf(batches),
    ...rounds,
    noops: own.filter(({ calls }) => calls.length === 0).length,
    findings,
  };
}

/** Returns the planner's plan for a holding and a leverage target. */
export function planFrom(
  { repaysWith = 0n, ...holding }: VaultHolding,
  targetBps: number,
  leverage: LeverageTerms,
): LeveragePlan {
  const { limits, price, terms } = leverage;
  return planLeverage(
    { position: { ...terms, ...holding }, price, targetBps, form: 'rounds', repaysWith },
    limits,
  );
}

/**
 * Checks each leverage round on chain. The round must equal the round that the planner plans for
 * the holding before it. So no amount is borrowed twice.
 */
async function judgeRounds(
  { places, given: { targets }, leverage, holdingAt }: JudgedRecord,
  succeeded: readonly RecordedTransaction[],
  findings: string[],
): Promise<Pick<KeeperJudgement, 'rounds' | 'borrowed'>> {
  const rounds = callsOf(
    succeeded,
    ({ to, selector }) => to === places.turbo && (selector === ROUND_UP || selector === ROUND_DOWN),
  );
  const ahead = [...targets];
  /** Returns the plan for the first target that this holding has not reached. */
  const planAhead = (holding: VaultHolding): LeveragePlan => {
    for (;;) {
      const plan = planFrom(holding, ahead[0] ?? UNLEVERAGED_BPS, leverage);
      if (plan.kind !== 'at_target' || ahead.length <= 1) return plan;
      ahead.shift();
    }
  };
  let borrowed = 0n;
  let last: (Omit<VaultHolding, 'debt'> & { readonly block: number }) | undefined;
  for (const { call, block, hash, events } of rounds) {
    const direction = call.selector === ROUND_UP ? 'up' : 'down';
    const [nominalDebt, amount] = [firstU256(call.calldata), firstU256(call.calldata.slice(2))];
    const expectedDebt = nominalDebt / leverage.nominalPerUnit;
    if (direction === 'up') borrowed += amount;
    // After a rollback, one block may contain several rounds. The vault contract checks the debt
    // before each round.
    const before: VaultHolding =
      last?.block === block ? { ...last, debt: expectedDebt } : await holdingAt(block - 1);
    const moved = direction === 'up' ? receivedBy(places, events) : -amount;
    // A round that reduces the leverage repays with the vault's whole balance of the debt token.
    const repaysWith = direction === 'up' ? (before.repaysWith ?? 0n) : 0n;
    last = { block, collateral: before.collateral + moved, repaysWith };
    const plan = planAhead(before);
    const planned = plan.kind === 'rounds' ? plan.rounds[0] : null;
    if (
      planned?.direction !== direction ||
      planned.before.debt !== expectedDebt ||
      !isRequestedFor(planned, amount, leverage)
    )
      findings.push(
        `${hash} moves ${amount} ${direction} at a debt of ${before.debt}, which no plan requires`,
      );
  }
  const holding = await holdingAt('latest');
  if (planAhead(holding).kind !== 'at_target')
    findings.push(`${ahead.join(', ')} not reached: ${holding.collateral}, ${holding.debt}`);
  return { rounds: rounds.length, borrowed };
}

/**
 * Returns true if the planner would plan this amount. A round that repays the whole remaining debt
 * may sell less than planned if its quote is better than the worst price, but not less than the
 * needed amount.
 */
function isRequestedFor(
  { amount: most, needed }: PlannedRound,
  amount: bigint,
  { price }: LeverageTerms,
): boolean {
  if (needed === null || most * price.numerator <= needed * price.denominator)
    return amount === most;
  return amount <= most && amount * price.numerator >= needed * price.denominator;
}

/**
 * Returns the amount that the vault received from the swap of a round that increases the leverage.
 */
function receivedBy({ wbtc, turbo }: KeeperPlaces, events: RecordedTransaction['events']): bigint {
  return events
    .filter(({ from, keys }) => from === wbtc && keys[0] === TRANSFERRED && keys[2] === turbo)
    .reduce((sum, { data }) => sum + firstU256(data), 0n);
}

function isKnown(call: RecordedCall, places: KeeperPlaces, given: Given): boolean {
  const { to, selector } = call;
  return (
    isDeployment(places)(call) ||
    (to === places.purchases && selector === EXECUTE) ||
    (to === places.strk && selector === TRANSFER) ||
    (to === places.turbo && (selector === ROUND_UP || selector === ROUND_DOWN)) ||
    (given.batches.has(to) && selector === DEPLOY_BATCH)
  );
}

function isDeployment({ deployMethods }: KeeperPlaces): (call: RecordedCall) => boolean {
  const selectors = new Set(deployMethods.map((name) => BigInt(selectorOf(name))));
  return ({ selector }) => selectors.has(selector);
}

/**
 * Returns the execution numbers in the contract's events, by the id of the order. Any account may
 * have sent the execution.
 */
function executionsOf(transactions: readonly RecordedTransaction[], purchases: bigint) {
  return grouped(
    eventsOf(transactions, purchases, EXECUTED).map(
      ({ keys, data }) => [keys[1] ?? 0n, data[1] ?? 0n] as const,
    ),
  );
}

/** Returns the first leaves of deployed batches, by pool. */
function batchesOf(
  transactions: readonly RecordedTransaction[],
  pools: Given['batches'],
): ReadonlyMap<bigint, readonly bigint[]> {
  return grouped(
    [...pools.keys()].flatMap((pool) =>
      eventsOf(transactions, pool, BATCH_DEPLOYED).map(
        ({ data }) => [pool, data[0] ?? 0n] as const,
      ),
    ),
  );
}

function eventsOf(
  transactions: readonly RecordedTransaction[],
  contract: bigint,
  selector: bigint,
): RecordedTransaction['events'] {
  return transactions.flatMap(({ events }) =>
    events.filter(({ from, keys }) => from === contract && keys[0] === selector),
  );
}

function byTarget(
  transactions: readonly RecordedTransaction[],
  wanted: (call: RecordedCall) => boolean,
  valueOf: (call: RecordedCall) => bigint,
): ReadonlyMap<bigint, readonly bigint[]> {
  return grouped(
    callsOf(transactions, wanted).map(({ call }) => [call.to, valueOf(call)] as const),
  );
}

function callsOf(
  transactions: readonly RecordedTransaction[],
  wanted: (call: RecordedCall) => boolean,
) {
  return transactions.flatMap(({ calls, ...transaction }) =>
    calls.filter(wanted).map((call) => ({ ...transaction, call })),
  );
}

function grouped(
  entries: readonly (readonly [bigint, bigint])[],
): ReadonlyMap<bigint, readonly bigint[]> {
  const groups = new Map<bigint, bigint[]>();
  for (const [key, value] of entries) groups.set(key, [...(groups.get(key) ?? []), value]);
  return groups;
}

/**
 * Returns a list for every key of either map. A key that only the second map has gets an empty
 * list.
 */
function both(
  first: ReadonlyMap<bigint, readonly bigint[]>,
  second: ReadonlyMap<bigint, readonly bigint[]>,
): ReadonlyMap<bigint, readonly bigint[]> {
  return new Map([...[...second.keys()].map((key) => [key, []] as const), ...first]);
}

function differences(
  what: string,
  found: readonly bigint[] = [],
  wanted: readonly bigint[],
): readonly string[] {
  const [is, should] = [found.join(', '), wanted.join(', ')];
  return is === should ? [] : [`${what} ${is || 'nothing'}, and not ${should || 'nothing'}`];
}

/** Returns the numbers 1 to `count`. */
function upTo(count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(index + 1));
}

function sizeOf(groups: ReadonlyMap<bigint, readonly bigint[]>): number {
  return [...groups.values()].reduce((sum, { length }) => sum + length, 0);
}

function firstU256([low = 0n, high = 0n]: readonly bigint[]): bigint {
  return u256FromHalves(low, high);
}

function hex(felt: bigint): string {
  return `0x${felt.toString(16)}`;
}
