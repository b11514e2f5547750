import type { Clock, Felt, Logger } from '@sotto/kernel';
import { ClockAgreement, wrongAheadMs } from '../../domain/head-time.js';
import { isBehind } from '../../domain/machine-state.js';
import type { Lane } from '../../domain/rows.js';
import type { ChainHead, ChainReader } from '../../ports/chain.port.js';
import { mayLackRows, type Ledger, type LedgerState } from '../../ports/ledger.port.js';
import type { SubmissionSettings } from '../settings.js';
import { UnexplainedNonces } from './unexplained-nonces.js';

/**
 * Maximum number of failed reads of accounts that were not introduced to the ledger. After this
 * number, the service starts with the other accounts only.
 */
const MOST_FAILURES = 3;
/** Age from which an undecided nonce is logged, in ms. */
const UNDECIDED_FOR_MS = 30_000;

/** Reasons that concern the nodes of this instance: another instance may read more. */
const REASONS_OF_NODE: ReadonlySet<NotJudged['why']> = new Set<NotJudged['why']>([
  'NO_ANSWER',
  'NO_YOUNG_HEAD',
  'HEAD_IN_FUTURE',
  'HEAD_BELOW_LEDGER',
  'ACCOUNT_NOT_READ',
]);

export interface JudgeDependencies {
  readonly reader: ChainReader;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reason why the ledger is not yet proven to be up to its chain. */
export type NotJudged =
  | { readonly why: 'NO_LANE_INTRODUCED' }
  /** An account that has sent transactions is not in the ledger. */
  | { readonly why: 'ACCOUNT_NOT_INTRODUCED' }
  /** No node could be read. */
  | { readonly why: 'NO_ANSWER' }
  /** The newest block of every node is older than this process, by `olderMs`. */
  | { readonly why: 'NO_YOUNG_HEAD'; readonly block: number; readonly olderMs: number }
  /** The newest block of a node is `aheadMs` ahead of the store's clock. */
  | { readonly why: 'HEAD_IN_FUTURE'; readonly block: number; readonly aheadMs: number }
  /** Every recent head is below a block that the ledger has noted. */
  | { readonly why: 'HEAD_BELOW_LEDGER'; readonly block: number; readonly notedBlock: number }
  /** No node could read this account. */
  | { readonly why: 'ACCOUNT_NOT_READ'; readonly lane: Felt }
  /** A node has shown a nonce of this account that the ledger never assigned. */
  | { readonly why: 'NONCE_JUMP'; readonly lane: Felt; readonly nonce: bigint }
  /** The chain has passed this nonce, and its consumer is unknown. */
  | { readonly why: 'NONCE_UNDECIDED'; readonly lane: Felt; readonly nonce: bigint }
  /** The chain has transactions that the ledger lacks; it is recovering. */
  | { readonly why: 'LEDGER_BEHIND_CHAIN' }
  /** The ledger may be a copy and recovers as if it were one. It waits for another `waitsMs`. */
  | { readonly why: 'MAY_BE_COPY'; readonly waitsMs: number };

/**
 * Nonce and block of an account at its first comparison with the ledger. All later nonces of the
 * account were assigned by this ledger.
 */
interface Compared {
  readonly nonce: bigint;
  readonly block: number;
}

/**
 * Nonce that a node has shown and that the ledger never assigned, with the ledger's next nonce at
 * that time.
 */
interface Jump {
  readonly nonce: bigint;
  readonly nextNonce: bigint;
}

/** View that combines the heads of all nodes. */
interface View {
  /** Height of the newest head that can prove the absence of transactions. */
  readonly block: number;
  /** Accounts that were read with a head that can prove the absence of transactions. */
  readonly read: ReadonlySet<Felt>;
  /** Highest nonce of each account among all nodes. */
  readonly nonces: ReadonlyMap<Felt, bigint>;
}

/**
 * Decides once per process whether the ledger is up to its chain. Before this decision, no
 * transaction is sent and no attempt ends. The reason: if this ledger is a copy, a lane may already
 * have sent a waiting call with the original ledger. Only a block younger than this process proves
 * that no transaction is missing. Any response of a node, even an old one, can prove that a
 * transaction is missing.
 */
export class LedgerJudge {
  /** Reason why nothing is sent; null once the ledger is up to its chain. */
  #notJudged: NotJudged | null = { why: 'NO_ANSWER' };
  #failures = 0;
  /** Time of the store at the first judgement, in ms; null before. */
  #sinceMs: number | null = null;
  /** Block and nonce at which each lane was first compared. */
  readonly #judgedAt = new Map<Felt, Compared>();
  /**
   * Nonces above the ledger's next nonce that a node has shown and that are not explained yet, by
   * lane.
   */
  readonly #jumps = new Map<Felt, Jump>();
  #undecided: { readonly lane: Felt; readonly nonce: bigint; warnAtMs: number } | null = null;
  readonly #configured: readonly Felt[];
  readonly #unexplained: UnexplainedNonces;
  /**
   * Compares block times with the clock of a store that uses the machine's time. The time of such a
   * store never decreases. If the machine's clock was too far ahead once, the store's time
   * therefore remains too high. Null if the store has its own clock.
   */
  readonly #agreement: ClockAgreement | null;

