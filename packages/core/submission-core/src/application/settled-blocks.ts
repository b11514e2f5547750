import type { Felt } from '@sotto/kernel';
import type { BlockRef, NonceRow, Settlement } from '../domain/rows.js';
import type { ChainHead } from '../ports/chain.port.js';
import type { LaneContext } from './lane-context.js';

/** Rows looked at for one look, from either end; the others follow with the next. */
const BATCH = 200;
const MAX_VERIFIED = 10_000;
/**
 * Made final in one look, each by a write of its own: L1 accepts hours of blocks at once. It is far
 * more than a lane settles in that time.
 */
const MAX_FINALIZED = 50;

interface Known {
  readonly anchor: BlockRef | null;
  readonly verified: ReadonlySet<string>;
}
const NOTHING: Known = { anchor: null, verified: new Set() };

/** Rows that were all compared: read again, they are the same until the lane is written to. */
interface Compared {
  readonly fence: bigint | null;
  readonly writes: number;
  /** The first that will be final. */
  readonly oldest: NonceRow;
}

/**
 * U and F: compares the blocks that settled a lane's nonces with the node's chain until they are
 * final. What was compared once holds for as long as the head of that time (the anchor) is on the
 * chain, because a block names its parent: usually one block is asked for.
 */
export class SettledBlocks {
  #known: Known = NOTHING;
  #compared: Compared | null = null;
  #followedAtMs: number | null = null;

  constructor(private readonly lane: LaneContext) {}

