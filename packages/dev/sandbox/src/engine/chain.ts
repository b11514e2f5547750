import type { AcceptedBlock, BlockHeader } from './block.js';
import type { SandboxClock } from './clock.js';
import type { ExecutionContext } from './execute.js';
import { balanceKey, TOTAL_SUPPLY_KEY, type GasPrices } from './fee.js';
import { poseidonOf, shortStringToFelt } from './felt.js';
import type { Genesis } from './genesis.js';
import type { Mempool } from './mempool.js';
import { OpenBlock } from './open-block.js';
import { History, type StateReader } from './state.js';
import { starknetJsHash, type InvokeTransaction, type Network } from './transaction.js';
import { World } from './world.js';

/** What becomes of the transactions of an undone block. */
export type UndoneTransactions = 'return-to-pool' | 'vanish';

/** A revert that a test has ordered; with a sender it waits for that sender's next transaction. */
export interface ForcedRevert {
  readonly reason: string;
  readonly sender?: bigint | undefined;
}

/**
 * Accepted blocks with their states, the open (pre-confirmed) block and the steps between them.
 * It never moves by itself: a cadence or a test takes each step.
 */
export class Chain implements Network {
  readonly world: World;
  readonly chainId: bigint;
  readonly feeToken: bigint;
  #history = new History();
  readonly #accepted: AcceptedBlock[] = [];
  readonly #blockOf = new Map<bigint, number>();
  readonly #forcedReverts: ForcedRevert[] = [];
  readonly #listeners = new Set<() => void>();
  #open: OpenBlock;
  #l1Height = 0;
  #produced = 0n;

  constructor(
    private readonly genesis: Genesis,
    readonly pool: Mempool,
    readonly clock: SandboxClock,
    private prices: GasPrices,
    readonly hashInvoke: Network['hashInvoke'] = starknetJsHash,
  ) {
    this.world = new World(genesis);
    const chainId = shortStringToFelt(genesis.chainId);
    if (chainId === undefined) throw new Error('the chain id must be a short string');
    this.chainId = chainId;
    this.feeToken = genesis.feeToken;
    for (const { address, storage } of genesis.contracts) {
      for (const [key, value] of Object.entries(storage ?? {}))
        this.#history.write(0, { address, key, value });
    }
    this.#append({ number: 0, timestampSeconds: clock.nowSeconds(), prices }, []);
    this.#open = this.#openBlock();
  }

