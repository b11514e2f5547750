import type { TaskControl, TaskGate, TaskReport } from '@sotto/keeper-core';
import { silentLogger, toFelt, type Felt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { FairValues, MarketPrices, SwapRouting, type PoolToken } from '@sotto/market-core';
import {
  SubmissionNotifier,
  SubmissionService,
  type CallSimulator,
  type SimulatedCall,
  type SimulationResult,
  type Acceptance,
  type Attempt,
  type ExecutionStatus,
  type Submissions,
  type WantedSubmission,
} from '@sotto/submission-core';
import {
  FakeLatestBlock,
  InMemoryLedger,
  LedgerDriver,
  aSignedTransaction,
  took,
} from '@sotto/submission-core/testing';
import { FakeSwapAggregator, FixedPrices } from '@sotto/market-core/testing';
import { readExecution } from '../../src/domain/execution.js';
import {
  FollowOrders,
  MayerMultiples,
  PurchaseTask,
  RefreshCloses,
  dayOf,
  type PurchaseContract,
  type PurchaseTaskPolicy,
} from '../../src/index.js';
import {
  FakeDailyCloses,
  FakePurchaseChain,
  InMemoryClosesStore,
  InMemoryOrderStore,
} from '../../src/testing/index.js';
import { PLAIN_CONTRACT } from './contracts.js';

export const CHAIN_ID = toFelt('0x534e5f4d41494e');
export const ACCOUNT = toFelt('0xacc');
const ROUTER = toFelt('0x40f7e4');
export const USDC: PoolToken = { symbol: 'USDC', address: toFelt('0x05dc'), decimals: 6 };
export const ETH: PoolToken = { symbol: 'ETH', address: toFelt('0xe7'), decimals: 18 };
const WBTC: PoolToken = { symbol: 'WBTC', address: toFelt('0xb7c'), decimals: 8 };
const E8 = 100_000_000n;
/** Price of BTC: 60,000 USD. */
export const BTC_USD_E8 = 60_000n * E8;
/** Amount of one execution of an order: 600 USDC, or 0.01 BTC. */
export const AMOUNT = 600_000_000n;
const DAYS = 200;
const SAFE_DEPTH = 10;
/** Price of one unit of L2 gas, in fri. */
export const L2_GAS_FRI = 8_000_000_000n;

interface Broadcast {
  readonly nonce: bigint;
  readonly hash: Felt;
  readonly execution: ExecutionStatus | null;
}

export interface WorldParts {
  readonly contract?: PurchaseContract;
  readonly sources?: readonly string[];
  readonly policy?: Partial<PurchaseTaskPolicy>;
}

/** Ports through which a keeper reaches the ledger and the chain. A test may replace them. */
export interface KeeperParts {
  readonly slowSubmissions?: (submissions: Submissions) => Submissions;
  readonly simulator?: CallSimulator;
}

/**
 * Test environment: the submission rules of production over an in-memory ledger, and a chain with a
 * purchase contract that advances only when a test calls a method.
 */
export class PurchaseWorld {
  readonly clock = new ManualClock();
  readonly contract: PurchaseContract;
  readonly chain: FakePurchaseChain;
  readonly store = new InMemoryOrderStore();
  readonly closesStore = new InMemoryClosesStore();
  readonly ledger = new InMemoryLedger({ clock: this.clock });
  readonly aggregator = new FakeSwapAggregator(ROUTER, [
    // The rate is 60,000 USDC for 1 WBTC.
    { sellToken: USDC.address, buyToken: WBTC.address, bought: 1n, sold: 600n },
  ]);
  readonly sources: readonly [FixedPrices, FixedPrices];
  readonly closes: readonly FakeDailyCloses[];
  readonly latestBlock = new FakeLatestBlock({
    l2GasFri: L2_GAS_FRI,
    l1GasFri: 1n,
    l1DataGasFri: 1n,
  });
  readonly controls: TaskControl[] = [];
  readonly mayer: MayerMultiples;
  readonly task: PurchaseTask;
  /** Calls that were simulated so far, oldest first. */
  readonly simulated: SimulatedCall[] = [];
  readonly #prices: MarketPrices;
  readonly #changes = new SubmissionNotifier();
  readonly #driver = new LedgerDriver(this.ledger);
  readonly #broadcasts = new Map<string, Broadcast>();
  readonly #ids: string[] = [];
  readonly #lease: Promise<void>;
  readonly #policy: PurchaseTaskPolicy;
  #nonce = 0n;
  #l2Gas = 20_000_000n;
  #btcUsdE8 = BTC_USD_E8;

  constructor({ contract = PLAIN_CONTRACT, sources = ['alpha', 'beta'], policy }: WorldParts = {}) {
    this.contract = contract;
    this.chain = new FakePurchaseChain(contract);
    this.#lease = this.#driver.lease();
    this.sources = [new FixedPrices([], 'one'), new FixedPrices([], 'two')];
    this.#observe();
    this.#prices = new MarketPrices(this.sources, this.clock, {
      assets: ['STRK', 'WBTC', 'USDC'],
      limits: { maxAgeMs: 600_000, maxDeviationBps: 100, quorum: 2 },
      ttlMs: 0,
    });
    const today = dayOf(this.chain.head.timestamp);
    this.closes = sources.map((name) => {
      const source = new FakeDailyCloses(name);
      for (let day = today - DAYS; day < today; day += 1) source.set(day, BTC_USD_E8);
      return source;
    });
    this.mayer = new MayerMultiples(
      { orders: this.chain, closes: this.closesStore, prices: this.#prices },
      { contract, sources, wbtcSymbol: 'WBTC' },
    );
    this.#policy = {
      chainId: CHAIN_ID,
      contract,
      wbtc: WBTC,
      sellTokens: [USDC, ETH],
      account: ACCOUNT,
      intervalMs: 60_000,
      maxOrders: 2_000,
      ordersPerRead: 100,
      maxQuotes: 1_000,
      leastL2Gas: 3_000_000n,
      slippagePpm: 10_000,
      leastFeePercent: 120,
      retry: { baseMs: 60_000, maxFailures: 3 },
      limits: { l2Gas: 60_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n },
      sendWithinMs: 60_000,
      ...policy,
    };
    this.task = this.aKeeper();
  }

  /**
   * Creates a keeper that uses the same store and chain. The result represents another process, or
   * this process after a restart.
   */
  aKeeper({ slowSubmissions = (kept) => kept, simulator = this }: KeeperParts = {}): PurchaseTask {
    const { chain, store, clock, ledger, latestBlock, mayer, contract } = this;
    const fairValues = new FairValues(this.#prices, [WBTC]);
    const routing = new SwapRouting(this.aggregator, fairValues, {
      routers: [ROUTER],
      allowBranchRoutes: false,
      maxPriceImpactBps: 200,
      minSlippagePpm: 1_000,
    });
    return new PurchaseTask(
      {
        orders: chain,
        snapshots: chain,
        store,
        follow: this.aFollower(),
        closes: new RefreshCloses(this.closes, this.closesStore, clock, {
          settleMs: 0,
          queryAgainMs: 3_600_000,
        }),
        mayer,
        prices: this.#prices,
        fairValues,
        routing,
        simulator,
        latestBlock,
        submissions: slowSubmissions(this.#service()),
        ledger,
        controls: { controls: async () => this.controls },
        clock,
        logger: silentLogger,
      },
      { ...this.#policy, contract },
    );
  }

  aFollower(): FollowOrders {
    const { chain, store, contract } = this;
    return new FollowOrders(
      { orders: chain, snapshots: chain, store },
      { contract, safeDepth: SAFE_DEPTH, checkedPerRound: 3 },
    );
  }

  /** Creates a purchase order in the newest block. The order is due immediately. */
  create(changes: Partial<Parameters<FakePurchaseChain['create']>[0]> = {}): bigint {
    const orderId = this.chain.create({ sellToken: USDC.address, amount: AMOUNT, ...changes });
    this.chain.mine();
    return orderId;
  }

  /**
   * Runs one round of a keeper. @param gate @default admits every call @returns the reports by
   * order id
   */
  async round(
    by: PurchaseTask = this.task,
    gate?: TaskGate,
  ): Promise<ReadonlyMap<string, TaskReport>> {
    const reports = new Map<string, TaskReport>();
    for (const subject of await by.subjects())
      reports.set(subject, await this.attend(subject, by, gate));
    return reports;
  }

  attend(
    subject: bigint | string,
    by: PurchaseTask = this.task,
    gate: TaskGate = { admit: async () => null },
  ): Promise<TaskReport> {
    return by.attend(String(subject), gate, new AbortController().signal);
  }

  /** Advances the chain's time and the clock by this many seconds, and refreshes the prices. */
  pass(seconds: number): void {
    this.clock.advance(seconds * 1_000);
    this.chain.passTime(seconds);
    this.chain.mine();
    this.#observe();
  }

  setBtc(usdE8: bigint): void {
    this.#btcUsdE8 = usdE8;
    this.#observe();
  }

  /** Sets the L2 gas that an execution uses. */
  useGas(l2Gas: bigint): void {
    this.#l2Gas = l2Gas;
  }

  /** Simulates a call as the contract would execute it in the newest state. */
  async simulate(call: SimulatedCall): Promise<SimulationResult> {
    this.simulated.push(call);
    const read = readExecution(this.contract.layout.execution, call.calldata);
    if (read === null) return { ok: false, reason: 'Failed to deserialize' };
    if (!this.#mayExecute(read.orderId)) return { ok: false, reason: 'DCA: order not due' };
    return { ok: true, gas: { l2Gas: this.#l2Gas, l1Gas: 0n, l1DataGas: 0n } };
  }

  /**
   * Stores a submission in the ledger. The test then treats it as a submission that the ledger
   * already contained.
   */
  submit(submission: WantedSubmission): Promise<Acceptance> {
    return this.#service().submit(submission);
  }

  async attempts(): Promise<readonly Attempt[]> {
    const all = await Promise.all(this.#ids.map((id) => this.ledger.attemptById(id)));
    return all.filter((attempt) => attempt !== null);
  }

  /** Returns the last accepted attempt. */
  async lastAttempt(): Promise<Attempt> {
    const last = (await this.attempts()).at(-1);
    if (last === undefined) throw new Error('no attempt was submitted');
    return last;
  }

  /** Signs and broadcasts the attempt. */
  async send(attempt: Attempt): Promise<void> {
    await this.#lease;
    const transaction = aSignedTransaction(attempt.id);
    const nonce = this.#nonce;
    this.#nonce += 1n;
    await this.#driver.store(attempt, nonce, transaction);
    this.#broadcasts.set(attempt.id, { nonce, hash: transaction.hash, execution: null });
  }

  /**
   * Includes the attempt in the next block, which executes it as the contract would. The block is
   * not yet recorded in the ledger.
   */
  async include(attempt: Attempt): Promise<ExecutionStatus> {
    const calldata = await this.ledger.calldata(attempt.id);
    const read = calldata && readExecution(this.contract.layout.execution, calldata);
    const execution = read && this.chain.execute(read.orderId) ? 'SUCCEEDED' : 'REVERTED';
    this.chain.mine();
    this.#broadcasts.set(attempt.id, { ...this.#sent(attempt), execution });
    return execution;
  }

  /** Records the result of {@link include} in the ledger, at the newest block. */
  async settle(attempt: Attempt): Promise<void> {
    const { nonce, hash, execution } = this.#sent(attempt);
    if (execution === null) throw new Error('no block contains it');
    const { number, hash: blockHash } = this.chain.head;
    const block = { number, hash: blockHash };
    const revertReason = execution === 'REVERTED' ? 'DCA: order not due' : null;
    const feeFri = this.#l2Gas * L2_GAS_FRI;
    await this.#driver.settle(nonce, took(hash, { execution, revertReason, block, feeFri }));
  }

  async land(attempt: Attempt): Promise<ExecutionStatus> {
    if (!this.#broadcasts.has(attempt.id)) await this.send(attempt);
    const execution = await this.include(attempt);
    await this.settle(attempt);
    return execution;
  }

  /** Reopens the attempt's outcome in the ledger, as after a reorg. */
  async reopen(attempt: Attempt): Promise<void> {
    await this.#driver.reopen(this.#sent(attempt).nonce);
  }

  async finalize(attempt: Attempt): Promise<void> {
    await this.#driver.finalize(this.#sent(attempt).nonce);
  }

  /** Makes the attempt expire before any transaction was signed for it. */
  async expire({ key, attempt }: Attempt): Promise<void> {
    await this.ledger.apply({
      type: 'end_waiting',
      attempt: { key, attempt },
      to: 'expired',
      code: 'NOT_SENT_IN_TIME',
      notBeforeMs: 0,
    });
  }

  #mayExecute(orderId: bigint): boolean {
    const { executed, total, isCancelled, lastExecution, frequency } = this.chain.order(orderId);
    const now = BigInt(this.chain.head.timestamp + 2);
    const isDue = lastExecution === 0n || lastExecution + frequency <= now;
    return !isCancelled && executed < total && isDue;
  }

  #observe(): void {
    const observedAtMs = this.clock.nowMs();
    const observations = [
      { asset: 'STRK', usdE8: 4_000_000n, observedAtMs },
      { asset: 'WBTC', usdE8: this.#btcUsdE8, observedAtMs },
      { asset: 'USDC', usdE8: E8, observedAtMs },
    ];
    for (const source of this.sources) source.set(observations);
  }

  #sent({ id }: Attempt): Broadcast {
    const broadcast = this.#broadcasts.get(id);
    if (broadcast === undefined) throw new Error('it was not sent');
    return broadcast;
  }

  #service(): SubmissionService {
    const newId = (): string => {
      const id = `execution-${this.#ids.length + 1}`;
      this.#ids.push(id);
      return id;
    };
    return new SubmissionService(
      this.ledger,
      this.#changes,
      () => {},
      this.clock,
      { answerAt: 'accepted_on_l2', deadlineMs: 600_000, maxWaitingPerRole: 200, newId },
      () => {},
    );
  }
}
