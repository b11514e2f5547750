import { silentLogger, type Felt, type LogFields, type Logger } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  SubmissionNotifier,
  type Attempt,
  type CallReader,
  type ChainHead,
  type Failpoint,
  type OpenNonce,
  type CommandResult,
  type RejectionCause,
  type SubmissionCommand,
  type SubmissionSettings,
  type TransactionStatus,
} from '../../src/index.js';
import { AttemptCache } from '../../src/application/lane/attempt-cache.js';
import { followNonce, noteChain, type Poll } from '../../src/application/lane/follow-nonce.js';
import { Lane } from '../../src/application/lane/lane.js';
import { LedgerJudge } from '../../src/application/ledger/ledger-judge.js';
import { LaneLease } from '../../src/application/lane/lane-lease.js';
import type { Alarms } from '../../src/application/lane/lane-status.js';
import { LaneWorker } from '../../src/application/lane/lane-worker.js';
import type { Sender } from '../../src/application/lane/sender.js';
import { StoreTime } from '../../src/application/store-time.js';
import { confirming, FakeChain, FakeSigner, InMemoryLedger } from '../../src/testing/index.js';
import { gate } from './gate.js';
import { LANE, settings, submission, type Wanted } from '../unit/world.js';

export const REFUSED = {
  answer: { kind: 'refused', code: 'X', cause: 'call' },
  arrives: false,
} as const;
export const LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;

/** Logged line with its level. */
export interface Said {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: LogFields;
}

/** Ledger that records the types of all commands. */
class TellingLedger extends InMemoryLedger {
  readonly events: SubmissionCommand['type'][] = [];

  override async apply(event: SubmissionCommand): Promise<CommandResult> {
    this.events.push(event.type);
    return super.apply(event);
  }
}

/** Shares of a store with a single instance. */
export const UNSHARED = { mayLease: () => true, expire: () => undefined, isShared: () => false };

/** One lane with all its components, for tests without the loop of an engine. */
export class LaneBench {
  readonly clock: ManualClock;
  readonly chain: FakeChain;
  readonly ledger: TellingLedger;
  readonly signer = new FakeSigner();
  readonly changed: string[] = [];
  readonly reached: Failpoint[] = [];
  readonly said: Said[] = [];
  /** Number of refusals that proved nothing. */
  inVain = 0;
  /**
   * Number of times that the machine checked with the domain whether an attempt is still wanted.
   */
  requested = 0;
  rejection: string | null = null;
  /** Result of the account check after a rejection that may be due to the account. */
  cause: RejectionCause | null = null;
  isStrict = false;
  /** True if the domain recognises calls on chain as calls of this service. */
  isOurs = false;
  readonly calls: CallReader = {
    submissionOf: (target, calldata) =>
      this.isOurs
        ? { ...submission({ target, calldata, key: 'of another ledger' }), id: 'another' }
        : null,
  };
  readonly alarms: Alarms = {
    foreign: 0,
    reopened: 0,
    reopenedFinal: 0,
    disprovedRefusals: 0,
    sharedInstanceIds: 0,
  };
  readonly storeTime: StoreTime;
  readonly lease: LaneLease;
  readonly hints: AttemptCache;
  readonly account: Lane;
  readonly sender: Sender;
  readonly worker: LaneWorker;

  /**
   * Creates a lane that is not leased yet.
   * @param beside bench whose chain and ledger this lane uses too; null to create a new chain and
   *   ledger
   */
  constructor(
    change: Partial<SubmissionSettings> = {},
    address: Felt = LANE,
    beside: LaneBench | null = null,
  ) {
    this.clock = beside?.clock ?? new ManualClock(100_000);
    this.chain = beside?.chain ?? new FakeChain();
    this.ledger = beside?.ledger ?? new TellingLedger({ clock: this.clock });
    const merged = { ...settings, ...change };
    const identity = { address, role: 'relay' } as const;
    const changes = new SubmissionNotifier();
    changes.changed = (id) => void this.changed.push(id);
    changes.moved = (id) => void this.changed.push(id);
    const say =
      (level: Said['level']) =>
      (fields: LogFields): void =>
        void this.said.push({ level, fields });
    const logger: Logger = {
      ...silentLogger,
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
    };
    const { ledger, chain, signer, clock } = this;
    const reached = (checkpoint: Failpoint): void => void this.reached.push(checkpoint);
    const revalidator = {
      rejectionOf: async (): Promise<string | null> => {
        this.requested += 1;
        return this.rejection;
      },
    };
    this.lease = new LaneLease(identity, ledger, clock, logger, this.alarms, UNSHARED, merged);
    this.storeTime = new StoreTime(clock);
    this.storeTime.read(clock.nowMs());
    this.hints = new AttemptCache({ ledger, signer, clock, storeTime: this.storeTime });
    const on = {
      ledger,
      reader: chain,
      history: chain,
      accountCheck: chain,
      accountHistory: chain,
      broadcaster: chain,
      calls: this.calls,
      signer,
      revalidator,
      changes,
      clock,
      logger,
      failpoint: reached,
    };
    this.account = new Lane(
      identity,
      this.lease,
      this.hints,
      this.storeTime,
      this.alarms,
      new LedgerJudge(on, { ...merged, lanes: [identity] }),
      on,
      merged,
      {
        answered: () => undefined,
        isStrict: () => this.isStrict,
        diagnose: async () => this.cause,
        refused: () => undefined,
      },
    );
    const { sender, rejections } = this.account;
    this.sender = sender;
    const note = rejections.note.bind(rejections);
    rejections.note = (...refused) => {
      this.inVain += 1;
      note(...refused);
    };
    this.worker = new LaneWorker(this.account);
  }