  /**
   * A second chain with the same accepted blocks and the same clock. What is pre-confirmed or waits
   * is not in it.
   */
  fork(pool: Mempool): Chain {
    const fork = new Chain(this.genesis, pool, this.clock, this.prices, this.hashInvoke);
    fork.#history = this.#history.copy();
    fork.#accepted.splice(0, fork.#accepted.length, ...this.#accepted);
    for (const [hash, number] of this.#blockOf) fork.#blockOf.set(hash, number);
    fork.#l1Height = this.#l1Height;
    fork.#produced = this.#produced;
    fork.#open = fork.#openBlock();
    return fork;
  }

  get latest(): AcceptedBlock {
    return this.accepted(this.#accepted.length - 1);
  }

  get open(): OpenBlock {
    return this.#open;
  }

  /** Number of the newest block that L1 has accepted. */
  get l1Height(): number {
    return this.#l1Height;
  }

  /** @throws RangeError when there is no such block */
  accepted(number: number): AcceptedBlock {
    const block = this.#accepted[number];
    if (block === undefined) throw new RangeError(`no block ${number}`);
    return block;
  }

  /** The accepted block of a transaction, undefined when no accepted block has it. */
  blockNumberOf(transactionHash: bigint): number | undefined {
    return this.#blockOf.get(transactionHash);
  }

  stateAt(number: number): StateReader {
    return this.#history.at(number);
  }

  contextOf({ number, timestampSeconds, prices }: BlockHeader): ExecutionContext {
    return {
      world: this.world,
      feeToken: this.feeToken,
      block: { number, timestampSeconds },
      prices,
    };
  }

  /** Calls `listener` after everything that may give the next step something to do. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * RECEIVED → CANDIDATE for everything that a block could take; the number of transactions that
   * moved.
   */
  pickCandidates(): number {
    const picked = this.executable();
    for (const transaction of picked) {
      this.pool.remove(transaction.hash);
      this.#open.addCandidate(transaction);
    }
    this.notify();
    return picked.length;
  }

  /**
   * What the pool could give to the open block now. An L2 price below the block's waits until
   * prices fall or its lifetime ends.
   */
  executable(): InvokeTransaction[] {
    const { l2Gas } = this.#open.header.prices;
    return this.pool.executable(
      (account) => this.#open.nextNonce(account),
      ({ fields }) => fields.bounds.l2Gas.maxPricePerUnit >= l2Gas,
    );
  }

  /**
   * CANDIDATE → PRE_CONFIRMED: executes the candidates; the number of transactions that were
   * executed.
   */
  executeCandidates(): number {
    const before = this.#open.inclusions.length;
    this.pool.restore(this.#open.executeCandidates());
    this.notify();
    return this.#open.inclusions.length - before;
  }

  /**
   * PRE_CONFIRMED → ACCEPTED_ON_L2: closes the open block, empty or not. Its candidates move on to
   * the next.
   */
  closeBlock(): AcceptedBlock {
    const closing = this.#open;
    closing.state.commit(this.#history, closing.number);
    const block = this.#append(closing.header, closing.inclusions);
    this.#open = this.#openBlock();
    for (const candidate of closing.candidates) this.#open.addCandidate(candidate);
    this.notify();
    return block;
  }

  /** ACCEPTED_ON_L2 → ACCEPTED_ON_L1 for every block up to `number`. */
  acceptOnL1(number: number = this.latest.number): void {
    this.#l1Height = Math.max(this.#l1Height, Math.min(number, this.latest.number));
    this.notify();
  }

  /**
   * Executes a transaction in the open block at once, in place of whatever waits under its nonce.
   * False when it cannot run.
   */
  includeNow(transaction: InvokeTransaction): boolean {
    const { sender, nonce } = transaction.fields;
    const rivals = [...this.pool.all(), ...this.#open.candidates].filter(
      ({ fields }) => fields.sender === sender && fields.nonce === nonce,
    );
    if (!this.#open.include(transaction)) return false;
    for (const { hash } of rivals) if (!this.pool.remove(hash)) this.#open.removeCandidate(hash);
    this.notify();
    return true;
  }

  /** Undoes the open block: state, nonces and fees are as after the latest accepted block. */
  undoOpenBlock(fate: UndoneTransactions): void {
    const undone = transactionsOf(this.#open);
    this.#open = this.#openBlock();
    this.#settle(undone, fate);
  }

  /**
   * Undoes so many of the latest accepted blocks, together with the open one: state, nonces and
   * fees are as after the block below them.
   * @throws RangeError, and nothing happened, when L1 has accepted one of them
   */
  undoBlocks(count: number, fate: UndoneTransactions): void {
    const first = this.latest.number - count + 1;
    // Block 0 always is, so there are as many as are undone.
    if (first <= this.#l1Height)
      throw new RangeError(`block ${Math.max(first, 0)} is accepted on L1`);
    const blocks = this.#accepted.splice(first);
    const included = blocks.flatMap(({ inclusions }) =>
      inclusions.map(({ transaction }) => transaction),
    );
    const undone = [...included, ...transactionsOf(this.#open)];
    this.#history.truncate(first - 1);
    for (const { hash } of included) this.#blockOf.delete(hash);
    this.#open = this.#openBlock();
    this.#settle(undone, fate);
  }

  /**
   * The next block's prices; an open block that is still empty takes them as well. Prices left out
   * stay.
   */
  setPrices(prices: Partial<GasPrices>): void {
    this.prices = { ...this.prices, ...prices };
    this.notify();
  }

  forceRevert(order: ForcedRevert): void {
    this.#forcedReverts.push(order);
  }

  clearForcedReverts(): void {
    this.#forcedReverts.length = 0;
  }

  /** Adds to a token balance in every block, as if the owner had always had that much more. */
  mint(token: bigint, owner: bigint, amount: bigint): void {
    for (const key of [balanceKey(owner), TOTAL_SUPPLY_KEY]) {
      this.#history.adjust(token, key, amount);
      this.#open.state.adjustOwn(token, key, amount);
    }
    this.notify();
  }

  /** Sets a storage slot in every block, as if it had always held this value. */
  setStorage(address: bigint, key: string, value: bigint): void {
    this.#history.override(address, key, value);
    this.#open.state.setStorage(address, key, value);
    this.notify();
  }

  /**
   * Notifies the listeners of a possible change from outside, such as a new transaction in the
   * pool.
   */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #openBlock(): OpenBlock {
    const parent = this.latest;
    return new OpenBlock(parent.number + 1, {
      parentTimestampSeconds: parent.timestampSeconds,
      parentState: this.#history.at(parent.number),
      nowSeconds: () => this.clock.nowSeconds(),
      currentPrices: () => this.prices,
      contextOf: (header) => this.contextOf(header),
      takeForcedRevert: ({ fields }) => this.#takeForcedRevert(fields.sender),
    });
  }

  #append(header: BlockHeader, inclusions: OpenBlock['inclusions']): AcceptedBlock {
    const parentHash = this.#accepted.at(-1)?.hash ?? 0n;
    const hashes = inclusions.map(({ transaction }) => transaction.hash);
    // The running number makes a block that replaces an undone one a different block, as it is on
    // the network.
    this.#produced += 1n;
    const hash = poseidonOf([
      this.#produced,
      BigInt(header.number),
      BigInt(header.timestampSeconds),
      parentHash,
      ...hashes,
    ]);
    const block = { ...header, hash, parentHash, inclusions: [...inclusions] };
    this.#accepted.push(block);
    for (const transactionHash of hashes) this.#blockOf.set(transactionHash, header.number);
    return block;
  }

  #takeForcedRevert(sender: bigint): string | undefined {
    const index = this.#forcedReverts.findIndex(
      (order) => order.sender === undefined || order.sender === sender,
    );
    return index === -1 ? undefined : this.#forcedReverts.splice(index, 1)[0]?.reason;
  }

  #settle(undone: readonly InvokeTransaction[], fate: UndoneTransactions): void {
    if (fate === 'return-to-pool') this.pool.restore(undone);
    this.notify();
  }
}

function transactionsOf({ inclusions, candidates }: OpenBlock): InvokeTransaction[] {
  return [...inclusions.map(({ transaction }) => transaction), ...candidates];
}
