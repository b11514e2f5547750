import { WalletError } from '../errors.js';
import { feltOf, toHex, type FeltInput } from '../fields.js';
import type { BlockHeader, ChainEvent, NodeReader } from '../node/node-reader.js';
import { SharedRun } from '../shared-run.js';
import type { WalletStorage } from '../storage.js';
import { storageInTime } from '../storage/storage-in-time.js';
import type { MerklePath } from './merkle-tree.js';
import { NOTHING_READ, historyFrom, historyText, type PoolHistory } from './pool-history.js';
import {
  MAX_POOL_EVENTS,
  POOL_EVENTS,
  poolStateOf,
  u256Of,
  u32,
  type LeafValue,
  type PoolState,
} from './pool-state.js';
import type { Batch, Payment, Place, PoolView } from './pool-view.js';

export interface ShieldedPoolOptions {
  readonly node: NodeReader;
  /** Address of the pool's contract. */
  readonly address: FeltInput;
  /** Kind of pool. @default 'shielded' */
  readonly kind?: PoolView['kind'];
  /**
   * Storage for the events that were read. After a page reload, only events that are not in this
   * storage are read.
   */
  readonly cache?: WalletStorage;
  /**
   * Expected chain id. If the node has a different chain, the pool is not opened. @default any
   * chain
   */
  readonly chainId?: FeltInput;
  /**
   * ERC-20 token of the deposits, from the network's profile. The token can't be read from the
   * chain, because no view of the pool's contract returns it.
   */
  readonly token?: FeltInput;
  /**
   * Number of the block in which the pool was deployed. @default 0, which makes the node scan more
   * blocks
   */
  readonly fromBlock?: number;
  readonly signal?: AbortSignal;
}

const ATTEMPTS = 3;
const MAX_CHECKPOINTS = 8;
/**
 * Maximum number of blocks between two writes of the cache. The cache is also written when new
 * events were read.
 */
const CACHE_EVERY_BLOCKS = 1_000;

/**
 * Pool reconstructed from its public events, up to the latest block read. All events of the pool
 * are read and searched locally, so no node request contains a note.
 */
export class ShieldedPool implements PoolView {
  readonly chainId: string;
  readonly address: string;
  readonly kind: PoolView['kind'];
  /**
   * Address of the ERC-20 token as 0x hex; undefined if the caller did not pass it, and for a swap
   * pool.
   */
  readonly token: string | undefined;
  readonly #options: ShieldedPoolOptions;
  readonly #reading = new SharedRun((signal) => this.#read(signal));
  #history: PoolHistory | undefined;
  /** State of the pool, which is replaced only after a new state was compared with the contract. */
  #state = poolStateOf([]);
  #denomination: bigint | undefined;
  #blockTimeMs: number | undefined;
  #cached = { text: undefined as string | undefined, upTo: -1, events: 0 };

  private constructor(options: ShieldedPoolOptions, chainId: string) {
    const { cache } = options;
    this.#options = cache === undefined ? options : { ...options, cache: storageInTime(cache) };
    this.chainId = chainId;
    this.address = toHex(feltOf(options.address, 'the pool'));
    this.kind = options.kind ?? 'shielded';
    this.token =
      options.token === undefined ? undefined : toHex(feltOf(options.token, 'the token'));
  }

  /**
   * Opens a pool and reads it up to the latest block.
   * @throws WalletError CHAIN_MISMATCH if the node's chain is not `chainId`; also the errors of
   *   {@link refresh}
   */
  static async open(options: ShieldedPoolOptions): Promise<ShieldedPool> {
    const chainId = toHex(feltOf(await options.node.chainId(options.signal), 'the chain id'));
    const { chainId: wanted = chainId } = options;
    if (toHex(feltOf(wanted, 'the chain id')) !== chainId)
      throw new WalletError('CHAIN_MISMATCH', `the node is of the chain ${chainId}`);
    const pool = new ShieldedPool(options, chainId);
    await pool.refresh(options.signal);
    return pool;
  }

  /** Node that the pool is read from. */
  get node(): NodeReader {
    return this.#options.node;
  }

  /** Last block read. */
  get block(): Pick<BlockHeader, 'number' | 'hash'> | undefined {
    return this.#history?.checkpoints[0];
  }

  get blockTimeMs(): number | undefined {
    return this.#blockTimeMs;
  }

  /** Commitments by leaf index. */
  get leaves(): readonly bigint[] {
    return this.#state.leaves;
  }