  constructor(
    private readonly deps: JudgeDependencies,
    private readonly settings: SubmissionSettings,
  ) {
    this.#configured = settings.lanes.map(({ address }) => address);
    this.#agreement = settings.storeHasNoClock === true ? new ClockAgreement(deps.clock) : null;
    this.#unexplained = new UnexplainedNonces(deps.ledger, settings.mempoolLifetimeMs);
  }

  /**
   * True if every known lane was compared with its chain and no transaction was missing from the
   * ledger.
   */
  get isUpToChain(): boolean {
    return this.#notJudged === null;
  }

  /** True if the nodes of this instance have not shown enough of the chain to judge the ledger. */
  get waitsForNode(): boolean {
    return this.#notJudged !== null && REASONS_OF_NODE.has(this.#notJudged.why);
  }

  /** Reason why nothing is sent; null once the ledger is up to its chain. */
  get notJudged(): NotJudged | null {
    return this.#notJudged;
  }

  /**
   * Returns the account's unexplained nonce that a node has shown above the ledger's next nonce;
   * null if there is none.
   */
  jumpOf(lane: Felt): bigint | null {
    return this.#jumps.get(lane)?.nonce ?? null;
  }

  /**
   * Compares every lane with the chain. Does nothing once a comparison has shown that no
   * transaction is missing from the ledger.
   * @throws DomainError
   */
  async judge(): Promise<void> {
    if (this.#notJudged === null) return;
    try {
      this.#notJudged = await this.#compare();
    } catch (error) {
      this.#notJudged = { why: 'NO_ANSWER' };
      throw error;
    }
  }

  /**
   * Compares all accounts again. Called right before the service sends a call that its contract
   * would execute a second time if it were repeated. Returns true if two conditions hold: no
   * account is ahead of the ledger on any node, and the store was not replaced, for example by a
   * promoted replica.
   * @throws DomainError
   */
  async isStillUpToChain(): Promise<boolean> {
    const { ledger } = this.deps;
    const lanes = this.#knownOf(await ledger.state());
    const view = viewOf(await this.#heads(lanes.map(addressOf)), () => true);
    // Read the chain before the rows. Otherwise the nonces on chain could be above the nonces of a
    // ledger that is up to its chain.
    const state = await ledger.state();
    const known = this.#knownOf(state);
    const jumped = await this.#unexplained.firstAhead(known, view?.nonces, state.nowMs);
    const lacksRows = mayLackRows(state);
    if (view !== null && jumped === undefined && !lacksRows) return true;
    const accountNonce = String(jumped && view?.nonces.get(jumped.address));
    this.deps.logger.warn(
      { lane: jumped?.address, accountNonce, mayLackRows: lacksRows },
      'a call that its contract does not protect is not sent: an account is ahead of the ledger or can not be read, or the ledger may lack rows',
    );
    return false;
  }

  async #compare(): Promise<NotJudged | null> {
    const { ledger } = this.deps;
    const before = await ledger.state();
    this.#sinceMs ??= before.nowMs;
    const recovery = this.#recoveryOf(before);
    if (recovery !== null) return recovery;
    const known = this.#knownOf(before);
    // An empty ledger proves nothing before a lane was introduced to it.
    if (known.length === 0) return { why: 'NO_LANE_INTRODUCED' };
    const unmet =
      this.#failures < MOST_FAILURES
        ? this.#configured.filter((address) => !known.map(addressOf).includes(address))
        : [];
    const heads = await this.#headsInTime([...known.map(addressOf), ...unmet]);
    const [unread] = unmet;
    if (heads === null) return unread === undefined ? { why: 'NO_ANSWER' } : this.#failed(unread);
    // Read the chain before the rows. Otherwise the nonces on chain could be above the nonces of a
    // ledger that is up to its chain.
    const state = await ledger.state();
    const lanes = this.#knownOf(state).filter(({ address }) =>
      known.some((lane) => lane.address === address),
    );
    this.#noteJumps(lanes, heads);
    this.#agreement?.note(heads.map(({ timestamp }) => timestamp));
    const view = viewOf(heads, (head) => this.#obstacleOf(head, state) === null);
    if (view === null) return this.#whyNone(heads, state);
    const ofUnmet = this.#unmetObstacle(unmet, view);
    if (ofUnmet !== null) return ofUnmet;
    for (const lane of lanes) {
      const obstacle = lane.quarantine === null ? await this.#laneObstacle(lane, view) : null;
      if (obstacle !== null) return obstacle;
    }
    return null;
  }

  #recoveryOf({ lanes, nowMs, possibleCopySinceMs }: LedgerState): NotJudged | null {
    if (possibleCopySinceMs === null)
      return isBehind(lanes) ? { why: 'LEDGER_BEHIND_CHAIN' } : null;
    const endsMs = possibleCopySinceMs + this.settings.mempoolLifetimeMs;
    return { why: 'MAY_BE_COPY', waitsMs: Math.max(0, endsMs - nowMs) };
  }

