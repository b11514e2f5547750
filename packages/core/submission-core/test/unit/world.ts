import { randomUUID } from 'node:crypto';
import { DomainError, Felts, silentLogger, toFelt, type Felt, type Logger } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  SubmissionNotifier,
  SubmissionEngine,
  SubmissionService,
  type Acceptance,
  type Attempt,
  type CallReader,
  type Failpoint,
  type InstanceBus,
  type Ledger,
  type SubmissionSettings,
  type WantedSubmission,
} from '../../src/index.js';
import { FakeChain, FakeChainEvents, FakeSigner } from '../../src/testing/index.js';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger.js';

/**
 * Returns the ledger as an {@link InMemoryLedger}. Throws if the world has another kind of ledger.
 */
export function inMemory(ledger: Ledger): InMemoryLedger {
  if (!(ledger instanceof InMemoryLedger)) throw new Error('the ledger of the world is another');
  return ledger;
}

export const LANE: Felt = toFelt('0x1a4e');

export const settings: SubmissionSettings = {
  instance: 'one',
  chainId: toFelt('0x534e5f54455354'),
  lanes: [{ address: LANE, role: 'relay' }],
  answerAt: 'preconfirmed',
  maxInFlightPerLane: 4,
  nonceWindow: 8,
  pollIntervalMs: 500,
  idleIntervalMs: 5_000,
  lookTimeoutMs: 8_000,
  leaseTtlMs: 15_000,
  resendAfterMs: 10_000,
  queueTimeoutMs: 60_000,
  deadlineMs: 600_000,
  ceilingL2PriceFri: 10n ** 12n,
  noopLimits: { l2Gas: 5_000_000n, l1Gas: 0n, l1DataGas: 1_000n, priceMultiplier: 3n },
  mempoolLifetimeMs: 300_000,
  attentionAfterMs: 300_000,
  horizonMs: 86_400_000,
  adoptBackMs: 7_200_000,
  acceptance: 'always',
  needsYoungHead: false,
  pauseOnForeign: false,
  strict: false,
  retentionMs: 86_400_000,
  redactionIntervalMs: 3_600_000,
};

export interface WorldOptions {
  readonly maxWaitingPerRole?: number;
  readonly logger?: Logger;
}

export type Wanted = WantedSubmission;

export function submission(change: Partial<Wanted> = {}): Wanted {
  return {
    key: '0x1|0xb7c|0x5',
    effect: 'does-this',
    fingerprint: 'asked-for-this',
    kind: 'withdraw',
    subject: toFelt('0xb7c'),
    memo: '0x5',
    role: 'relay',
    target: { to: toFelt('0xb7c'), entrypoint: 'withdraw' },
    calldata: Felts.of([1n, 2n, 3n]),
    limits: { l2Gas: 1_200_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n },
    terms: null,
    replayProtected: true,
    ...change,
  };
}

/**
 * Submission machine with all dependencies in memory. A test drives the machine: each call of
 * `round` makes one poll of the chain.
 */
export class World {
  readonly clock: ManualClock;
  readonly chain: FakeChain;
  readonly ledger: Ledger;
  readonly reached: Failpoint[] = [];
  readonly changes: SubmissionNotifier;
  readonly service: SubmissionService;
  readonly engine: SubmissionEngine;
  readonly signer = new FakeSigner();
  /**
   * Finds a requested submission by the target and the calldata of a call, like the domain does.
   */
  readonly calls: CallReader = {
    submissionOf: (target, calldata) => {
      const wanted = this.requested.find(
        (requested) => requested.target.to === target.to && requested.calldata.equals(calldata),
      );
      return wanted === undefined ? null : { ...wanted, id: randomUUID() };
    },
  };
  readonly requested: Wanted[] = [];
  readonly events = new FakeChainEvents();
  /**
   * Result of the revalidation of attempts. If it is a code, attempts end with this code. If it is
   * an error, the revalidation is undecided.
   */
  rejection: string | DomainError | null = null;
  /** Error with which the node's reads of the nonce history reject; null for none. */
  historyFailure: DomainError | null = null;

  constructor(
    change: Partial<SubmissionSettings> = {},
    before: Partial<Pick<World, 'clock' | 'chain' | 'ledger'>> = {},
    others?: InstanceBus,
    options: WorldOptions = {},
  ) {
    this.changes = new SubmissionNotifier(others);
    this.clock = before.clock ?? new ManualClock();
    this.chain = before.chain ?? new FakeChain();
    this.ledger = before.ledger ?? new InMemoryLedger({ clock: this.clock });
    const merged = { ...settings, ...change };
    const reached = (checkpoint: Failpoint): void => void this.reached.push(checkpoint);
    this.engine = new SubmissionEngine(
      {
        ledger: this.ledger,
        reader: this.chain,
        history: { consumerOf: (account, nonce) => this.#consumerOf(account, nonce) },
        accountHistory: this.chain,
        accountCheck: this.chain,
        calls: this.calls,
        broadcaster: this.chain,
        events: this.events,
        signer: this.signer,
        revalidator: { rejectionOf: () => this.#rejection() },
        changes: this.changes,
        clock: this.clock,
        logger: options.logger ?? silentLogger,
        failpoint: reached,
      },
      merged,
    );
    this.service = new SubmissionService(
      this.ledger,
      this.changes,
      (work) => this.engine.wake(work),
      this.clock,
      {
        answerAt: merged.answerAt,
        deadlineMs: merged.deadlineMs,
        newId: randomUUID,
        isLedgerBehind: () => this.engine.isLedgerBehind,
        maxWaitingPerRole: options.maxWaitingPerRole ?? 200,
      },
      reached,
    );
  }

  /** Returns a killed and restarted process with the same chain and ledger, and an empty memory. */
  restarted(change: Partial<SubmissionSettings> = {}, others?: InstanceBus): World {
    return new World(change, this, others);
  }

  async #consumerOf(account: Felt, nonce: bigint): Promise<Felt | null> {
    if (this.historyFailure !== null) throw this.historyFailure;
    return this.chain.consumerOf(account, nonce);
  }

  async #rejection(): Promise<string | null> {
    if (this.rejection instanceof DomainError) throw this.rejection;
    return this.rejection;
  }

  async submit(change: Partial<Wanted> = {}): Promise<Acceptance> {
    const wanted = submission(change);
    this.requested.push(wanted);
    return this.service.submit(wanted);
  }

  /**
   * Adds a call that the domain recognises as its own, although no test has submitted this call.
   */
  remember(key: string, change: Partial<Wanted> = {}): void {
    this.requested.push(submission({ key, ...change }));
  }

  /** Advances the clock until the engine's loop has polled the chain once. */
  async round(ms: number = settings.idleIntervalMs): Promise<void> {
    await flush();
    this.clock.advance(ms);
    await flush();
  }

  async last(key = submission().key): Promise<Attempt> {
    const attempt = await this.ledger.lastAttempt(key);
    if (attempt === null) throw new Error('nothing was submitted under this key');
    return attempt;
  }
}

/** Runs all pending work that does not wait for the clock. */
export async function flush(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
