import type { Aggregator } from '../aggregator/aggregator.js';
import {
  setLendingInterest,
  setLendingMarket,
  type LendingChanges,
} from '../contracts/lending-pool.js';
import type { ContractStorage } from '../contracts/storage.js';
import { sandboxWorld } from '../contracts/world.js';
import type { BlockStatus, Inclusion } from '../engine/block.js';
import type { Cadence } from '../engine/cadence.js';
import type { Chain, ForcedRevert, UndoneTransactions } from '../engine/chain.js';
import { executeCall } from '../engine/execute.js';
import type { GasPrices } from '../engine/fee.js';
import { selectorOf } from '../engine/felt.js';
import type { GenesisAccount } from '../engine/genesis.js';
import { Overlay } from '../engine/state.js';
import { ChainView } from '../engine/view.js';
import type { PushMode, PushServer } from '../push/push-server.js';
import type { RewardsApi } from '../rewards/rewards-api.js';
import type { Counters, RequestCounter } from './counters.js';
import type { FaultQueue } from '../http/fault-queue.js';
import type { FaultOrder } from './faults.js';
import { foreignTransaction, type ControlCall, type ForeignDeed } from './foreign-transaction.js';

/**
 * The steps that transactions take; `advance` takes one of them for everything that stands right
 * before it.
 */
export type Step = 'candidate' | 'pre_confirmed' | 'accepted_on_l2' | 'accepted_on_l1';

/**
 * A transaction that stands in a block now and has paid for it. Of undone blocks nothing is listed.
 */
export interface PaidInclusion {
  readonly hash: bigint;
  readonly sender: bigint;
  readonly nonce: bigint;
  readonly feeFri: bigint;
  readonly executionStatus: 'SUCCEEDED' | 'REVERTED';
  readonly finality: BlockStatus;
  readonly blockNumber: number;
}

/** A transaction that waits in the pool. */
export interface WaitingTransaction {
  readonly hash: bigint;
  readonly sender: bigint;
  readonly nonce: bigint;
}

/** A transaction that succeeded, with its events in their order. */
export interface SentTransaction {
  readonly hash: bigint;
  readonly events: readonly {
    readonly from: bigint;
    readonly keys: readonly bigint[];
    readonly data: readonly bigint[];
  }[];
}

/** More than a view takes. */
const A_VIEW = { l2Gas: 100_000n, slots: 0 };
/** More than some calls take; what is not used is not paid. */
const ANY_CALLS = { l2Gas: 100_000_000n, slots: 500 };
const PRE_CONFIRMED = { by: 'tag', tag: 'pre_confirmed' } as const;

/** What the control interface works on. */
export interface ControlParts {
  readonly chain: Chain;
  /** Undefined when the chain moves only by {@link Control.advance}. */
  readonly cadence: Cadence | undefined;
  readonly push: PushServer;
  readonly accounts: readonly GenesisAccount[];
  readonly faults: FaultQueue<FaultOrder>;
  readonly counter: RequestCounter;
  readonly aggregator: Aggregator;
  readonly rewards: RewardsApi;
  /** At the start. */
  readonly latencyMs: number;
}

interface Lag {
  readonly newestNumber: number;
  readonly untilMs: number;
}

/**
 * The sandbox's other door: injects faults, takes steps, and reports what happened. For tests and
 * development only.
 */
export class Control {
  #lag: Lag | undefined;
  #latencyMs: number;
  readonly #unreadable = new Set<bigint>();
  readonly #delays = new Map<string, number>();

  constructor(private readonly parts: ControlParts) {
    this.#latencyMs = parts.latencyMs;
  }

  /** The same for the aggregator. */
  get aggregator(): Aggregator {
    return this.parts.aggregator;
  }

  /** The same for the lending protocol's HTTP interface. */
  get rewards(): RewardsApi {
    return this.parts.rewards;
  }

  // --- faults ---

  /** Queues a fault for the next fitting requests. */
  addFault(order: FaultOrder): void {
    this.parts.faults.add(order);
  }

