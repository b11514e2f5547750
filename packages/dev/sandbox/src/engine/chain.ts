import type { AcceptedBlock, BlockHeader } from './block.js';
import type { SandboxClock } from './clock.js';
import type { ExecutionContext } from './execute.js';
import { balanceKey, TOTAL_SUPPLY_KEY, type GasPrices } from './fee.js';
import { poseidonOf, shortStringToFelt } from './felt.js';
import type { Genesis } from './genesis.js';
import type { Mempool } from './mempool.js';
import { OpenBlock } from './open-block.js';
import {
  configHashOf,
  DEFAULT_PROOFS,
  findFactsProblem,
  substituteProof,
  type ProofSettings,
} from './proof-facts.js';
import { History, type StateReader } from './state.js';
import {
  starknetJsHash,
  type InvokeFields,
  type InvokeTransaction,
  type Network,
} from './transaction.js';
import { World } from './world.js';

/** Treatment of the transactions of an undone block: they return to the mempool or are deleted. */
export type UndoneTransactions = 'return-to-pool' | 'vanish';

/**
 * Revert that a test has requested. With a sender, it applies to the sender's next transaction;
 * otherwise to the next transaction of any sender.
 */
export interface ForcedRevert {
  readonly reason: string;
  readonly sender?: bigint | undefined;
}

/**
 * Chain of accepted blocks with their states, the open (pre-confirmed) block, and the transitions
 * between stages. The chain does not start transitions: timers or a test start each transition.
 */
