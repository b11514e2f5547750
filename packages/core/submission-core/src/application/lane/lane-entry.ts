import type { NonceChoice } from '../../domain/choose-nonce.js';
import { isFree, type Lane as LaneRow, type OpenNonce } from '../../domain/rows.js';
import type { AccountState, ChainHead } from '../../ports/chain.port.js';
import type { Lane } from './lane.js';
import { type ReadBackState, SentCalls } from '../ledger/read-back.js';

/**
 * Maximum number of nonces above the account's nonce that a mempool accepts. A larger jump between
 * two polls must be confirmed by a second read. Source: Starknet's mempool configuration.
 */
const MEMPOOL_GAP = 200n;
/**
 * Maximum number of rows written per poll for nonces that the chain has consumed and that the
 * ledger does not contain. A gap that is larger than the mempool's limit becomes a single row.
 */
const IMPORTED_PER_POLL = 25n;
/** Maximum number of no-ops stored per poll. */
const NOOPS_PER_POLL = 16;
/**
 * Milliseconds for which an account nonce below the ledger's nonce may be due to a lagging node.
 */
const BELOW_FOR_MS = 30_000;

export interface Entry {
  readonly row: LaneRow;
  readonly account: AccountState;
  readonly head: ChainHead;
  /** True if the ledger is behind its chain, or may be a copy of an older ledger. */
  readonly behind: boolean;
  readonly canSign: boolean;
  /** State of the ledger as it was before the account was read. */
  readonly state: ReadBackState;
}

/**
 * Compares a lane's account with the ledger. Introduces the lane. Imports nonces that the chain has
 * consumed but the ledger does not contain. Consumes nonces of unknown transactions that may still
 * be in flight.
 */
export class LaneEntry {
  #jump: { readonly nonce: bigint; readonly block: number } | null = null;
  #belowSinceMs: number | null = null;
  readonly #sentCalls: SentCalls;

  constructor(private readonly lane: Lane) {
    this.#sentCalls = new SentCalls(lane);
  }

  /** Returns the reason why the lane accepts no work; null if the lane accepts work. */
  async follow(shown: Entry): Promise<string | null> {
    const { row, behind, canSign } = shown;
    if (row.nextNonce === null) return this.#introduce(shown);
    await this.#judgeJump(shown, row.nextNonce);
    const nonce = this.#believed(shown, row.nextNonce);
    if (nonce === null) return 'NONCE_JUMP';
    const entry = { ...shown, account: { ...shown.account, nonce } };
    await this.#import(entry, row.nextNonce);
    if (behind && canSign && row.quarantine === null) await this.#quarantine(nonce, false);
    return canSign ? this.#consume(entry) : null;
  }