  /** Returns a bench whose lane is leased, introduced and polled once. */
  static async held(...given: ConstructorParameters<typeof LaneBench>): Promise<LaneBench> {
    const bench = new LaneBench(...given);
    await bench.poll();
    bench.fresh();
    return bench;
  }

  /** Polls the chain, then judges the ledger, as the engine does. */
  async poll(): Promise<void> {
    await this.worker.poll();
    await this.account.judge.judge();
  }

  head(): Promise<ChainHead> {
    return this.chain.head([this.account.address]);
  }

  async accepted(key: string, change: Partial<Wanted> = {}): Promise<Attempt> {
    const wanted = {
      ...submission({ key, ...change }),
      id: `id of ${key}`,
      deadlineAfterMs: 600_000,
    };
    const { attempt } = await this.ledger.apply({ type: 'request', submission: wanted });
    if (attempt === null) throw new Error('the request was not recorded');
    return attempt;
  }

  /** Sends the call of a new attempt and records the node's response. */
  async sent(key: string): Promise<Attempt> {
    const attempt = await this.accepted(key);
    await this.account.prepare(attempt, await this.head());
    await this.sender.idle();
    return this.now(attempt);
  }

  async now(attempt: Attempt): Promise<Attempt> {
    const found = await this.ledger.attempt(attempt);
    if (found === null) throw new Error('the attempt is gone');
    return found;
  }

  /**
   * Processes one nonce. `reportedStatus` is the status of each of its transactions; null if no
   * status was read.
   */
  async follow(
    nonce: OpenNonce | undefined,
    reportedStatus: TransactionStatus | null = { kind: 'unknown' },
    change: Partial<Poll> = {},
  ): Promise<void> {
    if (nonce === undefined) throw new Error('no nonce is open');
    const sightings = new Map(
      reportedStatus === null ? [] : nonce.transactions.map(({ hash }) => [hash, reportedStatus]),
    );
    const blocks = [...sightings.values()].flatMap((shown) =>
      shown.kind === 'accepted' ? [shown.block] : [],
    );
    const [block] = blocks;
    const usual = {
      evidence: block === undefined ? null : confirming(block),
      liveAbove: false,
      workWaits: false,
      isQuarantined: false,
      isJudged: true,
      canSign: true,
    };
    const poll = { head: await this.head(), sightings, ...usual, ...change };
    await noteChain(this.account, nonce, poll);
    await followNonce(this.account, nonce, poll);
    await this.sender.idle();
  }

  /**
   * Creates this many free nonces below a transaction that could land. The nonces are free because
   * their transactions were refused.
   */
  async withGaps(gaps: number): Promise<void> {
    const answered = gate();
    this.chain.script(
      ...Array.from({ length: gaps }, () => ({ ...REFUSED, after: answered.opened })),
      LOST,
    );
    const head = await this.head();
    for (let gap = 0; gap < gaps; gap += 1)
      await this.account.prepare(await this.accepted(`refused ${gap}`), head);
    await this.account.prepare(await this.accepted('above'), head);
    answered.open();
    await this.sender.idle();
  }

  /**
   * Creates a no-op without a response under nonce 0, below a transaction at nonce 1 that could
   * land.
   */
  async withLoneNoop(): Promise<void> {
    await this.withGaps(1);
    this.chain.script(LOST);
    await this.follow((await this.open())[0], undefined, { liveAbove: true });
  }

  open(): Promise<readonly OpenNonce[]> {
    return this.ledger.openNonces(LANE);
  }

  /** Clears everything that was recorded before. */
  fresh(): void {
    for (const list of [this.ledger.events, this.changed, this.reached, this.said]) list.length = 0;
    this.requested = 0;
  }

  errors(): readonly Said[] {
    return this.said.filter(({ level }) => level === 'error');
  }
}
