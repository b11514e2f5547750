import type { Aggregator } from '../aggregator/aggregator.js';
import {
  setLendingInterest,
  setLendingMarket,
  type LendingChanges,
} from '../contracts/lending-pool.js';
import { setHostile, type HostileChanges } from '../contracts/hostile-contract.js';
import { setPrivacyPool, type PrivacyPoolChanges } from '../contracts/privacy-world.js';
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

/** Stage to which `advance` moves all transactions of the stage directly below it. */
export type Step = 'candidate' | 'pre_confirmed' | 'accepted_on_l2' | 'accepted_on_l1';

/**
 * Transaction in a block of the current chain that has paid its fee. Undone blocks are excluded.
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

/** Transaction that waits in the mempool. */
export interface WaitingTransaction {
  readonly hash: bigint;
  readonly sender: bigint;
  readonly nonce: bigint;
}

/** Transaction that succeeded, with its events in the sequence of their emission. */
export interface SentTransaction {
  readonly hash: bigint;
  readonly events: readonly {
    readonly from: bigint;
    readonly keys: readonly bigint[];
    readonly data: readonly bigint[];
  }[];
}

/** Resource limits that exceed the cost of any view function. */
const A_VIEW = { l2Gas: 100_000n, slots: 0 };
/** Resource limits that exceed the cost of any calls. Unused gas is not paid. */
const ANY_CALLS = { l2Gas: 100_000_000n, slots: 500 };
const PRE_CONFIRMED = { by: 'tag', tag: 'pre_confirmed' } as const;

/** Components that the control interface controls. */
export interface ControlParts {
  readonly chain: Chain;
  /** Timer that moves the chain; undefined if only {@link Control.advance} moves the chain. */
  readonly cadence: Cadence | undefined;
  readonly push: PushServer;
  readonly accounts: readonly GenesisAccount[];
  readonly faults: FaultQueue<FaultOrder>;
  readonly counter: RequestCounter;
  readonly aggregator: Aggregator;
  readonly rewards: RewardsApi;
  /** Initial latency of responses, in milliseconds. */
  readonly latencyMs: number;
}

interface Lag {
  readonly newestNumber: number;
  readonly untilMs: number;
}

/**
 * Control interface of the sandbox: injects faults, advances stages, and reports requests and
 * inclusions. Only tests and development may use it.
 */
export class Control {
  #lag: Lag | undefined;
  #latencyMs: number;
  readonly #unreadable = new Set<bigint>();
  readonly #delays = new Map<string, number>();

  constructor(private readonly parts: ControlParts) {
    this.#latencyMs = parts.latencyMs;
  }

  /** Control interface of the aggregator. */
  get aggregator(): Aggregator {
    return this.parts.aggregator;
  }

  /** Control interface of the lending protocol's HTTP interface. */
  get rewards(): RewardsApi {
    return this.parts.rewards;
  }

  // --- faults ---

  /** Queues a fault for the next requests that match it. */
  addFault(order: FaultOrder): void {
    this.parts.faults.add(order);
  }

  /** Removes queued faults and pending forced reverts. */
  clearFaults(): void {
    this.parts.faults.clear();
    this.parts.chain.clearForcedReverts();
  }

  /**
   * Drops a transaction from the mempool or the candidates without an error. Returns false if the
   * transaction is in neither.
   */
  evict(hash: bigint): boolean {
    const { pool, open } = this.parts.chain;
    return pool.remove(hash) || open.removeCandidate(hash);
  }

  /**
   * Makes the next executed transaction revert with this reason. If `sender` is given, only the
   * next transaction of this account reverts. The transaction pays its fee and consumes its nonce.
   */
  revertNext(order: ForcedRevert): void {
    this.parts.chain.forceRevert(order);
  }

  /** Undoes the pre-confirmed block. @default its transactions return to the mempool */
  undoPreConfirmed(fate: UndoneTransactions = 'return-to-pool'): void {
    this.parts.chain.undoOpenBlock(fate);
  }

  /**
   * Undoes the latest ACCEPTED_ON_L2 block and the pre-confirmed block.
   * @throws RangeError if the block is already accepted on L1
   */
  reorgLatestBlock(fate: UndoneTransactions = 'return-to-pool'): void {
    this.rollback(1, fate);
  }

  /**
   * Undoes the latest `blocks` ACCEPTED_ON_L2 blocks and the pre-confirmed block. Nonces, balances
   * and storage are restored.
   * @default transactions return to the mempool
   * @throws RangeError if one of the blocks is already accepted on L1
   */
  rollback(blocks: number, fate: UndoneTransactions = 'return-to-pool'): void {
    this.parts.chain.undoBlocks(blocks, fate);
  }

