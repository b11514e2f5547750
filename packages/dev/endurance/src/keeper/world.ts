import { shortStringFelt } from '@sotto/adapter-starknet';
import { systemClock, toFelt, u256FromHalves, u256ToHalves } from '@sotto/kernel';
import { keyed, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { bury } from '../crash/stirs.js';
import type { Chain } from '../stack/chain.js';
import { Outsider } from '../stack/outsider.js';
import {
  judge,
  planFrom,
  type KeeperJudgement,
  type LeverageTerms,
  type VaultHolding,
} from './judge.js';
import { OPERATOR_TOKEN } from './keepers.js';
import { ChainRecord } from './record.js';

/** Work that the test creates for keepers in one step. */
export interface Work {
  /** Number of vaults that receive idle funds. */
  readonly vaults: number;
  /** True if the chain's clock is advanced until each order has a new due time. */
  readonly due: boolean;
  /** True if the turbo vault gets a new leverage target. */
  readonly lead: boolean;
  /** True if a lane's balance is set below its floor. */
  readonly drain: boolean;
  /** True if three deposits enter the pool. */
  readonly deposit: boolean;
}

const { accounts, lending, oracle, pools, purchases, tokens, vaults } = sandboxWorld;
const { turbo, ...others } = vaults;

/** Number of vaults that can have idle funds: all except turbo. */
export const VAULTS = Object.keys(others).length;
const BOUNDLESS_FRI = String(10n ** 30n);
const FRI_PER_STRK = 10n ** 18n;
const FLOOR_FRI = 100n * FRI_PER_STRK;
const CEILING_FRI = 200n * FRI_PER_STRK;
const DRAINED_FRI = 50n * FRI_PER_STRK;
/**
 * Lane whose balance is drained. The lane signs nothing because the test swaps nothing, so no fee
 * changes its missing amount.
 */
const DRAINED_LANE = accounts.swapOwner;
const POOL = pools.sentinel_2x;
const BATCH_SIZE = 3;
const FIRST_COMMITMENT = 0x5077_0001n;
const HOUR_SECONDS = 3_600n;
const PRICE_PAIRS = ['BTC/USD', 'WBTC/USD', 'ETH/USD', 'STRK/USD', 'USDC/USD'];
const STEP_MS = 3_660_000;
const ORDERS = 2;
const PURCHASES = 200n;
const USDC_PER_PURCHASE = 2_000n * 10n ** 6n;
const DAY_MS = 86_400_000;
/**
 * Leverage targets in hundredths of a percent. The test sets them one after the other. Some targets
 * need rounds that increase the leverage, other targets need rounds that reduce it.
 */
const TARGETS = [20_000, 15_000, 25_000, 10_000] as const;
const COLLATERAL_SATS = 10_000_000n;
const FIRST_IDLE_SATS = 1_000_000n;
const TEN = 10_000;

/**
 * The chain's clock is 20 days behind the services' clock. So every order that is due on the chain
 * is also due for the services. This is true even while an abandoned call without replay protection
 * waits for 20 blocks.
 */
export const KEEPER_CHAIN = {
  CLOCK_SHIFT_MS: String(-20 * DAY_MS),
  EMPTY_BLOCK_MS: '500',
} as const satisfies Variables;

/**
 * Settings of every keeper, which runs all tasks, polls frequently, and does not delay its work.
 */
export const KEEPER_ENVIRONMENT = {
  POLL_INTERVAL_MS: '150',
  IDLE_INTERVAL_MS: '500',
  RESEND_AFTER_MS: '1000',
  LEASE_TTL_MS: '1000',
  BREAKER_REVERTS: '1000',
  BREAKER_LOSSES: '1000',
  BREAKER_UPSTREAM_FAILURES: '1000',
  PRICE_MAX_AGE_MS: '2000000000',
  OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
  KEEPER_TASKS: 'curator,batches,purchases,leverage,treasury',
  KEEPER_SUBJECTS: JSON.stringify({ batches: ['sentinel_2x'] }),
  KEEPER_INTERVAL_MS: '500',
  KEEPER_LEASE_TTL_MS: '1000',
  KEEPER_RETRY_BASE_MS: '100',
  KEEPER_MAX_FAILURES: '100',
  KEEPER_GAS_PER_HOUR_FRI: BOUNDLESS_FRI,
  KEEPER_GAS_PER_DAY_FRI: BOUNDLESS_FRI,
  KEEPER_ACCOUNTS: JSON.stringify([accounts.keeper1, accounts.keeper2].map(keyed)),
  CURATOR_ACCOUNT: JSON.stringify(keyed(accounts.curator)),
  CURATOR_API_TOKENS: JSON.stringify({ operator: 'token-of-the-curator' }),
  CURATOR_SETTLE_SECONDS: '0',
  CURATOR_COST_FACTOR: '1',
  BATCH_CROWD_WAIT_SECONDS: '0',
  LEVERAGE_RATE_AGAINST_SECONDS: String((30 * DAY_MS) / 1_000),
  TREASURY_ACCOUNT: JSON.stringify(keyed(accounts.treasury)),
  TREASURY_FLOORS: JSON.stringify({
    swap_owner: { floor: String(FLOOR_FRI), ceiling: String(CEILING_FRI) },
  }),
  TREASURY_MAX_PER_DAY_FRI: BOUNDLESS_FRI,
} as const satisfies Variables;

/**
 * Terms of the turbo vault's plans. The prices are those of the sandbox. The limits are the default
 * limits, except for the limits that are set above.
 */
export const LEVERAGE: LeverageTerms = {
  limits: {
    safetyDistanceE18: 5n * 10n ** 16n,
    healthFloorE18: 105n * 10n ** 16n,
    swapCostPpm: 20_000n,
    maxRounds: 12,
    minRoundDebt: 100n * 10n ** 6n,
    maxRoundDebt: 100_000n * 10n ** 6n,
    toleranceBps: 200n,
    dustDebt: 10n ** 6n,
    accrualSeconds: 600n,
  },
  // BTC costs 100,000 USD per 1e8 sats, and the debt token costs 1 USD per 1e6 units.
  price: { numerator: 1_000n, denominator: 1n },
  terms: {
    freeLiquidity: lending.reserve,
    borrowRateE18: 0n,
    supplyRateE18: 0n,
    maxLtvE18: lending.maxLtvE18,
  },
  // A nominal debt of 1e18 equals one debt token of 1e6 units.
  nominalPerUnit: 10n ** 12n,
};

/** Sandbox chain of the keeper test: creates work for keepers and records the amounts. */
export class KeeperWorld {
  readonly #record: ChainRecord;
  readonly #relayer: Outsider;
  readonly #funds = new Map<bigint, bigint[]>();
  readonly #lacks = new Map<bigint, bigint[]>([[DRAINED_LANE.address, []]]);
  readonly #batches: bigint[] = [];
  readonly #targets: number[] = [];
  #steps = 0;
  #leaves = 0;
  /**
   * Number of due times of an order so far. An order is due for the first time when it is created.
   */
  #dueTimes = 1;

  private constructor(
    private readonly chain: Chain,
    /** Sets the turbo vault's leverage target through a running service. */
    private readonly report: OperatorWord,
  ) {
    this.#record = new ChainRecord(chain.urls.rpcUrl);
    this.#relayer = new Outsider(chain.urls.rpcUrl, accounts.lane3);
  }

  /**
   * Creates orders, turns off a pool's automatic deployment of batches and funds the turbo vault.
   */
  static async prepare(chain: Chain, report: OperatorWord): Promise<KeeperWorld> {
    const world = new KeeperWorld(chain, report);
    await chain.control('setStorage', {
      address: toFelt(POOL.address),
      key: 'auto_deploy_off',
      value: '1',
    });
    await chain.control('mint', {
      owner: toFelt(accounts.treasury.address),
      amount: BOUNDLESS_FRI,
    });
    await world.#drain(CEILING_FRI);
    await world.#publishPrices();
    const usdc = tokens.USDC.address;
    const order = [usdc, ...u256ToHalves(USDC_PER_PURCHASE), HOUR_SECONDS, PURCHASES, 0n];
    await new Outsider(chain.urls.rpcUrl, accounts.buyer).send(
      {
        to: usdc,
        entrypoint: 'approve',
        calldata: [purchases.address, ...u256ToHalves(2n ** 128n)],
      },
      ...Array.from({ length: ORDERS }, () => ({
        to: purchases.address,
        entrypoint: 'create_order',
        calldata: order,
      })),
    );
    await world.#fund(turbo.address, COLLATERAL_SATS);
    return world;
  }

  /**
   * Publishes oracle prices with the machine's time, which differs from the chain's time by days.
   */
  async #publishPrices(): Promise<void> {
    const nowSeconds = Math.floor(systemClock.nowMs() / 1_000);
    for (const pair of PRICE_PAIRS) {
      const id = BigInt(shortStringFelt(pair)).toString(16);
      for (const [key, value] of [
        ['live', 0],
        ['timestamp', nowSeconds],
      ] as const)
        await this.chain.control('setStorage', {
          address: toFelt(oracle),
          key: `${key}:${id}`,
          value: String(value),
        });
    }
  }

  /** Creates new work on the chain. Precondition: all earlier work is done. */
  async give({ vaults: count, due, lead, drain, deposit }: Work): Promise<void> {
    if (due) {
      // No transaction is in flight here. So no transaction expires in the mempool, and no rollback
      // returns a transaction to the mempool. If a rollback undid a purchase, the purchase would be
      // due an hour later. Then one due time would pass without a purchase.
      await bury(this.chain);
      await this.chain.control('moveClock', { byMs: STEP_MS });
      this.#dueTimes += 1;
    }
    for (const [index, { address }] of Object.values(others).slice(0, count).entries())
      await this.#fund(address, FIRST_IDLE_SATS + BigInt(this.#steps * TEN + index));
    if (drain) {
      await this.#drain(DRAINED_FRI);
      this.#lacks.get(DRAINED_LANE.address)?.push(CEILING_FRI - DRAINED_FRI);
    }
    if (deposit) await this.#deposit();
    if (lead) await this.#lead();
    this.#steps += 1;
  }

  /** Returns true if the accepted blocks contain all work created so far. */
  async isDone(): Promise<boolean> {
    for (const vault of this.#funds.keys())
      if ((await this.#u256(tokens.WBTC.address, 'balance_of', [vault])) !== 0n) return false;
    for (let order = 1n; order <= ORDERS; order += 1n) {
      const [, , , , , , executed] = await this.#record.view(purchases.address, 'get_order', [
        order,
      ]);
      if (executed !== BigInt(this.#dueTimes)) return false;
    }
    const lane = await this.#u256(tokens.STRK.address, 'balance_of', [DRAINED_LANE.address]);
    if (lane < FLOOR_FRI) return false;
    const [waiting] = await this.#record.view(POOL.address, 'undeployed_count');
    if (waiting !== 0n) return false;
    const target = this.#targets.at(-1);
    if (target === undefined) return true;
    return planFrom(await this.#holding('latest'), target, LEVERAGE).kind === 'at_target';
  }

  /** Judges all recorded transactions of the chain. Precondition: all work is done. */
  async judge(): Promise<KeeperJudgement> {
    const { curator, keeper1, keeper2, lane1, lane2, swapOwner, treasury } = accounts;
    const given = {
      accounts: [curator, keeper1, keeper2, lane1, lane2, swapOwner, treasury].map(
        ({ address }) => address,
      ),
      funds: this.#funds,
      dueTimes: new Map(
        Array.from({ length: ORDERS }, (_, index) => [BigInt(index + 1), this.#dueTimes] as const),
      ),
      lacks: this.#lacks,
      batches: new Map([[POOL.address, this.#batches]]),
      targets: this.#targets,
    };
    const places = {
      purchases: purchases.address,
      strk: tokens.STRK.address,
      wbtc: tokens.WBTC.address,
      turbo: turbo.address,
      deployMethods: Object.values(vaults).flatMap(({ methods }) => [...methods]),
    };
    return judge({
      places,
      given,
      leverage: LEVERAGE,
      transactions: await this.#record.transactions(),
      holdingAt: (block) => this.#holding(block),
    });
  }

  async #fund(vault: bigint, amount: bigint): Promise<void> {
    this.#funds.set(vault, [...(this.#funds.get(vault) ?? []), amount]);
    await this.chain.control('mint', {
      owner: toFelt(vault),
      amount: String(amount),
      token: toFelt(tokens.WBTC.address),
    });
  }

  async #drain(leftFri: bigint): Promise<void> {
    await this.chain.control('setStorage', {
      address: toFelt(tokens.STRK.address),
      key: `balance:${DRAINED_LANE.address.toString(16)}`,
      value: String(leftFri),
    });
  }

  async #lead(): Promise<void> {
    const bps = TARGETS[this.#targets.length % TARGETS.length] ?? TEN;
    this.#targets.push(bps);
    await this.report(bps / TEN);
  }

  async #deposit(): Promise<void> {
    this.#batches.push(BigInt(this.#leaves));
    const deposits = Array.from({ length: BATCH_SIZE }, () => ({
      to: POOL.address,
      entrypoint: 'deposit',
      calldata: [
        ...u256ToHalves(FIRST_COMMITMENT + BigInt(this.#leaves++)),
        accounts.crowd1.address,
      ],
    }));
    await this.#relayer.send(...deposits);
  }

  async #holding(block: number | 'latest'): Promise<VaultHolding> {
    const [felts, held] = await Promise.all([
      this.#record.view(turbo.address, 'position', [], block),
      this.#record.view(tokens.USDC.address, 'balance_of', [turbo.address], block),
    ]);
    const [low = 0n, high = 0n, debtLow = 0n, debtHigh = 0n] = felts;
    const [heldLow = 0n, heldHigh = 0n] = held;
    return {
      collateral: u256FromHalves(low, high),
      debt: u256FromHalves(debtLow, debtHigh),
      repaysWith: u256FromHalves(heldLow, heldHigh),
    };
  }

  async #u256(contract: bigint, entrypoint: string, calldata: readonly bigint[]): Promise<bigint> {
    const [low = 0n, high = 0n] = await this.#record.view(contract, entrypoint, calldata);
    return u256FromHalves(low, high);
  }
}

/**
 * Sets the turbo vault's leverage target through any running service. Resolves when one service has
 * accepted the target.
 */
export type OperatorWord = (target: number) => Promise<void>;