  /** Forgets the faults and reverts that have not struck yet. */
  clearFaults(): void {
    this.parts.faults.clear();
    this.parts.chain.clearForcedReverts();
  }

  /** Drops a waiting transaction or candidate without a word; false when it is neither. */
  evict(hash: bigint): boolean {
    const { pool, open } = this.parts.chain;
    return pool.remove(hash) || open.removeCandidate(hash);
  }

  /**
   * The next transaction to be executed (of `sender`, if given) reverts with this reason; it pays
   * its fee and its nonce is used.
   */
  revertNext(order: ForcedRevert): void {
    this.parts.chain.forceRevert(order);
  }

  /** Undoes what is pre-confirmed. @default transactions return to the pool */
  undoPreConfirmed(fate: UndoneTransactions = 'return-to-pool'): void {
    this.parts.chain.undoOpenBlock(fate);
  }

  /**
   * Undoes the latest ACCEPTED_ON_L2 block and what is pre-confirmed.
   * @throws RangeError when it is already accepted on L1
   */
  reorgLatestBlock(fate: UndoneTransactions = 'return-to-pool'): void {
    this.rollback(1, fate);
  }

  /**
   * Undoes so many of the latest ACCEPTED_ON_L2 blocks and what is pre-confirmed: nonces, balances
   * and storage are what they were.
   * @default their transactions return to the pool
   * @throws RangeError when one of them is already accepted on L1
   */
  rollback(blocks: number, fate: UndoneTransactions = 'return-to-pool'): void {
    this.parts.chain.undoBlocks(blocks, fate);
  }

  /**
   * The node answers every read that names this felt (a hash, an address) with -32603 and all
   * others as ever, until it is given with false.
   */
  unreadable(felt: bigint, isUnreadable = true): void {
    if (isUnreadable) this.#unreadable.add(felt);
    else this.#unreadable.delete(felt);
  }

  /** Whether a read with these parameters can't be answered. */
  isUnreadable(params: unknown): boolean {
    return this.#unreadable.size > 0 && feltsIn(params).some((felt) => this.#unreadable.has(felt));
  }

  /**
   * Requests that carry this method (`*` for any) are answered so many milliseconds later, until 0
   * is given.
   */
  delay(method: string, ms: number): void {
    if (ms === 0) this.#delays.delete(method);
    else this.#delays.set(method, ms);
  }

  /** The delay of a request that carries these methods: the longest of theirs. */
  delayOf(methods: readonly string[]): number {
    return Math.max(0, ...['*', ...methods].map((method) => this.#delays.get(method) ?? 0));
  }

  /**
   * A foreign transaction with the account's key uses its nonce: it is pre-confirmed at once, in
   * place of what waits under the nonce.
   * @returns the foreign transaction's hash
   * @throws RangeError for an account without a known key, a nonce that is not the account's next,
   *   or a balance that is too small
   */
  takeNonce(address: bigint, nonce?: bigint): bigint {
    const asksForItsBalance = {
      to: this.parts.chain.feeToken,
      entrypoint: 'balanceOf',
      calldata: [address],
    };
    const deed = { calls: [asksForItsBalance], most: A_VIEW };
    return this.#include(address, nonce, deed).transaction.hash;
  }

  /**
   * An account sends these calls in one transaction, whose block is accepted on L2 at once, with
   * all that is pre-confirmed.
   * @throws RangeError for an account without a known key, a balance that is too small, or calls
   *   that revert; the message has their reason
   */
  send(address: bigint, calls: readonly ControlCall[]): SentTransaction {
    const { transaction, revertReason, events } = this.#include(address, undefined, {
      calls,
      most: ANY_CALLS,
    });
    this.advance('accepted_on_l2');
    if (revertReason !== undefined) throw new RangeError(revertReason);
    return { hash: transaction.hash, events };
  }

  /** Calls a view at the pre-confirmed state. @throws CallFailure when it reverts */
  call(to: bigint, entrypoint: string, calldata: readonly bigint[] = []): readonly bigint[] {
    const { state, context } = new ChainView(this.parts.chain).block(PRE_CONFIRMED);
    const request = { to, selector: selectorOf(entrypoint), calldata };
    return executeCall(new Overlay(state), request, context);
  }