  /**
   * Makes the node return -32603 for every read whose parameters contain this felt, for example a
   * hash or an address. Other reads are unaffected. With `isUnreadable` false, the node answers
   * such reads again.
   */
  unreadable(felt: bigint, isUnreadable = true): void {
    if (isUnreadable) this.#unreadable.add(felt);
    else this.#unreadable.delete(felt);
  }

  /** Returns true if a read with these parameters must return an error. */
  isUnreadable(params: unknown): boolean {
    return this.#unreadable.size > 0 && feltsIn(params).some((felt) => this.#unreadable.has(felt));
  }

  /**
   * Delays the responses to requests that contain a call of this method (`*` for any method). `ms`
   * is the delay in milliseconds; 0 removes the delay.
   */
  delay(method: string, ms: number): void {
    if (ms === 0) this.#delays.delete(method);
    else this.#delays.set(method, ms);
  }

  /**
   * Returns the delay of a request that contains calls of these methods, in milliseconds. If
   * several delays apply, the longest one is returned.
   */
  delayOf(methods: readonly string[]): number {
    return Math.max(0, ...['*', ...methods].map((method) => this.#delays.get(method) ?? 0));
  }

  /**
   * Consumes the account's nonce with a foreign transaction that is signed with the account's key.
   * The transaction is pre-confirmed immediately and replaces any waiting transaction with this
   * nonce.
   * @returns the foreign transaction's hash
   * @throws RangeError if the account's key is unknown, the nonce is not the account's next nonce,
   *   or the balance is too small
   */
  takeNonce(address: bigint, nonce?: bigint): bigint {
    const requestsForItsBalance = {
      to: this.parts.chain.feeToken,
      entrypoint: 'balanceOf',
      calldata: [address],
    };
    const deed = { calls: [requestsForItsBalance], most: A_VIEW };
    return this.#include(address, nonce, deed).transaction.hash;
  }

  /**
   * Sends these calls in one transaction of the account. The block, including all pre-confirmed
   * transactions, is accepted on L2 immediately. The transaction does not pass the gateway, so it
   * needs no proof for its proof facts.
   * @throws RangeError if the account's key is unknown, the balance is too small, the proof facts
   *   are invalid, or the calls revert; the error message is the revert reason
   */
  send(
    address: bigint,
    calls: readonly ControlCall[],
    proofFacts: readonly bigint[] = [],
  ): SentTransaction {
    const { transaction, revertReason, events } = this.#include(address, undefined, {
      calls,
      most: ANY_CALLS,
      proofFacts,
    });
    this.advance('accepted_on_l2');
    if (revertReason !== undefined) throw new RangeError(revertReason);
    return { hash: transaction.hash, events };
  }

  /** Calls a view function at the pre-confirmed state. @throws CallFailure if the call reverts */
  call(to: bigint, entrypoint: string, calldata: readonly bigint[] = []): readonly bigint[] {
    const { state, context } = new ChainView(this.parts.chain).block(PRE_CONFIRMED);
    const request = { to, selector: selectorOf(entrypoint), calldata };
    return executeCall(new Overlay(state), request, context);
  }

