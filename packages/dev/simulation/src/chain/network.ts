import type { Felt } from '@sotto/kernel';
import type { SendAnswer } from '@sotto/submission-core';
import type { Random, Streams } from '../random.js';
import type { Scheduler } from '../scheduler.js';
import type { Block, Chain, Inclusion } from './chain.js';
import type { Mempool } from './mempool.js';
import { Replica } from './replica.js';
import { decoded, foreignTx, isForeign, type Tx } from './transaction.js';

/** Outcome of one request that sends a transaction. */
export type SendFate =
  'answered' | 'lost' | 'answer lost' | 'arrives later' | 'refused' | 'refused and kept';

export interface NetworkOptions {
  readonly replicas: number;
  readonly blockMs: number;
  /** Delay in ms from the time when a block is closed to its acceptance on L1. */
  readonly l1DelayMs: number;
  /**
   * Probability that the sequencer includes a waiting transaction, each time it adds transactions
   * to the open block.
   */
  readonly inclusion: number;
  /**
   * Probability of a rollback soon after an unplanned event: a revert, a no-op or a foreign
   * transaction. The rollback undoes the block of this event.
   */
  readonly aimedRollback: number;
  /**
   * Probability of a changed outcome after a rollback. With a changed outcome, a transaction that
   * had not landed because another transaction consumed its nonce now arrives first.
   */
  readonly rivals?: number;
}

/** Receives events of the chain before the service can read them. */
export interface ChainWatcher {
  closed(block: Block): void;
  preConfirmed(inclusions: readonly Inclusion[]): void;
  rolledBack(undone: readonly Inclusion[]): void;
  /** Called when blocks are undone although L1 had accepted them. */
  l1Undone(undone: readonly Inclusion[]): void;
  vanished(inclusions: readonly Inclusion[]): void;
  happened(text: () => string): void;
}

/** Maximum delay until a replica without lag shows a new block, in ms. */
const SPREAD_MS = 300;
const TIMED_OUT: SendAnswer = { kind: 'unclear', code: 'TIMED_OUT' };
const REJECTIONS = [
  { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'account' },
  { kind: 'refused', code: 'CALL_NOT_TAKEN', cause: 'call' },
  { kind: 'refused', code: 'FEE_BELOW_MINIMUM', cause: 'price' },
  { kind: 'refused', code: 'INSUFFICIENT_ACCOUNT_BALANCE', cause: 'funds' },
] as const satisfies readonly SendAnswer[];

/**
 * Sequencer and nodes in virtual time. The network stores a copy of every sent transaction that was
 * not rejected. A copy may arrive at the sequencer at any later time.
 */
export class Network {
  readonly replicas: readonly Replica[];
  /** Sent transactions that were not rejected, by hash. */
  readonly copies = new Map<Felt, Tx>();
  readonly #forgotten = new Set<Felt>();
  isFair = false;
  #foreigners = 0;
  readonly #random: Random;
  readonly #choice: Random;

  constructor(
    readonly chain: Chain,
    readonly pool: Mempool,
    private readonly scheduler: Scheduler,
    private readonly streams: Streams,
    private readonly watcher: ChainWatcher,
    private readonly options: NetworkOptions,
  ) {
    this.replicas = Array.from(
      { length: options.replicas },
      (_, place) => new Replica(chain, `node-${place}`),
    );
    this.#random = streams.of('sequencer');
    this.#choice = streams.of('node choice');
  }

  start(): void {
    const { blockMs } = this.options;
    const round = (): void => {
      const periodMs = this.isFair ? blockMs : blockMs * this.#random.between(0.5, 1.5);
      this.scheduler.after(periodMs * 0.4, () => this.preConfirm());
      this.scheduler.after(periodMs * 0.8, () => this.preConfirm());
      this.scheduler.after(periodMs, () => {
        this.#close();
        round();
      });
    };
    round();
  }

  preConfirm(): void {
    const executed = this.pool.build(
      () => this.isFair || this.#random.chance(this.options.inclusion),
    );
    if (executed.length > 0) this.watcher.preConfirmed(this.chain.preConfirmed);
  }

  /**
   * Returns a node for the next send. If there are several nodes, it differs from the node of the
   * last send.
   */
  nodeFor(last: string | null): string {
    const others = this.replicas.filter(({ name }) => name !== last);
    const { name } = this.#choice.pick(others.length === 0 ? this.replicas : others);
    return name;
  }

