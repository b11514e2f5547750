import type { Felt } from '@sotto/kernel';
import {
  confirms,
  contradicts,
  isOnL1,
  isValid,
  type ChainEvidence,
} from '../../domain/chain-evidence.js';
import type { BlockRef, NonceRow, Settlement } from '../../domain/rows.js';
import { headOf, MAX_CONFIRMED, type ChainHead } from '../../ports/chain.port.js';
import { KnownChain } from './known-chain.js';
import type { Lane } from './lane.js';

/**
 * Maximum number of the newest rows, and of the oldest rows, that one poll reads. Later polls read
 * the remaining rows.
 */
const BATCH = 200;
/**
 * Maximum number of rows made final per poll, each with a separate write. L1 accepts the blocks of
 * several hours at once. The number is far above the number of nonces that a lane settles between
 * two polls.
 */
const MAX_FINALIZED = 50;

interface SettledRow {
  readonly nonce: bigint;
  readonly block: BlockRef;
  readonly settlement: Settlement;
}

/**
 * Interval in ms after which rows are reread, even if this process has not written to the lane.
 * Another instance may have adopted outcomes while it searched the chain for calls.
 */
const REREAD_MS = 60_000;

/**
 * Settled rows that a rollback can still undo. The rows are cached until this process writes to the
 * lane.
 */
interface Unfinal {
  readonly atMs: number;
  readonly fence: bigint | null;
  readonly writes: number;
  readonly newest: readonly SettledRow[];
  /** Rows in the order in which they become final. */
  readonly oldest: readonly SettledRow[];
}

/** The newest final row. While a final row is in doubt, all final rows. */
interface Final {
  readonly atMs: number;
  readonly rows: readonly SettledRow[];
}

/** Block that one poll has contradicted, although a final row depends on this block. */
interface Doubt {
  readonly undone: BlockRef;
  readonly evidence: ChainEvidence;
}

/** Row whose block is not on the chain that the evidence shows, with the block that was undone. */
interface Undone extends Doubt {
  readonly row: SettledRow;
  readonly earlier: ChainEvidence | null;
}

/**
 * Compares the blocks that settled a lane's nonces with the node's chain (rows U and F of the
 * transition table). Blocks that are known to be below a confirmed block are not queried, so a poll
 * usually queries one height. Each write is based on a closing read of the same poll.
 */
export class SettledBlocks {
  readonly #known = new KnownChain();
  #unfinal: Unfinal | null = null;
  #final: Final | null = null;
  readonly #doubts = new Map<bigint, Doubt>();
  /** Fence of the lease under which the cached final rows and doubts were read. */
  #fence: bigint | null = null;
  /**
   * Hash of a head whose chain contains the blocks of all final rows; null if no such head is
   * known.
   */
  #linkedTo: Felt | null = null;
  #followedAtMs: number | null = null;
  /** Rows made final in the current poll. */
  #finalized = 0;

  constructor(private readonly lane: Lane) {}