export class Chain implements Network {
  readonly world: World;
  readonly chainId: bigint;
  readonly feeToken: bigint;
  readonly #proofs: ProofSettings;
  #configHash: bigint | undefined;
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
    proofs: Partial<ProofSettings> = {},
  ) {
    this.#proofs = { ...DEFAULT_PROOFS, ...proofs };
    this.world = new World(genesis);
    const chainId = shortStringToFelt(genesis.chainId);
    if (chainId === undefined) throw new Error('the chain id must be a short string');
    this.chainId = chainId;
    this.feeToken = genesis.feeToken;
    for (const { address, storage } of genesis.contracts) {
      for (const [key, value] of Object.entries(storage ?? {}))
        this.#history.write(0, { address, key, value });
    }
    this.#l1Height = genesis.emptyBlocks ?? 0;
    for (let number = 0; number <= this.#l1Height; number += 1)
      this.#append({ number, timestampSeconds: clock.nowSeconds(), prices }, []);
    this.#open = this.#openBlock();
  }

  /**
   * Returns a second chain with the same accepted blocks and clock. Pre-confirmed and waiting
   * transactions are not copied.
   */
  fork(pool: Mempool): Chain {
    const fork = new Chain(
      this.genesis,
      pool,
      this.clock,
      this.prices,
      this.hashInvoke,
      this.#proofs,
    );
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

  /** Number of the newest block that is ACCEPTED_ON_L1. */
  get l1Height(): number {
    return this.#l1Height;
  }

  /** Returns an accepted block. @throws RangeError if the block does not exist */
  accepted(number: number): AcceptedBlock {
    const block = this.#accepted[number];
    if (block === undefined) throw new RangeError(`no block ${number}`);
    return block;
  }

  /**
   * Returns the number of the accepted block that contains a transaction; undefined if no accepted
   * block contains it.
   */
  blockNumberOf(transactionHash: bigint): number | undefined {
    return this.#blockOf.get(transactionHash);
  }

  stateAt(number: number): StateReader {
    return this.#history.at(number);
  }

  contextOf({ number, timestampSeconds, prices }: BlockHeader): ExecutionContext {
    return {
      world: this.world,
      chainId: this.chainId,
      feeToken: this.feeToken,
      block: { number, timestampSeconds },
      prices,
    };
  }

  /**
   * Returns true if the node accepts a transaction's proof and proof facts: both are empty, or the
   * next block can include the facts and the proof is their substitute.
   */
  acceptsProof({ proof, proofFacts }: Pick<InvokeFields, 'proof' | 'proofFacts'>): boolean {
    if (this.#proofs.mode === 'none') return true;
    if (proofFacts.length === 0) return proof === '';
    return (
      proof === substituteProof(proofFacts) &&
      this.findFactsProblem(proofFacts, this.#open.number) === undefined
    );
  }

  /**
   * Returns the reason why a block cannot include a transaction with these proof facts; undefined
   * if it can. The function does not check a proof.
   */
  findFactsProblem(proofFacts: readonly bigint[], blockNumber: number): string | undefined {
    if (proofFacts.length === 0) return undefined;
    this.#configHash ??= configHashOf(this.chainId, this.feeToken);
    return findFactsProblem(proofFacts, {
      ...this.#proofs,
      configHash: this.#configHash,
      blockNumber,
      hashOf: (number) => this.#accepted[number]?.hash,
    });
  }

  /**
   * Calls `listener` after every change that may allow a transaction or block to move to the next
   * stage.
   */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Moves all executable transactions from RECEIVED to CANDIDATE. Returns their number. */
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
   * Returns the transactions in the mempool that the open block can include now. If the L2 price of
   * a transaction is below the block's price, the transaction waits until prices fall or its
   * lifetime ends.
   */
  executable(): InvokeTransaction[] {
    const { l2Gas } = this.#open.header.prices;
    return this.pool.executable(
      (account) => this.#open.nextNonce(account),
      ({ fields }) => fields.bounds.l2Gas.maxPricePerUnit >= l2Gas,
    );
  }

  /**
   * Executes the candidates and so moves them from CANDIDATE to PRE_CONFIRMED. Returns the number
   * of executed transactions.
   */
  executeCandidates(): number {
    const before = this.#open.inclusions.length;
    this.pool.restore(this.#open.executeCandidates());
    this.notify();
    return this.#open.inclusions.length - before;
  }

  /**
   * Closes the open block, even if it is empty, and so moves it from PRE_CONFIRMED to
   * ACCEPTED_ON_L2. Remaining candidates move to the next block.
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

  /** Moves every block up to `number` from ACCEPTED_ON_L2 to ACCEPTED_ON_L1. */
  acceptOnL1(number: number = this.latest.number): void {
    this.#l1Height = Math.max(this.#l1Height, Math.min(number, this.latest.number));
    this.notify();
  }

  /**
   * Executes a transaction in the open block immediately and removes any waiting transaction with
   * its nonce. Returns false if the transaction cannot be executed.
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

  /** Undoes the open block and restores state, nonces and fees of the latest accepted block. */
  undoOpenBlock(fate: UndoneTransactions): void {
    const undone = transactionsOf(this.#open);
    this.#open = this.#openBlock();
    this.#settle(undone, fate);
  }

  /**
   * Undoes the latest `count` accepted blocks and the open block. State, nonces and fees are then
   * the ones after the newest remaining block.
   * @throws RangeError if one of these blocks is ACCEPTED_ON_L1; then no block is undone
   */
  undoBlocks(count: number, fate: UndoneTransactions): void {
    const first = this.latest.number - count + 1;
    // Block 0 is always ACCEPTED_ON_L1, so this check also covers a `count` above the number of
    // blocks.
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
   * Sets the gas prices of the next block, and of the open block if it is empty. Omitted prices do
   * not change.
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

  /**
   * Adds `amount` to a token balance in the states after all blocks, as if the owner had always had
   * this amount.
   */
  mint(token: bigint, owner: bigint, amount: bigint): void {
    for (const key of [balanceKey(owner), TOTAL_SUPPLY_KEY]) {
      this.#history.adjust(token, key, amount);
      this.#open.state.adjustOwn(token, key, amount);
    }
    this.notify();
  }

  /**
   * Sets a storage slot in the states after all blocks, as if the slot had always had this value.
   */
  setStorage(address: bigint, key: string, value: bigint): void {
    this.#history.override(address, key, value);
    this.#open.state.setStorage(address, key, value);
    this.notify();
  }

  /**
   * Replaces the class of a contract in the open block and later ones.
   * @throws RangeError if the contract does not exist or the class is not declared
   */
  replaceClass(address: bigint, classHash: bigint): void {
    if (this.world.contractAt(address) === undefined) throw new RangeError('no such contract');
    if (this.world.declared(classHash) === undefined)
      throw new RangeError('the class is not declared');
    this.#open.state.replaceClass(address, classHash);
    this.notify();
  }

  /**
   * Notifies the listeners of a change outside the chain, such as a new transaction in the mempool.
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
      acceptsFacts: (facts, number) => this.findFactsProblem(facts, number) === undefined,
      takeForcedRevert: ({ fields }) => this.#takeForcedRevert(fields.sender),
    });
  }

  #append(header: BlockHeader, inclusions: OpenBlock['inclusions']): AcceptedBlock {
    const parentHash = this.#accepted.at(-1)?.hash ?? 0n;
    const hashes = inclusions.map(({ transaction }) => transaction.hash);
    // The hash includes the number of blocks produced so far. So a block that replaces an undone
    // block has a different hash, as on the network.
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