  named(name: string): Replica {
    const node = this.replicas.find((replica) => replica.name === name);
    if (node === undefined) throw new Error(`there is no ${name}`);
    return node;
  }

  send(bytes: Uint8Array, name: string, fate: SendFate, random: Random): SendAnswer {
    const tx = decoded(bytes);
    const node = this.named(name);
    if (node.isDown) return TIMED_OUT;
    switch (fate) {
      case 'answered':
        return this.#deliver(tx, node);
      case 'lost':
        return TIMED_OUT;
      case 'answer lost':
        this.#deliver(tx, node);
        return TIMED_OUT;
      case 'arrives later':
        this.copies.set(tx.hash, tx);
        this.#arrivesAfter(tx, random.between(200, 90_000));
        return TIMED_OUT;
      case 'refused':
        return random.pick(REJECTIONS);
      case 'refused and kept':
        this.copies.set(tx.hash, tx);
        this.#arrivesAfter(tx, random.between(200, 90_000));
        return random.pick(REJECTIONS);
    }
  }

  /**
   * Delivers a copy of a transaction to the sequencer, like a node that has kept the transaction.
   */
  arrive(tx: Tx): void {
    if (tx.nonce < this.chain.account(tx.account).nonce || this.#forgotten.has(tx.hash)) return;
    const isIn = !this.pool.has(tx) && this.pool.add(tx).kind === 'taken';
    if (isIn) this.watcher.happened(() => `a copy of ${nameOf(tx)} arrives`);
  }

  /** Removes these transactions from every node and mempool, because they are too old to land. */
  forget(hashes: ReadonlySet<Felt>): void {
    for (const hash of hashes) {
      const tx = this.copies.get(hash);
      if (tx !== undefined) this.pool.drop(tx);
      this.copies.delete(hash);
      this.#forgotten.add(hash);
    }
  }

  /** Returns the copies that no mempool contains and whose nonce the chain has not consumed. */
  copiesAround(): Tx[] {
    return [...this.copies.values()].filter(
      (tx) => tx.nonce >= this.chain.account(tx.account).nonce && !this.pool.has(tx),
    );
  }

  /**
   * Sends a transaction that another program signs with a lane's key. The next block contains it.
   */
  foreign(account: Felt): void {
    this.#foreigners += 1;
    const tx = foreignTx(
      account,
      this.chain.account(account).nonce,
      this.chain.l2PriceFri * 3n,
      this.#foreigners,
    );
    if (typeof this.chain.execute(tx) === 'string') return;
    this.copies.set(tx.hash, tx);
    this.watcher.happened(() => `something else uses the key: ${nameOf(tx)}`);
  }

  /**
   * Undoes the newest blocks. @param isLate true if the undone transactions do not return to the
   * mempool immediately but later
   */
  rollBack(depth: number, isLate = false): void {
    const undone = this.chain.rollBack(depth);
    if (undone === null) return;
    this.watcher.rolledBack(undone);
    if (isLate) {
      for (const { tx } of undone) {
        this.copies.set(tx.hash, tx);
        this.#arrivesAfter(tx, this.#random.between(4_000, 35_000));
      }
    } else this.#scatter(undone);
    this.#spread();
  }

  /** Undoes `blocks` blocks that L1 had accepted, and all newer blocks. */
  undoL1(blocks: number): void {
    const { l1Height, head } = this.chain;
    if (l1Height === 0) return;
    const wereFinal = this.chain.blocks.slice(0, l1Height + 1);
    const undone = this.chain.rollBack(head.number - l1Height + blocks, true);
    if (undone === null) return;
    const lost = wereFinal.filter((block) => this.chain.blocks[block.number] !== block);
    this.watcher.l1Undone(lost.flatMap(({ inclusions }) => inclusions));
    this.watcher.rolledBack(undone);
    this.#scatter(undone);
    this.#spread();
  }

  /**
   * Replaces the newest blocks immediately at the same heights. Some replicas show the replaced
   * blocks for `mixedMs` longer. So different requests to one URL are answered from two versions of
   * the chain.
   * @param isGone true to remove the undone transactions from every mempool
   */
  replaceBlocks(depth: number, mixedMs: number, isGone: boolean): void {
    const random = this.streams.of('mixed views');
    const before = this.chain.head.number;
    const undone = this.chain.rollBack(depth);
    if (undone === null) return;
    const held = this.replicas.filter(() => random.chance(0.5));
    for (const replica of held) replica.hold();
    this.watcher.rolledBack(undone);
    if (isGone) {
      for (const { tx } of undone) {
        this.pool.drop(tx);
        this.copies.delete(tx.hash);
      }
    } else this.#scatter(undone);
    while (this.chain.head.number < before) this.watcher.closed(this.chain.close());
    for (const replica of this.replicas) replica.follow(this.chain);
    this.scheduler.after(mixedMs, () => {
      for (const replica of held) replica.release(this.chain);
    });
  }

  dropPreConfirmed(): void {
    const dropped = this.chain.dropPreConfirmed();
    if (dropped.length === 0) return;
    this.watcher.vanished(dropped);
    this.#scatter(dropped);
  }

  /**
   * Returns each transaction to the mempool, immediately or later. Some transactions return only
   * when a process sends them again.
   */
  #scatter(inclusions: readonly Inclusion[]): void {
    for (const { tx } of inclusions) {
      this.copies.set(tx.hash, tx);
      const isLate = this.#rivalComes(tx);
      const dice = this.#random.next();
      if (dice < 0.4 && !isLate) this.arrive(tx);
      else if (dice < 0.7) this.#arrivesAfter(tx, this.#random.between(500, 40_000));
    }
  }