  /** Batches, oldest first. The size of a batch is the anonymity set of its withdrawals. */
  get batches(): readonly Batch[] {
    return this.#state.batches;
  }

  /** Number of deposits that wait for a batch. */
  get waiting(): number {
    return this.#state.leaves.length - this.#state.deployedLeaves;
  }

  /** Value of each note, in the ERC-20 token's smallest unit; undefined for a swap pool. */
  get denomination(): bigint | undefined {
    return this.#denomination;
  }

  /**
   * Returns ERC-20 token and amount of a leaf's deposit. In a shielded pool, the share of yield is
   * not included in this amount.
   * @returns undefined if the pool has no such leaf
   */
  valueOf(leafIndex: number): LeafValue | undefined {
    if (this.#state.leaves[leafIndex] === undefined) return undefined;
    const amount = this.#denomination;
    return (
      this.#state.values[leafIndex] ??
      (amount === undefined ? undefined : { token: this.token, amount })
    );
  }

  /**
   * Reads the events that are new since the last call. Concurrent calls share one read. If the read
   * fails, the known state does not change.
   * @throws WalletError as {@link NodeReader}; EVENTS_INCOMPLETE if the node's events do not match
   *   the state of the contract, in which case a different node is needed
   */
  async refresh(signal?: AbortSignal): Promise<void> {
    await this.#reading.run(signal);
  }

  placeOf(commitment: bigint): Place | undefined {
    const leafIndex = this.#state.leafIndices.get(commitment);
    if (leafIndex === undefined) return undefined;
    const batch = this.#state.batches.find(
      ({ start, size }) => leafIndex >= start && leafIndex < start + size,
    );
    const { timesMs, depositHashes } = this.#state;
    const transactionHash = depositHashes[leafIndex];
    return {
      leafIndex,
      batch,
      depositedAtMs: timesMs[leafIndex],
      ...(transactionHash === undefined ? {} : { transactionHash }),
    };
  }

  /** @throws WalletError LEAF_INDEX_OUT_OF_RANGE if the pool has no such leaf */
  path(leafIndex: number): MerklePath {
    return this.#state.tree.path(leafIndex);
  }

  spentBy(nullifierHash: bigint): string | undefined {
    return this.#state.spendings.get(nullifierHash)?.transactionHash;
  }

  recipientOf(nullifierHash: bigint): bigint | undefined {
    return this.#state.spendings.get(nullifierHash)?.recipient;
  }

  paymentOf(nullifierHash: bigint): Payment | undefined {
    return this.#state.spendings.get(nullifierHash)?.payment;
  }

  async #read(signal: AbortSignal): Promise<void> {
    let known = this.#history ?? (await this.#fromCache());
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const head = await this.#options.node.block('latest', signal);
      if (head === undefined)
        throw new WalletError('NODE_MALFORMED_ANSWER', 'the node shows a chain without blocks');
      if (this.#history?.checkpoints[0]?.hash === head.hash) return;
      try {
        const history = await this.#upTo(head, known, signal);
        const state = poolStateOf(history.events, this.#state);
        await this.#compare(state, head, signal);
        this.#state = state;
        this.#history = history;
        this.#blockTimeMs = head.timestamp * 1_000;
        await this.#keep(history);
        return;
      } catch (error) {
        const code = error instanceof WalletError ? error.code : undefined;
        const isWrong = code === 'EVENTS_INCOMPLETE' || code === 'NODE_MALFORMED_ANSWER';
        // The cached events may be wrong, so all events are read again.
        if (isWrong && known !== NOTHING_READ) known = NOTHING_READ;
        else if (code !== 'BLOCK_UNKNOWN') throw error;
      }
    }
    throw new WalletError('NODE_UNREACHABLE', 'the chain changed each time while it was read');
  }

