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

/** Contracts that keepers call, and what they name their calls. */
interface KeeperPlaces {
  readonly purchases: bigint;
  readonly strk: bigint;
  /** What turbo supplies. */
  readonly wbtc: bigint;
  /** The leveraged vault. */
  readonly turbo: bigint;
  /** Methods that deploy a vault's idle funds; their first argument is the amount. */
  readonly deployMethods: readonly string[];
}

/** What is the same for every plan of the leveraged vault. */
export interface LeverageTerms {
  readonly limits: LeverageLimits;
  readonly price: LeveragePrice;
  readonly terms: Omit<LeverageQuestion['position'], keyof Holding>;
  /** Nominal debt of one unit of debt: no interest accrues. */
  readonly nominalPerUnit: bigint;
}

/** What the chain was given to do, each piece while nothing of its kind was under way. */
interface Given {
  /** All accounts that keepers sign with. */
  readonly accounts: readonly bigint[];
  /** Idle funds of each vault, by address, in the order in which they came. */
  readonly funds: ReadonlyMap<bigint, readonly bigint[]>;
  /** How many due times each order has had, by its id. */
  readonly dueTimes: ReadonlyMap<bigint, number>;
  /** What each lane lacked up to its ceiling, by address, each time it was below its floor. */
  readonly lacks: ReadonlyMap<bigint, readonly bigint[]>;
  /** First leaves of the batches that waited, by pool. */
  readonly batches: ReadonlyMap<bigint, readonly bigint[]>;
  /** What turbo was led to, in hundredths of a percent. */
  readonly targets: readonly number[];
}

/** What keepers have done, as the chain has it; `findings` is empty when all of it was due once. */
export interface KeeperJudgement {
  readonly executions: number;
  readonly deployments: number;
  readonly topUps: number;
  readonly batches: number;
  readonly rounds: number;
  /** By rounds up, in the debt token's smallest unit. */
  readonly borrowed: bigint;
  /** Transactions that only take a nonce. */
  readonly noops: number;
  readonly findings: readonly string[];
}

/** What the leveraged vault has supplied and owes, and holds of the debt's token. */
export type VaultHolding = Holding & Pick<LeverageQuestion, 'repaysWith'>;

export interface JudgedRecord {
  readonly places: KeeperPlaces;
  readonly given: Given;
  readonly leverage: LeverageTerms;
  readonly transactions: readonly RecordedTransaction[];
  /** What the leveraged vault holds at the end of a block. */
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
 * Compares what keepers have done on chain with what was due. Nothing that a keeper says of itself
 * is looked at.
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
      findings.push(`${hash} does what nothing asked for`);
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

/** Whether a plan from this holding has nothing to do. */
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
 * Each round is what the planner asks for at the position that it met, on the way to one target
 * after the other: so each has borrowed what was needed then, and none has borrowed it once more.
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
  /** The plan for the first target that is not reached yet. */
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
    // After a rollback several stand in one block; the vault itself holds a round to its debt.
    const before: VaultHolding =
      last?.block === block ? { ...last, debt: expectedDebt } : await holdingAt(block - 1);
    const moved = direction === 'up' ? receivedBy(places, events) : -amount;
    // A round back repays with all that is held.
    const repaysWith = direction === 'up' ? (before.repaysWith ?? 0n) : 0n;
    last = { block, collateral: before.collateral + moved, repaysWith };
    const plan = planAhead(before);
    const planned = plan.kind === 'rounds' ? plan.rounds[0] : null;
    if (
      planned?.direction !== direction ||
      planned.before.debt !== expectedDebt ||
      !isAskedFor(planned, amount, leverage)
    )
      findings.push(
        `${hash} moves ${amount} ${direction} at a debt of ${before.debt}, which no plan asks for`,
      );
  }
  const holding = await holdingAt('latest');
  if (planAhead(holding).kind !== 'at_target')
    findings.push(`${ahead.join(', ')} not reached: ${holding.collateral}, ${holding.debt}`);
  return { rounds: rounds.length, borrowed };
}

/**
 * Whether the planner asks for the amount. A round that ends the debt sells less where its quote is
 * better than the worst price, and no less than is needed.
 */
function isAskedFor(
  { amount: most, needed }: PlannedRound,
  amount: bigint,
  { price }: LeverageTerms,
): boolean {
  if (needed === null || most * price.numerator <= needed * price.denominator)
    return amount === most;
  return amount <= most && amount * price.numerator >= needed * price.denominator;
}

/** What the swap of a round up has brought. */
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

/** By order, the numbers of its executions as the contract counts them, from any sender. */
function executionsOf(transactions: readonly RecordedTransaction[], purchases: bigint) {
  return grouped(
    eventsOf(transactions, purchases, EXECUTED).map(
      ({ keys, data }) => [keys[1] ?? 0n, data[1] ?? 0n] as const,
    ),
  );
}

/** By pool, the first leaves of its batches. */
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

/** Entries of the first, and of the second whose keys it does not have, with nothing. */
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

/** 1, 2 … n. */
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