  /**
   * Detects an account nonce that is below every open nonce, although the ledger has settled this
   * nonce.
   * @param accountNonce nonce of the account; null if the account was not read
   */
  async judgeBelow(
    open: readonly OpenNonce[],
    accountNonce: bigint | null,
  ): Promise<string | null> {
    const { nextNonce, deps } = this.lane;
    const isExplained =
      accountNonce === null ||
      accountNonce >= (nextNonce ?? 0n) ||
      open.some(({ row }) => row.nonce <= accountNonce);
    if (isExplained) {
      this.#belowSinceMs = null;
      return null;
    }
    const nowMs = deps.clock.monotonicMs();
    this.#belowSinceMs ??= nowMs;
    const { fence } = this.lane.lease;
    if (nowMs - this.#belowSinceMs < BELOW_FOR_MS || fence === null) return null;
    // A nonce below the lane's first nonce has no row: a rollback reopened the nonce after the lane
    // was introduced.
    const missing = {
      type: 'import',
      lane: this.lane.address,
      nonce: accountNonce,
      through: accountNonce,
      fence,
    } as const;
    return (await this.lane.record(missing)).applied ? null : 'ACCOUNT_NONCE_BELOW_LEDGER';
  }

  async #introduce({ account, head, state }: Entry): Promise<string | null> {
    const { lane } = this;
    const isAccepted = await this.#isAccepted(head);
    const hasSentCalls = !isAccepted && (await this.#sentCalls.found(account.nonce, head, state));
    if (typeof hasSentCalls === 'string') return hasSentCalls;
    const { fence } = lane.lease;
    if (fence === null) return null;
    const window = BigInt(lane.settings.nonceWindow);
    const introduced = await lane.record({
      type: 'introduce',
      lane: lane.address,
      fence,
      accountNonce: account.nonce,
      window,
      isAccepted,
      hasSentCalls,
    });
    if (!introduced.applied) return null;
    const fields = { lane: lane.address, nonce: String(account.nonce), isAccepted };
    if (isAccepted)
      lane.deps.logger.info(
        fields,
        'lane introduced: an operator vouches that nothing of it is in flight',
      );
    else
      lane.deps.logger.warn(
        fields,
        'lane introduced: it carries calls once every nonce that may be in flight is consumed',
      );
    return null;
  }

  /**
   * Returns true if the operator's acceptance applies to the lane. The acceptance contains the
   * nonces of several accounts. If one of these accounts is missing in the ledger and its nonce has
   * changed, the whole acceptance is invalid.
   */
  async #isAccepted(head: ChainHead): Promise<boolean> {
    const { acceptance } = this.lane.settings;
    if (acceptance === null || acceptance === 'always') return acceptance === 'always';
    if (acceptance.chainId !== head.chainId || !acceptance.nonces.has(this.lane.address))
      return false;
    const { lanes } = await this.lane.deps.ledger.state();
    const known = new Set(
      lanes.filter(({ nextNonce }) => nextNonce !== null).map(({ address }) => address),
    );
    const unknown = [...acceptance.nonces].filter(([address]) => !known.has(address));
    const { accounts } = await this.lane.deps.reader.head(unknown.map(([address]) => address));
    return unknown.every(([address, nonce]) => accounts.get(address)?.nonce === nonce);
  }