  /**
   * Reads the events that follow the known events, and appends them. @throws WalletError
   * BLOCK_UNKNOWN after a reorg
   */
  async #upTo(head: BlockHeader, known: PoolHistory, signal: AbortSignal): Promise<PoolHistory> {
    const { node, fromBlock = 0 } = this.#options;
    const { checkpoints, events } = await this.#stillTrue(known, signal);
    const first = (checkpoints[0]?.number ?? fromBlock - 1) + 1;
    const added: ChainEvent[] = [];
    if (first <= head.number) {
      const query = {
        contract: this.address,
        names: POOL_EVENTS[this.kind],
        fromBlock: first,
        toBlock: head.number,
      };
      for await (const page of node.events(query, signal)) {
        added.push(...page);
        if (events.length + added.length > MAX_POOL_EVENTS)
          throw new WalletError('NODE_MALFORMED_ANSWER', 'a pool cannot have this many events');
      }
    }
    // Events are requested by block number. So they belong to the chain of `head` only if `head` is
    // still in the chain.
    if ((await node.block(head.number, signal))?.hash !== head.hash)
      throw new WalletError('BLOCK_UNKNOWN', 'the chain was reorganised');
    return {
      checkpoints: [{ number: head.number, hash: head.hash }, ...checkpoints].slice(
        0,
        MAX_CHECKPOINTS,
      ),
      events: [...events, ...added],
    };
  }

  /** Drops the events that follow the newest checkpoint that is still in the chain. */
  async #stillTrue(
    { checkpoints, events }: PoolHistory,
    signal: AbortSignal,
  ): Promise<PoolHistory> {
    for (const [index, { number, hash }] of checkpoints.entries()) {
      if ((await this.#options.node.block(number, signal))?.hash === hash)
        return {
          checkpoints: checkpoints.slice(index),
          events: events.filter(({ blockNumber }) => blockNumber <= number),
        };
    }
    return NOTHING_READ;
  }

  /** @throws WalletError EVENTS_INCOMPLETE unless state and contract agree at this block */
  async #compare(state: PoolState, { hash }: BlockHeader, signal: AbortSignal): Promise<void> {
    const view = (entrypoint: string) =>
      this.#options.node.call({ contract: this.address, entrypoint, blockHash: hash }, signal);
    const isShielded = this.kind === 'shielded';
    const [nextIndex, root, active, undeployed = 0, denomination] = await Promise.all([
      view('get_next_index').then(onlyU32),
      view('get_last_root').then(onlyU256),
      view('active_deposits').then(onlyU32),
      isShielded ? view('undeployed_count').then(onlyU32) : undefined,
      isShielded ? (this.#denomination ?? view('denomination').then(onlyU256)) : undefined,
    ]);
    const { leaves, deployedLeaves, withdrawals, tree } = state;
    const compared: readonly (readonly [what: string, read: number, known: number])[] = [
      ['leaves', leaves.length, nextIndex],
      ['leaves in batches', deployedLeaves, nextIndex - undeployed],
      ['withdrawals', withdrawals, nextIndex - undeployed - active],
    ];
    for (const [what, read, real] of compared) {
      if (read !== real)
        throw new WalletError('EVENTS_INCOMPLETE', `the events name ${read} of ${real} ${what}`);
    }
    // A pool may have no root before its first leaf.
    if (leaves.length > 0 && tree.root !== root)
      throw new WalletError('EVENTS_INCOMPLETE', 'the leaves lead to another root than the pool’s');
    this.#denomination = denomination;
  }

  async #fromCache(): Promise<PoolHistory> {
    const { cache } = this.#options;
    const text = await cache?.read(this.#cacheKey()).catch(() => undefined);
    const history = historyFrom(text);
    this.#noteCached(text, history);
    return history;
  }

  /**
   * Writes the cache. If the write fails, the only effect is that the events are read again after
   * the next reload.
   */
  async #keep(history: PoolHistory): Promise<void> {
    const { cache } = this.#options;
    const { text, upTo, events } = this.#cached;
    const head = history.checkpoints[0]?.number ?? 0;
    if (
      cache === undefined ||
      (events === history.events.length && head - upTo < CACHE_EVERY_BLOCKS && head >= upTo)
    )
      return;
    const next = historyText(history);
    try {
      const isWritten = await cache.replace(this.#cacheKey(), text, next);
      // If the write was rejected, a second tab has written the cache. The next write replaces that
      // text.
      this.#noteCached(isWritten ? next : await cache.read(this.#cacheKey()), history);
    } catch {
      // Retried with the next events.
    }
  }

  #noteCached(text: string | undefined, { checkpoints, events }: PoolHistory): void {
    this.#cached = { text, upTo: checkpoints[0]?.number ?? -1, events: events.length };
  }

  #cacheKey(): string {
    return `sotto/pool/${this.chainId}/${this.address}/${this.kind}`;
  }
}

function onlyU32(felts: readonly bigint[]): number {
  return felts.length === 1 ? u32(felts[0]) : u32(undefined);
}

function onlyU256(felts: readonly bigint[]): bigint {
  return felts.length === 2 ? u256Of(felts) : u256Of([]);
}
