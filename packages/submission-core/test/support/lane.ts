import { silentLogger, type Felt, type LogFields, type Logger } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  Changes,
  type Attempt,
  type ChainHead,
  type Checkpoint,
  type OpenNonce,
  type Recorded,
  type SubmissionEvent,
  type SubmissionSettings,
} from '../../src/index.js';
import { AttemptHints } from '../../src/application/attempt-hints.js';
import { LaneContext } from '../../src/application/lane-context.js';
import { LaneLease } from '../../src/application/lane-lease.js';
import { LaneWorker } from '../../src/application/lane-worker.js';
import { Sender } from '../../src/application/sender.js';
import { FakeChain, FakeSigner, InMemoryLedger } from '../../src/testing/index.js';
import { LANE, settings, submission, type Wanted } from '../unit/world.js';

/** What was said, by level. */
export interface Said {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: LogFields;
}

/** A ledger that remembers which events it was told. */
class TellingLedger extends InMemoryLedger {
  readonly events: SubmissionEvent['type'][] = [];

  override async record(event: SubmissionEvent): Promise<Recorded> {
    this.events.push(event.type);
    return super.record(event);
  }
}

/** One leased lane with all its parts, and no loop around it. */
export class LaneBench {
  readonly clock: ManualClock;
  readonly chain: FakeChain;
  readonly ledger: TellingLedger;
  readonly signer = new FakeSigner();
  readonly changed: string[] = [];
  readonly reached: Checkpoint[] = [];
  readonly said: Said[] = [];
  /** Refusals that proved nothing. */
  inVain = 0;
  /** How often the domain was asked, and what it answers. */
  asked = 0;
  refusal: string | null = null;
  readonly lease: LaneLease;
  readonly hints: AttemptHints;
  readonly context: LaneContext;
  readonly sender: Sender;
  readonly worker: LaneWorker;

  /** @param beside another lane of the same chain and ledger */
  constructor(change: Partial<SubmissionSettings> = {}, address: Felt = LANE, beside: LaneBench | null = null) {
    this.clock = beside?.clock ?? new ManualClock(100_000);
    this.chain = beside?.chain ?? new FakeChain();
    this.ledger = beside?.ledger ?? new TellingLedger({ clock: this.clock });
    const merged = { ...settings, ...change };
    const lane = { address, role: 'relay' } as const;
    const changes = new Changes();
    changes.changed = (id) => void this.changed.push(id);
    const note =
      (level: Said['level']) =>
      (fields: LogFields): void =>
        void this.said.push({ level, fields });
    const logger: Logger = { ...silentLogger, info: note('info'), warn: note('warn'), error: note('error') };
    const { ledger, chain, signer, clock } = this;
    const reached = (checkpoint: Checkpoint): void => void this.reached.push(checkpoint);
    const readmission = {
      refusalOf: async (): Promise<string | null> => {
        this.asked += 1;
        return this.refusal;
      },
    };
    this.lease = new LaneLease(lane, ledger, clock, logger, merged);
    this.hints = new AttemptHints({ ledger, signer, clock });
    const on = { ledger, reader: chain, history: chain, signer, readmission, changes, clock, logger, reached };
    this.context = new LaneContext(lane, this.lease, this.hints, on, merged);
    this.sender = new Sender({ ledger, broadcaster: chain, changes, clock, logger, reached }, merged, {
      refused: () => undefined,
      refusedInVain: () => {
        this.inVain += 1;
      },
    });
    this.worker = new LaneWorker(this.context, this.sender);
  }

  static async held(...given: ConstructorParameters<typeof LaneBench>): Promise<LaneBench> {
    const bench = new LaneBench(...given);
    await bench.lease.hold();
    return bench;
  }

  head(): Promise<ChainHead> {
    return this.chain.head([LANE]);
  }

  async accepted(key: string, change: Partial<Wanted> = {}): Promise<Attempt> {
    const atMs = this.clock.nowMs();
    const wanted = { ...submission({ key, ...change }), id: `id of ${key}`, deadlineMs: atMs + 600_000 };
    const { attempt } = await this.ledger.record({ type: 'request', submission: wanted, atMs });
    if (attempt === null) throw new Error('the request was not recorded');
    return attempt;
  }

  /** An attempt with its call sent; the answer is recorded. */
  async sent(key: string): Promise<Attempt> {
    const attempt = await this.accepted(key);
    await this.worker.prepare(attempt, await this.head());
    await this.sender.idle();
    return this.now(attempt);
  }

  async now(attempt: Attempt): Promise<Attempt> {
    const found = await this.ledger.attempt(attempt);
    if (found === null) throw new Error('the attempt is gone');
    return found;
  }

  open(): Promise<readonly OpenNonce[]> {
    return this.ledger.openNonces(LANE);
  }

  /** Forgets what was told so far. */
  fresh(): void {
    for (const list of [this.ledger.events, this.changed, this.reached, this.said]) list.length = 0;
    this.asked = 0;
  }

  errors(): readonly Said[] {
    return this.said.filter(({ level }) => level === 'error');
  }
}