  /**
   * The node lags for a while: it answers reads as if the chain ended `blocksBehind` blocks before
   * its present end, knows no waiting transaction, and still takes new ones.
   */
  lag(forMs: number, blocksBehind = 0): void {
    const { chain } = this.parts;
    this.#lag = {
      newestNumber: Math.max(0, chain.latest.number - blocksBehind),
      untilMs: chain.clock.nowMs() + forMs,
    };
  }

  /** Ends a lag before its time. */
  endLag(): void {
    this.#lag = undefined;
  }

  /** What the node says it knows now. */
  view(): ChainView {
    const { chain } = this.parts;
    if (this.#lag !== undefined && chain.clock.nowMs() >= this.#lag.untilMs) this.#lag = undefined;
    return new ChainView(chain, this.#lag?.newestNumber);
  }

  /** How far away the node is: so long takes the way to it and back, besides what the node does. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** Moves the node: counts for requests from now on. */
  setLatency(ms: number): void {
    this.#latencyMs = ms;
  }

  /**
   * How it pushes from now on: as it should, not at all over connections that stand, or over none.
   */
  setPushMode(mode: PushMode): void {
    this.parts.push.setMode(mode);
  }

  /** Breaks every connection that it pushes over. */
  cutPush(): void {
    this.parts.push.cut();
  }

  /** How many connections it pushes over. */
  pushConnections(): number {
    return this.parts.push.connections;
  }

  /**
   * Pushes that the account's first waiting transaction is accepted, which is not so.
   * @throws RangeError when none waits
   */
  pushFalsely(sender: bigint): void {
    this.parts.push.pretend(sender);
  }

  // --- steps ---

  /** Takes one step for everything that stands right before it. */
  advance(step: Step): void {
    const { chain } = this.parts;
    switch (step) {
      case 'candidate':
        chain.pickCandidates();
        return;
      case 'pre_confirmed':
        chain.executeCandidates();
        return;
      case 'accepted_on_l2':
        chain.closeBlock();
        return;
      case 'accepted_on_l1':
        chain.acceptOnL1();
    }
  }

  /** ACCEPTED_ON_L2 → ACCEPTED_ON_L1 for every block up to this one. @default the latest */
  acceptOnL1(blockNumber?: number): void {
    this.parts.chain.acceptOnL1(blockNumber);
  }

  /**
   * Brings everything that can be executed into a block and closes it; so many blocks, empty ones
   * if need be. Returns the newest block's number.
   */
  mine(blocks = 1): number {
    for (let mined = 0; mined < blocks; mined += 1) {
      this.advance('candidate');
      this.advance('pre_confirmed');
      this.advance('accepted_on_l2');
    }
    return this.parts.chain.latest.number;
  }

  /** Stops the chain's own cadence; without one nothing changes. */
  pause(): void {
    this.parts.cadence?.stop();
  }

  /** Lets the chain's own cadence run on; without one nothing changes. */
  resume(): void {
    this.parts.cadence?.start();
  }

  // --- the world ---

  /** Prices of the next block, and of the open one while it is empty. Prices left out stay. */
  setGasPrices(prices: Partial<GasPrices>): void {
    this.parts.chain.setPrices(prices);
  }

  /** Moves the node's clock by so many milliseconds. */
  moveClock(byMs: number): void {
    this.parts.chain.clock.move(byMs);
    this.parts.chain.notify();
  }

  /** Holds the node's clock still, by default at its present time. */
  freezeClock(atMs?: number): void {
    this.parts.chain.clock.freeze(atMs);
  }

  /** Lets a frozen clock run on. */
  runClock(): void {
    this.parts.chain.clock.run();
  }

  /** The node's time in milliseconds since the Unix epoch. */
  nowMs(): number {
    return this.parts.chain.clock.nowMs();
  }

  /** Creates tokens for an owner. @default token is the fee token */
  mint(owner: bigint, amount: bigint, token: bigint = this.parts.chain.feeToken): void {
    this.parts.chain.mint(token, owner, amount);
  }

  /** Sets a contract's storage slot, by the model's own key, in every block. */
  setStorage(address: bigint, key: string, value: bigint): void {
    this.parts.chain.setStorage(address, key, value);
  }

  /** A contract's storage slot at the pre-confirmed state. */
  storage(address: bigint, key: string): bigint {
    return this.parts.chain.open.state.storage(address, key);
  }

  /** Changes what a lending pool keeps of an asset, in every block. @default asset is WBTC */
  setLendingMarket(
    pool: bigint,
    changes: LendingChanges,
    asset: bigint = sandboxWorld.tokens.WBTC.address,
  ): void {
    setLendingMarket(this.#storageOf(pool), asset, changes);
  }

  /**
   * Sets the interest on what is borrowed of an asset at a lending pool, from now on.
   * @param rateE18 per second; 0 for none
   */
  setLendingInterest(pool: bigint, asset: bigint, rateE18: bigint): void {
    const nowSeconds = BigInt(Math.floor(this.nowMs() / 1_000));
    setLendingInterest(this.#storageOf(pool), asset, rateE18, nowSeconds);
  }

  // --- what happened ---

  counters(): Counters {
    return this.parts.counter.read();
  }

  resetCounters(): void {
    this.parts.counter.reset();
  }

  /** Every inclusion on the present chain, oldest first, the pre-confirmed block's last. */
  paidInclusions(): PaidInclusion[] {
    const { chain } = this.parts;
    const accepted = Array.from({ length: chain.latest.number + 1 }, (_, number) => {
      const finality: BlockStatus = number <= chain.l1Height ? 'ACCEPTED_ON_L1' : 'ACCEPTED_ON_L2';
      return chain
        .accepted(number)
        .inclusions.map((inclusion) => toPaid(inclusion, finality, number));
    });
    const open = chain.open.inclusions.map((inclusion) =>
      toPaid(inclusion, 'PRE_CONFIRMED', chain.open.number),
    );
    return [...accepted.flat(), ...open];
  }

  /** Transactions in the pool, oldest first. Candidates have left it. */
  waiting(): WaitingTransaction[] {
    return this.parts.chain.pool
      .all()
      .map(({ hash, fields: { sender, nonce } }) => ({ hash, sender, nonce }));
  }

  #include(
    address: bigint,
    nonce: bigint | undefined,
    deed: Omit<ForeignDeed, 'nonce'>,
  ): Inclusion {
    const { chain, accounts } = this.parts;
    const account = accounts.find((known) => known.address === address);
    if (account === undefined) throw new RangeError('the key of this account is not known');
    const transaction = foreignTransaction(chain, account, {
      ...deed,
      nonce: nonce ?? chain.open.state.nonce(address),
    });
    if (!chain.includeNow(transaction))
      throw new RangeError("the nonce is not the account's next, or the account cannot pay");
    const inclusion = chain.open.inclusions.find((one) => one.transaction === transaction);
    if (inclusion === undefined) throw new Error('the open block lost a transaction');
    return inclusion;
  }

  #storageOf(contract: bigint): ContractStorage {
    return {
      get: (key) => this.storage(contract, key),
      set: (key, value) => {
        this.setStorage(contract, key, value);
      },
    };
  }
}

/** Every felt that stands as hex text somewhere in a value. */
function feltsIn(value: unknown): bigint[] {
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{1,64}$/.test(value) ? [BigInt(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(feltsIn);
}

function toPaid(
  { transaction, revertReason, feeFri }: Inclusion,
  finality: BlockStatus,
  blockNumber: number,
): PaidInclusion {
  const { sender, nonce } = transaction.fields;
  const executionStatus = revertReason === undefined ? 'SUCCEEDED' : 'REVERTED';
  return { hash: transaction.hash, sender, nonce, feeFri, executionStatus, finality, blockNumber };
}
