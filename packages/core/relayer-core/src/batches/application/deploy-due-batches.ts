import type { SkipReason } from '@sotto/facts';
import {
  skipped,
  skippedFor,
  TaskCalls,
  type KeeperTask,
  type RetryPolicy,
  type TaskGate,
  type TaskReport,
  type TaskCallPorts,
} from '@sotto/keeper-core';
import type { Clock, Felt } from '@sotto/kernel';
import type { Submissions } from '@sotto/submission-core';
import { PoolNotSupported } from '../../errors.js';
import { deploymentCall, deploymentKey, type Batch } from '../domain/batch.js';
import { dueBatch } from '../domain/due-batch.js';
import type { PoolStatus, ServedPool } from '../../pools/domain/pool.js';
import type { PoolEvents } from '../../pools/ports/pool-events.port.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import type { DeployBatch } from './deploy-batch.js';

export interface DueBatchesPolicy {
  readonly chainId: Felt;
  /** Pools that are looked at: their contracts must not deploy by themselves. */
  readonly pools: readonly ServedPool[];
  /** One of the accounts that deployments are sent from. */
  readonly relayAccount: Felt;
  /**
   * How long a larger batch is waited for once the smallest full one is there, in seconds of the
   * chain's clock; 3,600 serves.
   */
  readonly crowdWaitSeconds: number;
  /**
   * How long the youngest deposit has to have waited for all to be deployed together in whatever
   * number above one, in seconds of the chain's clock; null, which serves, where no partial batch
   * is made.
   */
  readonly partialAfterSeconds: number | null;
  readonly retry: RetryPolicy;
  /** From the end of one look to the next, in milliseconds; 30,000 serves. */
  readonly intervalMs: number;
}

export interface DueBatchesPorts extends TaskCallPorts {
  /** Of the present status, as {@link DeployBatch} reads it. */
  readonly reader: Pick<PoolReader, 'poolStatus'>;
  readonly events: Pick<PoolEvents, 'agesOf'>;
  readonly submissions: Pick<Submissions, 'last'>;
  readonly deployBatch: Pick<DeployBatch, 'execute'>;
  readonly clock: Clock;
}

/**
 * Deploys the deposits that wait in pools whose contracts do not, in as large a batch as may be:
 * through the use case that serves a deployment by hand, so that both have one key, which names the
 * batch's first leaf. An old answer of the node names a leaf whose batch the ledger already has.
 */
export class DeployDueBatches implements KeeperTask {
  /** Of its submissions. */
  static readonly kinds: readonly string[] = ['deploy_batch'];

  readonly name = 'batches';
  readonly kinds = DeployDueBatches.kinds;
  readonly intervalMs: number;
  readonly #calls: TaskCalls;

  constructor(
    private readonly ports: DueBatchesPorts,
    private readonly policy: DueBatchesPolicy,
  ) {
    this.intervalMs = policy.intervalMs;
    this.#calls = new TaskCalls(this.name, ports, policy.retry);
  }

  async subjects(): Promise<readonly string[]> {
    return this.policy.pools.map(({ key }) => key);
  }

  /**
   * @throws PoolNotSupported for another subject, or the error of a read; nothing was submitted
   *   then.
   */
  async attend(subject: string, gate: TaskGate): Promise<TaskReport> {
    const pool = this.policy.pools.find(({ key }) => key === subject);
    if (pool === undefined) throw new PoolNotSupported();
    const status = await this.ports.reader.poolStatus(pool.address);
    const last = await this.ports.submissions.last(
      deploymentKey(this.policy.chainId, pool.address, status),
    );
    // The batch stands on chain, and the status is from before.
    if (last?.state === 'succeeded') return skipped('NODE_BEHIND', { submissionId: last.id });
    const waits =
      (await this.#calls.waitAfter(subject, last)) ?? (await this.#choose(pool, status));
    if ('outcome' in waits) return waits;
    const { target, calldata } = deploymentCall(pool.address, waits);
    const cost = await this.#calls.costOf({ ...target, calldata }, this.policy.relayAccount);
    return 'outcome' in cost ? cost : this.#deploy(pool, status, waits, cost.costFri, gate);
  }

  /** The batch that is due, or the report of none. */
  async #choose(
    { address, batchSizes }: ServedPool,
    { nextIndex, undeployedCount: waiting }: PoolStatus,
  ): Promise<Batch | TaskReport> {
    const agesSeconds =
      waiting === 0 ? [] : await this.ports.events.agesOf(address, nextIndex - waiting, waiting);
    const choice = dueBatch({ ...this.policy, agesSeconds, batchSizes });
    if (choice.due) return choice.batch;
    const dueAtMs =
      choice.dueInSeconds === null ? null : this.ports.clock.nowMs() + choice.dueInSeconds * 1_000;
    return skipped('WAITING_FOR_CROWD', { waiting }, dueAtMs);
  }

  async #deploy(
    { address }: ServedPool,
    status: PoolStatus,
    batch: Batch,
    costFri: bigint,
    gate: TaskGate,
  ): Promise<TaskReport> {
    try {
      const { submissionId } = await this.ports.deployBatch.execute({
        poolAddress: address,
        ...batch,
        chosenFor: status,
        requester: 'keeper',
        beforeSubmission: async () => {
          const reason = await gate.admit(costFri);
          if (reason !== null) throw new NotAdmitted(reason);
        },
        waitMs: 0,
      });
      return { outcome: 'acted', submissionId, details: { ...batch } };
    } catch (error) {
      if (error instanceof NotAdmitted) return skipped(error.reason, { costFri: String(costFri) });
      return skippedFor(error, this.ports.clock.nowMs());
    }
  }
}

/** What the gate said when the batch was about to be submitted. */
class NotAdmitted extends Error {
  constructor(readonly reason: SkipReason) {
    super(reason);
  }
}