  /** Reads one head per node, and returns those of nodes that serve our chain. */
  async #heads(accounts: readonly Felt[]): Promise<readonly ChainHead[]> {
    const heads = await this.deps.reader.heads(accounts);
    return heads.filter(({ chainId }) => chainId === this.settings.chainId);
  }

  /**
   * Reads the heads of all nodes; null after half of the poll timeout. A single account may cause
   * the delay.
   */
  async #headsInTime(accounts: readonly Felt[]): Promise<readonly ChainHead[] | null> {
    const { clock } = this.deps;
    const late = Symbol('late');
    const over = new AbortController();
    const heads = this.#heads(accounts);
    try {
      const timeout = clock.sleep(this.settings.lookTimeoutMs / 2, over.signal).then(() => late);
      const first = await Promise.race([heads, timeout]);
      return typeof first === 'symbol' ? null : first;
    } finally {
      over.abort('over');
    }
  }

  #noteJumps(lanes: readonly Lane[], heads: readonly ChainHead[]): void {
    const nonces = highestNonces(heads);
    for (const lane of lanes) {
      const { address, nextNonce } = lane;
      const shown = this.#jumps.get(address);
      if (shown !== undefined && this.#isExplained(shown, lane)) this.#jumps.delete(address);
      if (lane.quarantine === null && nextNonce !== null && isAbove(lane, nonces))
        this.#jumps.set(address, { nonce: nonces.get(address) ?? 0n, nextNonce });
    }
  }

  /**
   * True if the unexplained nonce is no longer an obstacle.
   *
   * A quarantine is durable, and only evidence ends it. If the ledger's next nonce increases while
   * another instance holds the lease, that instance is following the lane. The lease alone proves
   * nothing, since a restored copy of the ledger may contain an old lease.
   */
  #isExplained(
    jump: Jump,
    { quarantine, nextNonce, leasedTo }: Pick<Lane, 'quarantine' | 'nextNonce' | 'leasedTo'>,
  ): boolean {
    const next = nextNonce ?? 0n;
    const isFollowed = leasedTo !== this.settings.instance && next > jump.nextNonce;
    return quarantine !== null || jump.nonce <= next || isFollowed;
  }

  async #laneObstacle({ address }: Lane, view: View): Promise<NotJudged | null> {
    const jump = this.#jumps.get(address);
    if (jump !== undefined) return { why: 'NONCE_JUMP', lane: address, nonce: jump.nonce };
    const nonce = view.nonces.get(address);
    if (nonce === undefined || !view.read.has(address))
      return { why: 'ACCOUNT_NOT_READ', lane: address };
    const first = this.#judgedAt.get(address) ?? { nonce, block: view.block };
    this.#judgedAt.set(address, first);
    // After a rollback, the account's nonce on chain may be lower than at the first comparison. A
    // lagging node also shows a lower nonce, but does not undo any nonce.
    const passed = view.block >= first.block && nonce < first.nonce ? nonce : first.nonce;
    const [lowest] = await this.deps.ledger.openNonces(address);
    if (lowest === undefined || lowest.row.nonce >= passed) return null;
    this.#warn(address, lowest.row.nonce);
    return { why: 'NONCE_UNDECIDED', lane: address, nonce: lowest.row.nonce };
  }

  /**
   * Returns the reason why this head can't prove the absence of transactions. Null if the head can
   * prove it.
   */
  #obstacleOf({ blockNumber: block, timestamp }: ChainHead, state: LedgerState): NotJudged | null {
    const { lastBlock, nowMs } = state;
    if (this.settings.needsYoungHead) {
      const aheadMs = wrongAheadMs(timestamp, nowMs);
      if (aheadMs !== null) return { why: 'HEAD_IN_FUTURE', block, aheadMs };
      const olderMs = (this.#sinceMs ?? nowMs) - timestamp * 1_000;
      if (!(olderMs < 0) && this.#agreement?.isYoung(timestamp) !== true)
        return { why: 'NO_YOUNG_HEAD', block, olderMs };
    }
    return block < (lastBlock ?? 0)
      ? { why: 'HEAD_BELOW_LEDGER', block, notedBlock: lastBlock ?? 0 }
      : null;
  }

  #whyNone(heads: readonly ChainHead[], state: LedgerState): NotJudged {
    const [newest] = heads.toSorted((a, b) => b.blockNumber - a.blockNumber);
    return (newest && this.#obstacleOf(newest, state)) ?? { why: 'NO_ANSWER' };
  }

  /** Logs an undecided nonce once, if the polls of the next 30 s do not settle it. */
  #warn(lane: Felt, nonce: bigint): void {
    const { clock, logger } = this.deps;
    const nowMs = clock.monotonicMs();
    if (this.#undecided?.lane !== lane || this.#undecided.nonce !== nonce)
      this.#undecided = { lane, nonce, warnAtMs: nowMs + UNDECIDED_FOR_MS };
    if (nowMs < this.#undecided.warnAtMs) return;
    this.#undecided.warnAtMs = Infinity;
    const fields = { lane, nonce: String(nonce) };
    logger.warn(
      fields,
      'a nonce that the chain had passed is undecided: nothing is sent before it is',
    );
  }

  /**
   * Returns the obstacle caused by accounts that were not introduced to this ledger; null if there
   * is none. If this ledger is a copy, the original ledger may have used such an account. An
   * account with a nonce above 0 must therefore be introduced first.
   */
  #unmetObstacle(unmet: readonly Felt[], { nonces, read }: View): NotJudged | null {
    if (unmet.some((address) => (nonces.get(address) ?? 0n) > 0n))
      return { why: 'ACCOUNT_NOT_INTRODUCED' };
    const unread = unmet.find((address) => !read.has(address));
    return unread === undefined ? null : this.#failed(unread);
  }

  /**
   * Counts a failed read of an account that was never introduced to the ledger. If the account
   * stays unreadable, the other accounts start without it.
   */
  #failed(lane: Felt): NotJudged {
    this.#failures += 1;
    if (this.#failures === MOST_FAILURES)
      this.deps.logger.warn(
        { lane },
        'the others work without accounts that the ledger has never met and that can not be read',
      );
    return { why: 'ACCOUNT_NOT_READ', lane };
  }

  #knownOf({ lanes }: LedgerState): readonly Lane[] {
    return lanes.filter(
      ({ address, nextNonce }) => this.#configured.includes(address) && nextNonce !== null,
    );
  }
}

/**
 * Combines the heads; null if no head is usable. The nonces of unusable heads are included, since
 * these heads still prove that the nonces were used.
 */
function viewOf(heads: readonly ChainHead[], isUsable: (head: ChainHead) => boolean): View | null {
  const usable = heads.filter(isUsable);
  if (usable.length === 0) return null;
  return {
    block: Math.max(...usable.map(({ blockNumber }) => blockNumber)),
    read: new Set(usable.flatMap(({ accounts }) => [...accounts.keys()])),
    nonces: highestNonces(heads),
  };
}

const addressOf = ({ address }: Lane): Felt => address;

function highestNonces(heads: readonly ChainHead[]): ReadonlyMap<Felt, bigint> {
  const highest = new Map<Felt, bigint>();
  for (const { accounts } of heads)
    for (const [address, { nonce }] of accounts)
      if (nonce > (highest.get(address) ?? -1n)) highest.set(address, nonce);
  return highest;
}

function isAbove(
  { address, nextNonce }: Lane,
  nonces: ReadonlyMap<Felt, bigint> | undefined,
): boolean {
  const nonce = nonces?.get(address);
  return nextNonce !== null && nonce !== undefined && nonce > nextNonce;
}