  /**
   * What a send, or a message of the node, brings a look forward for is in flight: what is settled
   * is followed at the interval of the settings, since it is hundreds of rows for a lane.
   */
  async follow(head: ChainHead): Promise<void> {
    const nowMs = this.lane.deps.clock.monotonicMs();
    const { pollIntervalMs } = this.lane.settings;
    if (this.#followedAtMs !== null && nowMs - this.#followedAtMs < pollIntervalMs) return;
    await this.#follow(head);
    this.#followedAtMs = nowMs;
  }

  async #follow(head: ChainHead): Promise<void> {
    const { ledger } = this.lane.deps;
    const before = this.#known;
    const { writes } = this.lane;
    const { fence } = this.lane.lease;
    const stood = this.#isCompared(head) ? await this.#anchorStands(before, head) : null;
    if (stood === true) {
      if (this.#known === before) this.#known = { ...before, anchor: anchorOf(head) };
      return;
    }
    this.#compared = null;
    const newest = await ledger.unfinalNonces(this.lane.address, 'newest', BATCH);
    if (newest.length === 0) return;
    const stands = stood ?? (await this.#anchorStands(before, head));
    const verified = new Set(stands ? before.verified : []);
    const oldest =
      newest.length < BATCH
        ? newest.toReversed()
        : await ledger.unfinalNonces(this.lane.address, 'oldest', BATCH);
    const chain = await this.#hashesOf([...newest, ...oldest], head, verified);
    let allStand = true;
    for (const row of newest) allStand = (await this.#compare(row, chain, verified)) && allStand;
    let allOldStand = true;
    for (const row of oldest)
      allOldStand = (await this.#compare(row, chain, verified)) && allOldStand;
    const [first] = oldest;
    // A look that was given up may end after a newer one: it keeps nothing.
    if (this.#known === before) {
      if (allStand) this.#known = { anchor: anchorOf(head), verified };
      else this.#known = stands ? before : NOTHING;
      if (allStand && allOldStand && first !== undefined)
        this.#compared = { fence, writes, oldest: first };
    }
    await this.#finalize(oldest, head, verified);
  }

  /** Nothing has been written to the lane since all was compared, and nothing can be final yet. */
  #isCompared(head: ChainHead): boolean {
    const { lease, writes } = this.lane;
    const compared = this.#compared;
    if (compared === null || compared.fence !== lease.fence || compared.writes !== writes)
      return false;
    const { settlement } = compared.oldest;
    return settlement !== null && !this.#isFinal(settlement, head);
  }

  /**
   * A node whose head is below the anchor is behind: what was compared is compared again by the
   * next one.
   */
  async #anchorStands({ anchor, verified }: Known, head: ChainHead): Promise<boolean> {
    if (anchor === null || verified.size > MAX_VERIFIED) return false;
    return (await this.#hashAt(anchor.number, head)) === anchor.hash;
  }

  /** Hashes of the heights that are not compared yet; null above the node's head. */
  async #hashesOf(
    rows: readonly NonceRow[],
    head: ChainHead,
    verified: ReadonlySet<string>,
  ): Promise<ReadonlyMap<number, Felt | null>> {
    const open = rows.flatMap(blockOf).filter((block) => !verified.has(nameOf(block)));
    const numbers = [...new Set(open.map(({ number }) => number))];
    const hashes = await Promise.all(numbers.map((number) => this.#hashAt(number, head)));
    return new Map(numbers.map((number, index) => [number, hashes[index] ?? null]));
  }

  async #hashAt(number: number, head: ChainHead): Promise<Felt | null> {
    if (number > head.blockNumber) return null;
    return number === head.blockNumber ? head.blockHash : this.lane.deps.reader.blockHash(number);
  }

  /** True when the row's block is on the chain. */
  async #compare(
    { nonce, settlement }: NonceRow,
    chain: ReadonlyMap<number, Felt | null>,
    verified: Set<string>,
  ): Promise<boolean> {
    const block = settlement?.block ?? null;
    if (block === null) return true;
    if (verified.has(nameOf(block))) return true;
    const hash = chain.get(block.number) ?? null;
    if (hash === null) return false;
    if (hash === block.hash) {
      verified.add(nameOf(block));
      return true;
    }
    await this.#reopen(nonce, block, settlement?.hash ?? null);
    return false;
  }

  async #reopen(nonce: bigint, block: BlockRef, transactionHash: Felt | null): Promise<void> {
    const { lane } = this;
    const { fence } = lane.lease;
    if (fence === null) return;
    const { applied } = await lane.record({
      type: 'reopen',
      lane: lane.address,
      nonce,
      fence,
      block,
    });
    if (!applied) return;
    lane.alarms.reopened += 1;
    lane.deps.failpoint('reopened');
    const fields = {
      lane: lane.address,
      nonce: String(nonce),
      block: block.number,
      transactionHash,
    };
    lane.deps.logger.error(
      fields,
      'the chain has undone the block that consumed a nonce: it is open again',
    );
  }

  async #finalize(
    oldest: readonly NonceRow[],
    head: ChainHead,
    verified: ReadonlySet<string>,
  ): Promise<void> {
    const { lane } = this;
    const { horizonMs } = lane.settings;
    let finalized = 0;
    for (const { nonce, settlement } of oldest) {
      const { fence } = lane.lease;
      const block = settlement?.block ?? null;
      if (settlement === null || block === null || fence === null) return;
      if (!verified.has(nameOf(block))) continue;
      if (!this.#isFinal(settlement, head) || finalized === MAX_FINALIZED) return;
      const { applied } = await lane.record({
        type: 'finalize',
        lane: lane.address,
        nonce,
        fence,
        block,
        isOnL1: isOnL1(block, head),
        horizonMs,
      });
      if (applied) finalized += 1;
    }
  }

  #isFinal({ block, atMs }: Settlement, head: ChainHead): boolean {
    const nowMs = this.lane.storeTime.nowMs();
    if (nowMs === null || block === null) return false;
    return isOnL1(block, head) || nowMs - atMs >= this.lane.settings.horizonMs;
  }
}

const isOnL1 = ({ number }: BlockRef, { l1BlockNumber }: ChainHead): boolean =>
  l1BlockNumber !== null && number <= l1BlockNumber;
const anchorOf = ({ blockNumber, blockHash }: ChainHead): BlockRef => ({
  number: blockNumber,
  hash: blockHash,
});
const blockOf = ({ settlement }: NonceRow): readonly BlockRef[] =>
  settlement === null || settlement.block === null ? [] : [settlement.block];
const nameOf = ({ number, hash }: BlockRef): string => `${number}:${hash}`;
