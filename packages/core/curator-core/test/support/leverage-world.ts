import { InMemoryTaskStore } from '@sotto/keeper-core/testing';
import type { TaskGate, TaskReport } from '@sotto/keeper-core';
import { toFelt, type Felt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { FairValues, MarketPrices, SwapRouting } from '@sotto/market-core';
import {
  FakeCallSimulator,
  FakeLatestBlock,
  FakeSnapshots,
  InMemoryLedger,
  LedgerDriver,
  aSignedTransaction,
  took,
} from '@sotto/submission-core/testing';
import { FakeSwapAggregator, FixedPrices } from '@sotto/market-core/testing';
import {
  RepeatedSubmissions,
  SubmissionNotifier,
  SubmissionService,
  isLive,
  type Attempt,
  type BlockRef,
  type ExecutionStatus,
  type Submissions,
} from '@sotto/submission-core';
import {
  FundRepayments,
  LeverageTask,
  SetLeverageTarget,
  parseLeverageCall,
  type LeverageCall,
  type LeverageLayout,
  type LeveragePolicy,
  type LeveragedVault,
} from '../../src/index.js';
import { InMemoryLeveragePositions, InMemoryLeverageTargets } from '../../src/testing/index.js';
import { CHAIN_ID, CURATOR } from './world.js';

const WBTC = { symbol: 'WBTC', address: toFelt('0xbc'), decimals: 8 };
const USDC = { symbol: 'USDC', address: toFelt('0xdc'), decimals: 6 };
const ROUTER = toFelt('0x0427');
const PERCENT = 10n ** 16n;

export const ROUNDS: LeverageLayout = {
  form: 'rounds',
  position: {
    entrypoint: 'position',
    fields: [
      { field: 'collateral', felts: 2 },
      { field: 'debt', felts: 2 },
      { field: 'nominalDebt', felts: 2 },
    ],
  },
  up: {
    entrypoint: 'leverage_round',
    calldata: ['expected_debt', 'borrow', 'minimum', 'routes'],
  },
  down: {
    entrypoint: 'deleverage_round',
    calldata: ['expected_debt', 'withdraw', 'minimum', 'routes'],
  },
  repaysHeld: true,
};
/** Layout of a vault that reaches any leverage in one transaction. */
export const LEVER: LeverageLayout = {
  form: 'lever',
  position: ROUNDS.position,
  lever: {
    entrypoint: 'modify_lever',
    calldata: [7, 'increase', 'borrow', 'withdraw', 'minimum', 'routes', 'expected_debt'],
  },
};

export const turbo: LeveragedVault = {
  id: 'turbo',
  address: toFelt('0x70b0'),
  lendingPool: toFelt('0x1e4d'),
  collateral: WBTC,
  debt: USDC,
  layout: ROUNDS,
};

export const PRICE_USD = 60_000n;
export const TREASURY = toFelt('0x7ea5');
/** One WBTC, in sats. */
export const COLLATERAL = 100_000_000n;
const USDC_UNIT = 1_000_000n;

export const policy = {
  chainId: CHAIN_ID,
  account: CURATOR,
  // The gap between two checks may be ten times the interval, so a gap of an hour is allowed.
  intervalMs: 360_000,
  slippagePpm: 5_000,
  rateAgainstSeconds: 3_600,
  sendWithinMs: 60_000,
  retry: { baseMs: 60_000, maxFailures: 3 },
  safetyDistanceE18: 5n * PERCENT,
  healthFloorE18: 105n * PERCENT,
  swapCostPpm: 20_000n,
  maxRounds: 20,
  minRoundDebt: 10n * USDC_UNIT,
  maxRoundDebt: 10_000_000n * USDC_UNIT,
  toleranceBps: 100n,
  dustDebt: USDC_UNIT / 10n,
  accrualSeconds: 600n,
} as const satisfies Omit<LeveragePolicy, 'vaults'>;

interface Landed {
  readonly nonce: bigint;
  readonly hash: Felt;
  readonly execution: ExecutionStatus;
  readonly block: BlockRef;
}

const open: TaskGate = { admit: async () => null };

/**
 * Test environment: the submission rules of production over an in-memory ledger, a vault that
 * behaves like the vault of the development stack, and an aggregator that swaps at the market
 * price.
 */
export class LeverageWorld {
  readonly clock = new ManualClock();
  readonly snapshots = new FakeSnapshots();
  readonly positions = new InMemoryLeveragePositions(this.snapshots);
  readonly targets = new InMemoryLeverageTargets(this.clock);
  readonly simulator = new FakeCallSimulator();
  readonly store = new InMemoryTaskStore(this.clock);
  readonly ledger = new InMemoryLedger({ clock: this.clock });
  readonly aggregator = new FakeSwapAggregator(ROUTER, []);
  readonly prices = new FixedPrices([], 'first');
  readonly otherPrices = new FixedPrices([], 'second');
  readonly vault: LeveragedVault;
  /** Balance of the treasury in USDC's smallest unit. */
  treasuryUsdc = 0n;
  /** Seconds for which the debt accrues interest before a block executes a round. */
  secondsPerBlock = 0n;
  /**
   * Maximum amount of the treasury's USDC that a keeper sends in a day; null if repayments are not
   * allowed.
   */
  repayPerDay: bigint | null = null;
  readonly subject: LeverageTask;
  readonly #changes = new SubmissionNotifier();
  readonly #driver = new LedgerDriver(this.ledger);
  readonly #ids: string[] = [];
  readonly #landed = new Map<string, Landed>();
  readonly #lease: Promise<void>;
  #priceUsd = PRICE_USD;
  #marketPpm = 1_000_000n;
  #nonce = 0n;

  constructor(
    layout: LeverageLayout = ROUNDS,
    private readonly changes: Partial<LeveragePolicy> = {},
  ) {
    this.vault = { ...turbo, layout };
    this.#lease = this.#driver.lease();
    this.setPrice(PRICE_USD);
    this.positions.change(turbo.address, {
      collateral: COLLATERAL,
      freeLiquidity: 1_000_000n * USDC_UNIT,
    });
    this.subject = this.aKeeper();
  }

  /**
   * Creates a keeper that uses the same store and chain. The result represents another process, or
   * this process after a restart.
   */
  aKeeper(overtaken: (kept: Submissions) => Submissions = (kept) => kept): LeverageTask {
    const submissions = overtaken(this.#service());
    const market = this.#market();
    const policyOf = { ...policy, ...this.changes, vaults: [this.vault] };
    const { snapshots, positions, targets, simulator, store, clock } = this;
    return new LeverageTask(
      {
        snapshots,
        positions,
        targets,
        marketPrices: market,
        routing: new SwapRouting(this.aggregator, new FairValues(market, [WBTC, USDC]), {
          routers: [ROUTER],
          allowBranchRoutes: false,
          maxPriceImpactBps: 100,
          minSlippagePpm: 1_000,
        }),
        simulator,
        latestBlock: new FakeLatestBlock(),
        submissions,
        repeated: new RepeatedSubmissions(this.ledger),
        store,
        clock,
        repayments: this.#repayments(submissions),
      },
      policyOf,
    );
  }

  operator(): SetLeverageTarget {
    const { targets, positions, snapshots } = this;
    return new SetLeverageTarget(
      { targets, positions, snapshots },
      { ...policy, ...this.changes, vaults: [this.vault] },
    );
  }

  attend(by: LeverageTask = this.subject, gate: TaskGate = open): Promise<TaskReport> {
    return by.attend('turbo', gate);
  }

  /**
   * Sets the price of both sources and of the aggregator. The price is observed later than the
   * price that it replaces.
   */
  setPrice(usd: bigint): void {
    this.clock.advance(10_000);
    this.#priceUsd = usd;
    for (const source of [this.prices, this.otherPrices]) this.setPriceOf(source, usd);
    const [whole, worth] = [10n ** 8n, usd * USDC_UNIT];
    this.aggregator.setRates([
      { sellToken: USDC.address, buyToken: WBTC.address, bought: whole, sold: worth },
      { sellToken: WBTC.address, buyToken: USDC.address, bought: worth, sold: whole },
    ]);
  }

  /** Makes the outputs of all swaps differ from their quotes by this share, in millionths. */
  moveMarket(ppm: bigint): void {
    this.#marketPpm = 1_000_000n + ppm;
  }

  /** Sets the price that one price source returns. */
  setPriceOf(source: FixedPrices, usd: bigint): void {
    const observedAtMs = this.clock.nowMs();
    source.set([
      { asset: 'WBTC', usdE8: usd * 10n ** 8n, observedAtMs },
      { asset: 'USDC', usdE8: 10n ** 8n, observedAtMs },
    ]);
  }

  get holding() {
    return this.positions.now(turbo.address);
  }

  /** Leverage at the market price: collateral divided by equity. */
  get leverage(): number {
    const { collateral, debt } = this.holding;
    const value = Number(collateral * this.#priceUsd) / 100;
    return value / (value - Number(debt));
  }

  async attempts(): Promise<readonly Attempt[]> {
    const all = await Promise.all(this.#ids.map((id) => this.ledger.attemptById(id)));
    return all.filter((attempt) => attempt !== null);
  }

  /** Returns the live attempt. The test fails unless exactly one attempt is live. */
  async theLive(): Promise<Attempt> {
    const live = (await this.attempts()).filter(({ state }) => isLive(state));
    const [attempt, ...others] = live;
    if (attempt === undefined || others.length > 0)
      throw new Error('there is not exactly one live round');
    return attempt;
  }

  async callOf({ id, target }: Attempt): Promise<LeverageCall> {
    const calldata = await this.ledger.calldata(id);
    if (calldata === null) throw new Error('the calldata is not stored');
    for (const direction of ['up', 'down'] as const) {
      const call = parseLeverageCall(this.vault.layout, direction, calldata);
      const { layout } = this.vault;
      const entry = layout.form === 'lever' ? layout.lever : layout[direction];
      if (
        call !== null &&
        entry.entrypoint === target.entrypoint &&
        (call.amount > 0n || layout.form === 'rounds')
      )
        return call;
    }
    throw new Error('the call is not a round');
  }

  /** Signs the attempt, includes it in a block that executes it, and settles it in the ledger. */
  async land(attempt: Attempt): Promise<void> {
    await this.include(attempt);
    await this.settle(attempt);
  }

  /** Adds the interest for this many seconds to the debt, in a separate block. */
  accrue(seconds: bigint): void {
    const { debt, nominalDebt, borrowRateE18 } = this.holding;
    const interest = (debt * borrowRateE18 * seconds) / (10n ** 18n * 360n * 86_400n);
    if (interest > 0n) this.positions.change(turbo.address, { debt: debt + interest, nominalDebt });
  }

  /**
   * Includes the attempt in a block that executes it. The block is not yet recorded in the ledger.
   */
  async include(attempt: Attempt): Promise<void> {
    await this.#lease;
    const transaction = aSignedTransaction(attempt.id);
    const nonce = this.#nonce;
    this.#nonce += 1n;
    await this.#driver.store(attempt, nonce, transaction);
    this.accrue(this.secondsPerBlock);
    const after =
      attempt.kind === 'fund_repayment'
        ? this.#transferred(BigInt(attempt.memo ?? 0))
        : this.#executed(await this.callOf(attempt));
    const { number, hash } = this.positions.change(turbo.address, after ?? {});
    this.#landed.set(attempt.id, {
      nonce,
      hash: transaction.hash,
      execution: after === null ? 'REVERTED' : 'SUCCEEDED',
      block: { number, hash },
    });
  }

  async settle({ id }: Attempt): Promise<void> {
    const { nonce, hash, execution, block } = this.#of(id);
    const revertReason = execution === 'REVERTED' ? 'Position changed' : null;
    await this.#driver.settle(nonce, took(hash, { execution, block, revertReason }));
    this.#changes.changed(id);
  }

  /**
   * Removes the attempt's block by a reorg, on the chain and in the ledger. The position becomes
   * `before`.
   */
  async rollBack(attempt: Attempt, before: { collateral: bigint; debt: bigint }): Promise<void> {
    this.positions.change(turbo.address, before);
    await this.#driver.reopen(this.#of(attempt.id).nonce);
    this.#changes.changed(attempt.id);
  }

  /** Includes the attempt in a new block after {@link rollBack} has removed its block. */
  async landAgain(attempt: Attempt): Promise<void> {
    const landed = this.#of(attempt.id);
    const after = this.#executed(await this.callOf(attempt));
    const { number, hash } = this.positions.change(turbo.address, after ?? {});
    this.#landed.set(attempt.id, { ...landed, block: { number, hash } });
    await this.settle(attempt);
  }

  /** Sends this amount of the debt's ERC-20 token to the vault, as any other account could. */
  give(amount: bigint): void {
    this.positions.change(turbo.address, { held: this.holding.held + amount });
  }

  /**
   * Runs checks until a check submits nothing. Each submission is included in a block before the
   * next check. Returns the report of the last check.
   */
  async run(most = 40, by: LeverageTask = this.subject): Promise<TaskReport> {
    for (let poll = 0; poll < most; poll += 1) {
      const report = await this.attend(by);
      const hasActed = (await this.attempts()).some(({ state }) => isLive(state));
      if (report.outcome === 'skipped' && !hasActed) return report;
      await this.land(await this.theLive());
    }
    throw new Error('the rounds do not end');
  }

  /** Returns the position after the vault executes the call; null if the call reverts. */
  #executed({ direction, expectedDebt, amount, minimumOut }: LeverageCall) {
    const { collateral, debt, nominalDebt, held, freeLiquidity, maxLtvE18 } = this.holding;
    if (nominalDebt !== expectedDebt) return null;
    const covers = (supplied: bigint, owed: bigint): boolean =>
      owed * 10n ** 18n <= (supplied * this.#priceUsd * maxLtvE18) / 100n;
    const isLever = this.vault.layout.form === 'lever';
    if (direction === 'up') {
      const bought = (amount * 100n) / this.#priceUsd;
      const after = {
        collateral: collateral + bought,
        debt: debt + amount,
        nominalDebt: nominalDebt + amount,
        freeLiquidity: freeLiquidity - amount,
      };
      const before = isLever ? after.collateral : collateral;
      return amount <= freeLiquidity && bought >= minimumOut && covers(before, after.debt)
        ? after
        : null;
    }
    const brought = (amount * this.#priceUsd * this.#marketPpm) / 100_000_000n;
    const available = brought + held;
    const repaid = available < debt ? available : debt;
    if (repaid === 0n) return null;
    const after = {
      collateral: collateral - amount,
      debt: debt - repaid,
      nominalDebt: repaid === debt ? 0n : nominalDebt - (repaid * nominalDebt) / debt,
      freeLiquidity: freeLiquidity + repaid,
      held: available - repaid,
    };
    const owed = isLever ? after.debt : debt;
    const isCovered = amount === 0n || covers(after.collateral, owed);
    return brought >= minimumOut && isCovered ? after : null;
  }

  #transferred(amount: bigint) {
    this.treasuryUsdc -= amount;
    return { held: this.holding.held + amount };
  }

  #repayments(submissions: Submissions): FundRepayments | null {
    if (this.repayPerDay === null) return null;
    const { snapshots, positions, simulator, store, clock } = this;
    const { chainId, retry } = policy;
    return new FundRepayments(
      {
        submissions,
        snapshots,
        positions,
        simulator,
        latestBlock: new FakeLatestBlock(),
        store,
        clock,
        repeated: new RepeatedSubmissions(this.ledger),
        balances: {
          of: async (_token, account) =>
            account === TREASURY ? this.treasuryUsdc : this.holding.held,
        },
      },
      { chainId, retry, treasury: TREASURY, maxPerDay: this.repayPerDay },
    );
  }

  #of(id: string): Landed {
    const landed = this.#landed.get(id);
    if (landed === undefined) throw new Error('no block contains it');
    return landed;
  }

  #market(): MarketPrices {
    return new MarketPrices([this.prices, this.otherPrices], this.clock, {
      assets: ['WBTC', 'USDC'],
      limits: { maxAgeMs: 600_000_000, maxDeviationBps: 200, quorum: 2 },
      ttlMs: 1_000,
    });
  }

  #service(): SubmissionService {
    const newId = (): string => {
      const id = `round-${this.#ids.length + 1}`;
      this.#ids.push(id);
      return id;
    };
    return new SubmissionService(
      this.ledger,
      this.#changes,
      () => {},
      this.clock,
      { answerAt: 'preconfirmed', deadlineMs: 600_000, maxWaitingPerRole: 200, newId },
      () => {},
    );
  }
}