  /**
   * With some probability, delivers another transaction with the same nonce first. Returns true if
   * this other transaction is then in the mempool.
   */
  #rivalComes({ hash, account, nonce }: Tx): boolean {
    if (!this.streams.of('rivals').chance(this.options.rivals ?? 0)) return false;
    const rival = [...this.copies.values()].find(
      (other) => other.account === account && other.nonce === nonce && other.hash !== hash,
    );
    if (rival !== undefined) this.arrive(rival);
    return rival !== undefined && this.pool.has(rival);
  }

  #arrivesAfter(tx: Tx, ms: number): void {
    this.scheduler.after(ms, () => this.arrive(tx));
  }

  #deliver(tx: Tx, receiver: Replica): SendAnswer {
    const answer = this.pool.add(tx);
    if (answer.kind !== 'taken') return answer;
    this.copies.set(tx.hash, tx);
    receiver.known.add(tx.hash);
    for (const replica of this.replicas) {
      if (replica !== receiver && this.#random.chance(0.6)) {
        this.scheduler.after(
          this.#random.between(50, 3_000),
          () => void replica.known.add(tx.hash),
        );
      }
    }
    return answer;
  }

  #close(): void {
    this.preConfirm();
    const block = this.chain.close();
    this.chain.provenUpTo(block.timestampMs - this.options.l1DelayMs);
    this.watcher.closed(block);
    this.#spread();
    this.#aim(block);
  }

  #aim({ inclusions, number }: Block): void {
    const isOdd = inclusions.some(
      ({ tx, execution }) => execution === 'REVERTED' || tx.call === null,
    );
    const random = this.streams.of('aimed rollbacks');
    if (!isOdd || !random.chance(this.options.aimedRollback)) return;
    const { blockMs, l1DelayMs } = this.options;
    this.#scheduleRollback(
      number,
      random.between(0.5, Math.min(5, (0.8 * l1DelayMs) / blockMs)) * blockMs,
    );
  }

  #scheduleRollback(number: number, afterMs: number): void {
    this.scheduler.after(afterMs, () => {
      if (!this.isFair) this.rollBack(this.chain.head.number - number + 1);
    });
  }

  #spread(): void {
    for (const [index, replica] of this.replicas.entries()) {
      const lagMs = this.isFair ? 100 : replica.lagMs;
      const random = this.streams.of(`replica ${index}`);
      this.scheduler.after(random.between(0, SPREAD_MS) + lagMs * random.next(), () =>
        replica.follow(this.chain),
      );
    }
  }
}

export function nameOf(tx: Tx): string {
  const { hash, account, nonce, call } = tx;
  const what = isForeign(tx)
    ? 'foreign'
    : call === null
      ? 'no-op'
      : `call of K${call.key} (request ${call.serial})`;
  return `${what} ${hash} at ${account}/${nonce}`;
}