  /**
   * Returns the heights for this poll's closing read, the most urgent first; null while no
   * comparison is due.
   *
   * A poll that a send or a pushed message triggers early concerns only transactions in flight. A
   * lane has hundreds of settled rows. These rows are compared only at the poll interval of the
   * settings.
   */
  async heights(head: ChainHead): Promise<readonly number[] | null> {
    const nowMs = this.lane.deps.clock.monotonicMs();
    const { pollIntervalMs } = this.lane.settings;
    if (this.#followedAtMs !== null && nowMs - this.#followedAtMs < pollIntervalMs) return null;
    const { newest, oldest } = await this.#readUnfinal();
    const final = await this.#readFinal();
    const compared = [...newest, ...oldest, ...final];
    const unknown = compared.filter(({ block }) => !this.#known.has(block));
    const finalizable = oldest
      .filter(({ block, settlement }) => this.#mayBeFinal(block, settlement, head))
      .slice(0, MAX_FINALIZED);
    const below = finalizable.length === 0 ? [] : final.slice(0, 1);
    const requested = [
      ...[...this.#doubts.values()].map(({ undone }) => undone),
      ...[...below, ...finalizable, ...unknown].map(({ block }) => block),
    ].filter(({ number }) => number <= head.blockNumber);
    // A head that was already compared shows nothing new about lower blocks.
    const common = this.#known.upTo(head.blockNumber);
    const isNews = common !== null && common.hash !== head.blockHash && compared.length > 0;
    const heights = [...(isNews ? [common] : []), ...requested].map(({ number }) => number);
    if (heights.length === 0) this.#followedAtMs = nowMs;
    return [...new Set(heights)];
  }

  /**
   * Writes the results of this poll's closing read.
   * @param left heights that exceeded the limit of this closing read; additional closing reads
   *   query these heights
   */
  async follow(head: ChainHead, evidence: ChainEvidence, left: readonly number[]): Promise<void> {
    this.#finalized = 0;
    const more = await this.#compare(evidence);
    const all = [...new Set([...left, ...more])].filter((height) => height <= head.blockNumber);
    for (let from = 0; from < all.length; from += MAX_CONFIRMED) {
      const chunk = all.slice(from, from + MAX_CONFIRMED);
      await this.#compare(await this.lane.deps.reader.confirm(headOf(head), chunk));
    }
    this.#followedAtMs = this.lane.deps.clock.monotonicMs();
  }

  /**
   * Compares the rows with the evidence and writes the differences. If a block of the known chain
   * was undone, returns the heights that need additional reads now.
   */
  async #compare(evidence: ChainEvidence): Promise<readonly number[]> {
    // Rows at the time when the heights were chosen. The ledger rejects a write if a row has
    // changed since.
    const rows = this.#unfinal;
    const final = this.#final?.rows ?? [];
    const { fence } = this.lane.lease;
    if (rows === null || rows.fence !== fence || this.#fence !== fence || !isValid(evidence))
      return [];
    const { newest, oldest } = rows;
    const compared = [...newest, ...oldest, ...final];
    // Do not await between here and the first write. Otherwise the known chain could change between
    // the decisions.
    const lost = this.#known.undoneBy(evidence);
    const undoneOf = (row: SettledRow): BlockRef | null => {
      if (contradicts(evidence, row.block)) return row.block;
      return lost !== null && this.#known.has(row.block) && row.block.number >= lost.number
        ? lost
        : null;
    };
    const undone = [...newest, ...oldest].flatMap((row): readonly Undone[] => {
      const gone = undoneOf(row);
      return gone === null ? [] : [{ row, undone: gone, evidence, earlier: null }];
    });
    const taken = final.flatMap((row) => this.#repeated(row, undoneOf(row), evidence));
    if (lost !== null) this.#known.forget();
    this.#known.extend(
      evidence,
      compared.map(({ block }) => block),
    );
    for (const one of [...undone, ...taken]) await this.#reopen(one);
    await this.#finalize(oldest, evidence);
    if (lost === null) return [];
    const { blocks } = evidence;
    return compared.map(({ block }) => block.number).filter((height) => !blocks.has(height));
  }

  /**
   * Returns the row if two different heads contradict the same block. A contradiction by one head
   * is not enough to undo a final row.
   */
  #repeated(row: SettledRow, undone: BlockRef | null, evidence: ChainEvidence): readonly Undone[] {
    const doubt = this.#doubts.get(row.nonce);
    if (doubt !== undefined && contradicts(evidence, doubt.undone)) {
      if (doubt.evidence.last.hash === evidence.last.hash) return [];
      this.#doubts.delete(row.nonce);
      return [{ row, undone: doubt.undone, evidence, earlier: doubt.evidence }];
    }
    if (doubt !== undefined && confirms(evidence, doubt.undone)) this.#doubts.delete(row.nonce);
    if (undone !== null) {
      this.#linkedTo = null;
      this.#doubts.set(row.nonce, { undone, evidence });
      this.#final = null;
    }
    return [];
  }

  async #reopen({ row, undone, evidence, earlier }: Undone): Promise<void> {
    const { lane } = this;
    const { fence } = lane.lease;
    if (fence === null) return;
    const recorded = await lane.record({
      type: 'reopen',
      lane: lane.address,
      nonce: row.nonce,
      fence,
      block: row.block,
      evidence,
      undone,
      earlier,
    });
    if (!recorded.applied) return;
    const wasFinal = row.settlement.isFinal;
    if (wasFinal) {
      this.#final = null;
      lane.alarms.reopenedFinal += 1;
    } else lane.alarms.reopened += 1;
    lane.deps.failpoint('reopened');
    const fields = {
      submission: recorded.attempt?.id ?? null,
      lane: lane.address,
      nonce: String(row.nonce),
      block: row.block.number,
      transactionHash: row.settlement.hash,
    };
    lane.deps.logger.error(
      fields,
      wasFinal
        ? 'the chain has undone a block that was final: its nonce is open again, and its call is not sent again'
        : 'the chain has undone the block that consumed a nonce: it is open again',
    );
  }

  /**
   * Makes rows final. From then on, only the newest final row is compared with the chain. The
   * previous final row must therefore be below the same head, which proves that all final rows are
   * on one chain.
   */
  async #finalize(oldest: readonly SettledRow[], evidence: ChainEvidence): Promise<void> {
    const { lane } = this;
    const { horizonMs } = lane.settings;
    if (this.#doubts.size > 0 || !this.#isLinked(evidence)) return;
    this.#linkedTo = evidence.first.hash;
    for (const { nonce, block, settlement } of oldest) {
      const { fence } = lane.lease;
      if (fence === null || this.#finalized === MAX_FINALIZED) return;
      if (!confirms(evidence, block)) continue;
      if (!isOnL1(evidence, block) && !this.#isPastHorizon(settlement)) continue;
      const { applied } = await lane.record({
        type: 'finalize',
        lane: lane.address,
        nonce,
        fence,
        block,
        evidence,
        horizonMs,
      });
      if (!applied) continue;
      this.#finalized += 1;
      this.#final = null;
    }
  }

  #isLinked(evidence: ChainEvidence): boolean {
    if (evidence.first.hash === this.#linkedTo) return true;
    if (this.#final === null) return false;
    const [below] = this.#final.rows;
    return below === undefined || confirms(evidence, below.block);
  }

  async #readUnfinal(): Promise<Unfinal> {
    const { ledger } = this.lane.deps;
    const { writes, address } = this.lane;
    const { fence } = this.lane.lease;
    const atMs = this.lane.deps.clock.monotonicMs();
    const before = this.#unfinal;
    const isSame = before !== null && before.fence === fence && before.writes === writes;
    if (isSame && atMs - before.atMs < REREAD_MS) return before;
    const newest = settledIn(await ledger.unfinalNonces(address, 'newest', BATCH));
    const oldest =
      newest.length < BATCH
        ? newest.toReversed()
        : settledIn(await ledger.unfinalNonces(address, 'oldest', BATCH));
    this.#unfinal = { atMs, fence, writes, newest, oldest };
    return this.#unfinal;
  }

  /**
   * Reads the newest final row, or all final rows while a final row is in doubt. Before a new
   * lease, another instance may have held the lane and written rows. A new lease therefore starts
   * without cached rows and doubts.
   */
  async #readFinal(): Promise<readonly SettledRow[]> {
    const { fence } = this.lane.lease;
    if (fence !== this.#fence) {
      this.#fence = fence;
      this.#final = null;
      this.#linkedTo = null;
      this.#doubts.clear();
    }
    const atMs = this.lane.deps.clock.monotonicMs();
    const before = this.#final;
    if (before !== null && atMs - before.atMs < REREAD_MS) return before.rows;
    const limit = this.#doubts.size > 0 ? BATCH : 1;
    const rows = settledIn(await this.lane.deps.ledger.finalNonces(this.lane.address, limit));
    this.#final = { atMs, rows };
    return rows;
  }

  /**
   * True if the first head of the poll suggests that the row is final. The write itself is based on
   * the closing read.
   */
  #mayBeFinal(block: BlockRef, settlement: Settlement, { l1BlockNumber }: ChainHead): boolean {
    const isBelowL1 = l1BlockNumber !== null && block.number <= l1BlockNumber;
    return isBelowL1 || this.#isPastHorizon(settlement);
  }

  #isPastHorizon({ atMs }: Settlement): boolean {
    const nowMs = this.lane.storeTime.nowMs();
    return nowMs !== null && nowMs - atMs >= this.lane.settings.horizonMs;
  }
}

function settledIn(rows: readonly NonceRow[]): readonly SettledRow[] {
  return rows.flatMap(({ nonce, settlement }) =>
    settlement === null || settlement.block === null
      ? []
      : [{ nonce, block: settlement.block, settlement }],
  );
}
