import { WalletError } from '../errors.js';
import { feltOf, toHex, type FeltInput } from '../fields.js';
import type { BlockHeader, ChainEvent, NodeReader } from '../node/node-reader.js';
import { SharedRun } from '../shared-run.js';
import type { WalletStorage } from '../storage.js';
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
import type { Batch, Place, PoolView } from './pool-view.js';

export interface ShieldedPoolOptions {
  readonly node: NodeReader;
  /** The pool's contract. */
  readonly address: FeltInput;
  /** @default 'shielded' */
  readonly kind?: PoolView['kind'];
  /** Where what was read is kept, so that the next page load reads only what is new. */
  readonly cache?: WalletStorage;
  /** The chain that the wallet means; a node of another one is refused. @default any */
  readonly chainId?: FeltInput;
  /** The token that is deposited: pools have no view of it. From the network's profile. */
  readonly token?: FeltInput;
  /** Height at which the pool was deployed. @default 0, which has the node look through more */
  readonly fromBlock?: number;
  readonly signal?: AbortSignal;
}

const ATTEMPTS = 3;
const MAX_CHECKPOINTS = 8;
/** The cache is written for new events, else each so many blocks. */
const CACHE_EVERY_BLOCKS = 1_000;

/**
 * A pool as its public events show it, at the latest block that was read. All events of the pool
 * are read, and matched here: no question to the node names a note.
 */
export class ShieldedPool implements PoolView {
  readonly chainId: string;
  readonly address: string;
  readonly kind: PoolView['kind'];
  /** 0x hex; undefined where the caller has not said it, and for a swap pool. */
  readonly token: string | undefined;
  readonly #options: ShieldedPoolOptions;
  readonly #reading = new SharedRun((signal) => this.#read(signal));
  #history: PoolHistory | undefined;
  /** Replaced as a whole, once it agrees with the chain. */
  #state = poolStateOf([]);
  #denomination: bigint | undefined;
  #cached = { text: undefined as string | undefined, upTo: -1, events: 0 };

  private constructor(options: ShieldedPoolOptions, chainId: string) {
    this.#options = options;
    this.chainId = chainId;
    this.address = toHex(feltOf(options.address, 'the pool'));
    this.kind = options.kind ?? 'shielded';
    this.token =
      options.token === undefined ? undefined : toHex(feltOf(options.token, 'the token'));
  }

  /**
   * Reads a pool up to the latest block.
   * @throws WalletError CHAIN_MISMATCH: the node is of another chain than `chainId`; and as
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

  /** The block up to which the pool is known. */
  get block(): Pick<BlockHeader, 'number' | 'hash'> | undefined {
    return this.#history?.checkpoints[0];
  }

  /** Commitments by leaf index. */
  get leaves(): readonly bigint[] {
    return this.#state.leaves;
  }

  /** Oldest first. A withdrawal is one of its batch: the size is the crowd that it hides in. */
  get batches(): readonly Batch[] {
    return this.#state.batches;
  }

  /** How many deposits wait for a batch. */
  get waiting(): number {
    return this.#state.leaves.length - this.#state.deployedLeaves;
  }

  /** What each note is worth, in the token's smallest unit; undefined for a swap pool. */
  get denomination(): bigint | undefined {
    return this.#denomination;
  }

  /**
   * What a leaf was deposited with. A shielded pool's share of yield comes on top.
   * @returns undefined where there is no such leaf
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
   * Reads what has happened since; calls at the same time share one reading. What was read stays
   * as it was when it fails.
   * @throws WalletError as {@link NodeReader}; EVENTS_INCOMPLETE: what the node shows of the pool
   *   does not add up to the state of its contract, so that another node is needed
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
    return { leafIndex, batch };
  }

  /** @throws WalletError LEAF_INDEX_OUT_OF_RANGE when there is no such leaf */
  path(leafIndex: number): MerklePath {
    return this.#state.tree.path(leafIndex);
  }

  spentBy(nullifierHash: bigint): string | undefined {
    return this.#state.spendings.get(nullifierHash)?.transactionHash;
  }

  recipientOf(nullifierHash: bigint): bigint | undefined {
    return this.#state.spendings.get(nullifierHash)?.recipient;
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
        await this.#keep(history);
        return;
      } catch (error) {
        const code = error instanceof WalletError ? error.code : undefined;
        const isWrong = code === 'EVENTS_INCOMPLETE' || code === 'NODE_MALFORMED_ANSWER';
        // What was read before may be what is wrong.
        if (isWrong && known !== NOTHING_READ) known = NOTHING_READ;
        else if (code !== 'BLOCK_UNKNOWN') throw error;
      }
    }
    throw new WalletError('NODE_UNREACHABLE', 'the chain changed each time while it was read');
  }

  /** What is known, and the events after it. @throws WalletError BLOCK_UNKNOWN after a reorg */
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
          throw new WalletError('NODE_MALFORMED_ANSWER', 'a pool cannot have so many events');
      }
    }
    // Events were asked for by height: they are those of `head` only if it still is in the chain.
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

  /** What was read up to the newest checkpoint that the chain still has. */
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
    // A pool need not have a root before its first leaf.
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

  /** A cache that can't be written costs reading again, and nothing else. */
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
      // Else another tab has written: what it wrote is replaced the next time.
      this.#noteCached(isWritten ? next : await cache.read(this.#cacheKey()), history);
    } catch {
      // Tried again with the next events.
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