  /**
   * Makes the node lag for `forMs` milliseconds. Reads then see the chain without its newest
   * `blocksBehind` blocks, and without waiting transactions. The node still accepts new
   * transactions.
   */
  lag(forMs: number, blocksBehind = 0): void {
    const { chain } = this.parts;
    this.#lag = {
      newestNumber: Math.max(0, chain.latest.number - blocksBehind),
      untilMs: chain.clock.nowMs() + forMs,
    };
  }

  /** Ends the current lag early. */
  endLag(): void {
    this.#lag = undefined;
  }

  /** Returns the node's current view of the chain. */
  view(): ChainView {
    const { chain } = this.parts;
    if (this.#lag !== undefined && chain.clock.nowMs() >= this.#lag.untilMs) this.#lag = undefined;
    return new ChainView(chain, this.#lag?.newestNumber);
  }

  /** Network round trip to the node in milliseconds. The node's processing time is added. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** Sets the network round trip of later requests, in milliseconds. */
  setLatency(ms: number): void {
    this.#latencyMs = ms;
  }

  /**
   * Sets the push mode. The node works normally, sends no messages on open connections, or rejects
   * connections.
   */
  setPushMode(mode: PushMode): void {
    this.parts.push.setMode(mode);
  }

  /** Breaks every push connection. */
  cutPush(): void {
    this.parts.push.cut();
  }

  /** Returns the number of push connections. */
  pushConnections(): number {
    return this.parts.push.connections;
  }

  /**
   * Pushes a false message that the account's first waiting transaction is accepted.
   * @throws RangeError if no transaction of the account waits
   */
  pushFalsely(sender: bigint): void {
    this.parts.push.pretend(sender);
  }

  // --- stages ---

  /** Moves all transactions or blocks of the preceding stage to the stage `step`. */
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

  /**
   * Moves all blocks up to this number from ACCEPTED_ON_L2 to ACCEPTED_ON_L1. @default the latest
   * block
   */
  acceptOnL1(blockNumber?: number): void {
    this.parts.chain.acceptOnL1(blockNumber);
  }

  /**
   * Includes all executable transactions in a block and closes the block. Does this `blocks` times;
   * a block may be empty. Returns the number of the newest block.
   */
  mine(blocks = 1): number {
    for (let mined = 0; mined < blocks; mined += 1) {
      this.advance('candidate');
      this.advance('pre_confirmed');
      this.advance('accepted_on_l2');
    }
    return this.parts.chain.latest.number;
  }

  /** Stops the timers that advance the chain. Does nothing if the chain has no timers. */
  pause(): void {
    this.parts.cadence?.stop();
  }

  /** Restarts the timers that advance the chain. Does nothing if the chain has no timers. */
  resume(): void {
    this.parts.cadence?.start();
  }

  // --- the world ---

  /**
   * Sets the gas prices of the next block, and of the open block while it is empty. Omitted prices
   * do not change.
   */
  setGasPrices(prices: Partial<GasPrices>): void {
    this.parts.chain.setPrices(prices);
  }

  /** Moves the node's clock by this many milliseconds; a negative number moves it back. */
  moveClock(byMs: number): void {
    this.parts.chain.clock.move(byMs);
    this.parts.chain.notify();
  }

  /** Freezes the node's clock at `atMs`, by default at its current time. */
  freezeClock(atMs?: number): void {
    this.parts.chain.clock.freeze(atMs);
  }

  /** Makes a frozen clock run again. */
  runClock(): void {
    this.parts.chain.clock.run();
  }

  /** Returns the node's time in milliseconds since the Unix epoch. */
  nowMs(): number {
    return this.parts.chain.clock.nowMs();
  }

  /** Mints ERC-20 tokens for an owner. @default token is the fee token */
  mint(owner: bigint, amount: bigint, token: bigint = this.parts.chain.feeToken): void {
    this.parts.chain.mint(token, owner, amount);
  }

  /**
   * Sets a slot of a contract's storage, in the states after all blocks, including past blocks.
   * `key` is the text under which the contract's model stores the value.
   */
  setStorage(address: bigint, key: string, value: bigint): void {
    this.parts.chain.setStorage(address, key, value);
  }

  /** Returns the value of a contract's storage slot at the pre-confirmed state. */
  storage(address: bigint, key: string): bigint {
    return this.parts.chain.open.state.storage(address, key);
  }

  /**
   * Changes the market of a lending pool's asset, in the states after all blocks, including past
   * blocks. @default asset is WBTC
   */
  setLendingMarket(
    pool: bigint,
    changes: LendingChanges,
    asset: bigint = sandboxWorld.tokens.WBTC.address,
  ): void {
    setLendingMarket(this.#storageOf(pool), asset, changes);
  }

  /**
   * Sets the interest on an asset's debt at a lending pool, for the time after the current time.
   * @param rateE18 interest rate per second, where 1e18 is 100 %; 0 for no interest
   */
  setLendingInterest(pool: bigint, asset: bigint, rateE18: bigint): void {
    const nowSeconds = BigInt(Math.floor(this.nowMs() / 1_000));
    setLendingInterest(this.#storageOf(pool), asset, rateE18, nowSeconds);
  }

  /** Changes the privacy pool, in the states after all blocks, including past blocks. */
  setPrivacyPool(changes: PrivacyPoolChanges): void {
    setPrivacyPool(this.#storageOf(sandboxWorld.privacyPool.address), changes);
  }

  /** Changes the behaviour of the hostile contract, in the states after all blocks. */
  setHostile(changes: HostileChanges): void {
    setHostile(this.#storageOf(sandboxWorld.privacyPool.hostile), changes);
  }

  /**
   * Replaces the class of a contract, as an upgrade does. The open block, including all
   * pre-confirmed transactions, is accepted on L2 immediately and is the first one with the class.
   * @throws RangeError if the contract does not exist or the class is not declared
   */
  replaceClass(address: bigint, classHash: bigint): void {
    this.parts.chain.replaceClass(address, classHash);
    this.advance('accepted_on_l2');
  }

  // --- records ---

  counters(): Counters {
    return this.parts.counter.read();
  }

  resetCounters(): void {
    this.parts.counter.reset();
  }

  /**
   * Returns all inclusions of the current chain, oldest first. Inclusions of the pre-confirmed
   * block are last.
   */
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

  /** Returns the transactions in the mempool, oldest first. Candidates are excluded. */
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
      throw new RangeError(
        "the nonce is not the account's next, the account cannot pay, or the facts are invalid",
      );
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

/** Returns all felts that occur as hex text anywhere in a value. */
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