  /**
   * Detects a nonce above the ledger's nonce before the ledger is judged: another ledger of ours
   * has assigned this nonce. A single observation suffices. A rollback may return those
   * transactions to a mempool, and the stored quarantine then still applies.
   */
  async #judgeJump({ account, canSign, row }: Entry, nextNonce: bigint): Promise<void> {
    const { judge } = this.lane;
    if (judge.isUpToChain || !canSign) return;
    const jump = judge.jumpOf(row.address) ?? 0n;
    const nonce = jump > account.nonce ? jump : account.nonce;
    if (nonce <= nextNonce) return;
    const most = nextNonce + MEMPOOL_GAP;
    await this.#fallBehind(row, nextNonce, nonce < most ? nonce : most);
  }

  async #fallBehind(row: LaneRow, nextNonce: bigint, nonce: bigint): Promise<void> {
    if (row.quarantine?.cause === 'behind') return;
    const fields = {
      lane: row.address,
      ledgerNonce: String(nextNonce),
      accountNonce: String(nonce),
    };
    this.lane.deps.logger.error(
      fields,
      'the ledger is behind its chain, as a restored copy is: nothing new is sent until it has caught up',
    );
    await this.#quarantine(nonce, false);
  }

  /**
   * Returns the account's nonce. Returns null while only one read shows a jump of more nonces than
   * a mempool accepts. A read at a later block must confirm the jump, and the lower nonce of both
   * reads is used, because imported nonces and the end of a quarantine can't be undone.
   */
  #believed({ account, head }: Entry, nextNonce: bigint): bigint | null {
    const before = this.#jump;
    this.#jump = null;
    const gap = account.nonce - nextNonce;
    if (gap <= MEMPOOL_GAP) return account.nonce;
    if (before !== null && account.nonce >= before.nonce) {
      if (head.blockNumber > before.block) return before.nonce;
      this.#jump = before;
    } else this.#jump = { nonce: account.nonce, block: head.blockNumber };
    return null;
  }

  /** Imports nonces that the chain has consumed but the ledger does not contain. */
  async #import({ account, canSign, row }: Entry, nextNonce: bigint): Promise<void> {
    const gap = account.nonce - nextNonce;
    if (gap <= 0n) return;
    // Two cases are suspect. First: if the lane is in quarantine since its introduction, a lagging
    // node may have introduced it, or a transaction of a lost ledger has landed since then. Second:
    // a gap above the mempool's limit can't come from transactions that were all sent since the
    // last poll.
    const isSuspect = row.quarantine?.cause === 'introduced' || gap > MEMPOOL_GAP;
    if (isSuspect && canSign) await this.#fallBehind(row, nextNonce, account.nonce);
    await this.#importRows(nextNonce, account.nonce);
  }

  async #importRows(from: bigint, to: bigint): Promise<void> {
    const { lane } = this;
    const isRange = to - from > MEMPOOL_GAP;
    for (let nonce = from; nonce < to && nonce < from + IMPORTED_PER_POLL; nonce += 1n) {
      const { fence } = lane.lease;
      if (fence === null) return;
      const through = isRange ? to - 1n : nonce;
      const { applied } = await lane.record({
        type: 'import',
        lane: lane.address,
        nonce,
        through,
        fence,
      });
      if (!applied || isRange) return;
    }
  }

  async #quarantine(accountNonce: bigint, isAged: boolean): Promise<void> {
    const { lane } = this;
    const { fence } = lane.lease;
    if (fence === null) return;
    const until = accountNonce + BigInt(lane.settings.nonceWindow);
    await lane.record({ type: 'quarantine', lane: lane.address, fence, until, isAged });
  }

  /**
   * Ends a quarantine (row Q1 of the transition table). First waits until no mempool can still
   * contain an unknown transaction, then stores a no-op for each affected nonce. If an unknown
   * transaction remains nevertheless, the no-op outbids it.
   */
  async #consume(entry: Entry): Promise<string | null> {
    const { lane } = this;
    const { quarantine } = entry.row;
    if (quarantine === null) return null;
    if (!quarantine.isAged) {
      const nowMs = lane.storeTime.nowMs() ?? 0;
      if (nowMs - quarantine.sinceMs >= lane.settings.mempoolLifetimeMs)
        await this.#quarantine(entry.account.nonce, true);
      return null;
    }
    for (const { nonce, version } of await this.#unconsumed(
      entry.account.nonce,
      quarantine.until,
    )) {
      if (!lane.canPay(entry.head, lane.noopAtCeiling(entry.head))) return 'SHORT_OF_FUNDS';
      await lane.isolated('consuming a nonce', () => this.#storeNoop(entry, nonce, version), {
        nonce: String(nonce),
      });
    }
    return null;
  }

  /**
   * Returns the lowest nonces that are free or have no row, in ascending order. Returns no nonce
   * while the chain has consumed nonces that have no row.
   */
  async #unconsumed(accountNonce: bigint, until: bigint): Promise<readonly NonceChoice[]> {
    const { nextNonce, nonces } = this.lane;
    if (nextNonce === null || nextNonce < accountNonce) return [];
    const open = await nonces.read();
    const free = open.filter(
      (nonce) => isFree(nonce) && nonce.row.nonce >= accountNonce && nonce.row.nonce < until,
    );
    const found = free
      .slice(0, NOOPS_PER_POLL)
      .map(({ row }) => ({ nonce: row.nonce, version: row.version }));
    for (let nonce = nextNonce; nonce < until && found.length < NOOPS_PER_POLL; nonce += 1n)
      found.push({ nonce, version: 0 });
    return found;
  }

  async #storeNoop({ head }: Entry, nonce: bigint, version: number): Promise<void> {
    const { lane } = this;
    const { fence } = lane.lease;
    if (fence === null) return;
    const transaction = await lane.deps.signer.signNoop({
      account: lane.address,
      nonce,
      bounds: lane.noopAtCeiling(head),
    });
    const claim = { lane: lane.address, nonce, fence };
    const nonceLimit = nonce + 1n;
    await lane.storeAndSend(
      { claim, version, nonceLimit, attempt: null, transaction, checkpoint: 'filled' },
      null,
    );
  }
}
