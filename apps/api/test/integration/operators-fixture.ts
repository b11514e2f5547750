import { silentLogger, toFelt } from '@sotto/kernel';
import type { ManualClock } from '@sotto/kernel/testing';
import {
  FollowOperations,
  GetOperatorSeries,
  ListSubmissions,
  OperateSubmission,
  RecordAction,
  type Operations,
} from '@sotto/relayer-core';
import { InMemoryOperatorLog, InMemorySettlementHistory } from '@sotto/relayer-core/testing';
import { EXAMPLE_POOL, EXAMPLE_SWAP_POOL } from '@sotto/routes';
import { SubmissionNotifier } from '@sotto/submission-core';
import {
  InMemoryLedger,
  InMemorySubmissionRegister,
  LedgerDriver,
} from '@sotto/submission-core/testing';

export const CHAIN_ID = toFelt('0x534e5f4d41494e');
export const POOL = toFelt(EXAMPLE_POOL);

const pools = [
  {
    key: 'sentinel_1x',
    address: POOL,
    kind: 'withdraw',
    token: { symbol: 'WBTC', address: toFelt('0x3fe2b'), decimals: 8 },
    batchSizes: [3, 5, 7],
  },
  { key: 'swap', address: toFelt(EXAMPLE_SWAP_POOL), kind: 'swap_output', tokens: [] },
] as const;

const policy = { pools, answerAt: 'preconfirmed' } as const;

/** A register that counts its reads. */
class CountedRegister extends InMemorySubmissionRegister {
  reads = 0;
  failure: Error | null = null;

  override async page(...requested: Parameters<InMemorySubmissionRegister['page']>) {
    this.#answer();
    return super.page(...requested);
  }

  override async ofId(id: string) {
    this.#answer();
    return super.ofId(id);
  }

  #answer(): void {
    this.reads += 1;
    if (this.failure !== null) throw this.failure;
  }
}

class CountedLog extends InMemoryOperatorLog {
  reads = 0;
  failure: Error | null = null;

  override async page(...requested: Parameters<InMemoryOperatorLog['page']>) {
    this.reads += 1;
    if (this.failure !== null) throw this.failure;
    return super.page(...requested);
  }
}

/** The operators' use cases, with the ledger, the action log and the history in memory. */
export class OperatorsFixture {
  readonly ledger: InMemoryLedger;
  readonly driver: LedgerDriver;
  readonly log: CountedLog;
  readonly #register: CountedRegister;
  readonly history = new InMemorySettlementHistory();
  readonly changes = new SubmissionNotifier();
  /** Ids of the submissions for which an operator requested a retry. */
  readonly retried: string[] = [];

  readonly listSubmissions: ListSubmissions;
  readonly operateSubmission: OperateSubmission;
  readonly followOperations: FollowOperations;
  readonly getOperatorSeries: GetOperatorSeries;
  readonly recordAction: RecordAction;

  constructor(clock: ManualClock, operations: () => Promise<Operations>) {
    this.ledger = new InMemoryLedger({ clock });
    this.driver = new LedgerDriver(this.ledger);
    this.log = new CountedLog(clock);
    const { ledger, changes } = this;
    const register = new CountedRegister(ledger);
    this.#register = register;
    const engine = { retry: (id: string) => void this.retried.push(id) };
    this.listSubmissions = new ListSubmissions(register, { ...policy, chainId: CHAIN_ID });
    this.operateSubmission = new OperateSubmission({ register, ledger, engine, changes }, policy);
    this.followOperations = new FollowOperations(
      { register, operations: { execute: operations }, changes, clock, logger: silentLogger },
      {
        ...policy,
        maxStreams: 2,
        maxQueued: 100,
        heartbeatMs: 15_000,
        rowsIntervalMs: 1_000,
        statusIntervalMs: 5_000,
      },
    );
    this.getOperatorSeries = new GetOperatorSeries(this.history, clock, pools);
    this.recordAction = new RecordAction(this.log, silentLogger);
  }

  /**
   * Runs `followOperations`. The property `failure` makes the other use cases fail, but not this
   * one.
   */
  follow(signal: AbortSignal): ReturnType<FollowOperations['execute']> {
    const { failure } = this.#register;
    if (failure !== null) throw failure;
    return this.followOperations.execute(signal);
  }

  /** Makes every port fail with this error. */
  fail(failure: Error): void {
    this.#register.failure = failure;
    this.log.failure = failure;
    this.history.fail(failure);
  }

  /** Number of reads that operators' requests caused. */
  get requested(): number {
    return this.#register.reads + this.history.reads + this.log.reads;
  }
}
