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
  /**
   * Pools whose batches this task deploys. The contracts of these pools must not deploy batches
   * automatically.
   */
  readonly pools: readonly ServedPool[];
  /** One of the accounts that send deployments. */
  readonly relayAccount: Felt;
  /**
   * Time in seconds of the chain's clock. When enough deposits for the smallest full batch wait,
   * the task waits this long for a larger batch. Recommended: 3,600.
   */
  readonly crowdWaitSeconds: number;
  /**
   * Minimum age of the youngest deposit for a partial batch, in seconds of the chain's clock. Such
   * a batch contains all waiting deposits, at least two. Null (recommended) disables partial
   * batches.
   */
  readonly partialAfterSeconds: number | null;
  readonly retry: RetryPolicy;
  /**
   * Pause between the end of one round and the start of the next, in milliseconds. Recommended:
   * 30,000.
   */
  readonly intervalMs: number;
}

export interface DueBatchesPorts extends TaskCallPorts {
  /** Reader of the current pool status, as in {@link DeployBatch}. */
  readonly reader: Pick<PoolReader, 'poolStatus'>;
  readonly events: Pick<PoolEvents, 'agesOf'>;
  readonly submissions: Pick<Submissions, 'last'>;
  readonly deployBatch: Pick<DeployBatch, 'execute'>;
  readonly clock: Clock;
}

/**
 * Deploys waiting deposits of pools whose contracts do not deploy them, in the largest allowed
 * batch. The task calls the use case that also serves manual deployments. So manual and automatic
 * deployments have the same key, which contains the batch's first leaf. If a node returns an old
 * status, the resulting key belongs to a batch that the ledger already has.
 */
export class DeployDueBatches implements KeeperTask {
  /** Kinds of the submissions that this task sends. */
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
   * @throws PoolNotSupported for an unknown subject, or the error of a read; in these cases nothing
   *   was submitted
   */
  async attend(subject: string, gate: TaskGate): Promise<TaskReport> {
    const pool = this.policy.pools.find(({ key }) => key === subject);
    if (pool === undefined) throw new PoolNotSupported();
    const status = await this.ports.reader.poolStatus(pool.address);
    const last = await this.ports.submissions.last(
      deploymentKey(this.policy.chainId, pool.address, status),
    );
    // The batch is already on chain, so the pool's status is stale.
    if (last?.state === 'succeeded') return skipped('NODE_BEHIND', { submissionId: last.id });
    const waits =
      (await this.#calls.waitAfter(subject, last)) ?? (await this.#choose(pool, status));
    if ('outcome' in waits) return waits;
    const { target, calldata } = deploymentCall(pool.address, waits);
    const cost = await this.#calls.costOf({ ...target, calldata }, this.policy.relayAccount);
    return 'outcome' in cost ? cost : this.#deploy(pool, status, waits, cost.costFri, gate);
  }

  /** Returns the batch that is due now, or a report with the reason why no batch is due. */
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

/** Thrown if the gate rejects a batch right before its submission. */
class NotAdmitted extends Error {
  constructor(readonly reason: SkipReason) {
    super(reason);
  }
}
