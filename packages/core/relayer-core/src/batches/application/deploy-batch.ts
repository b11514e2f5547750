import { CODES_OF } from '@sotto/facts';
import { KeyedMutex, type Clock, type Felt } from '@sotto/kernel';
import {
  isLive,
  simulationReverted,
  type ResourceLimits,
  type Submissions,
  type CallSimulator,
} from '@sotto/submission-core';
import {
  batchFingerprint,
  batchPurpose,
  checkBatchCount,
  deploymentCall,
  deploymentKey,
  type Batch,
} from '../domain/batch.js';
import {
  denominatedPool,
  type NotePool,
  type PoolStatus,
  type ServedPool,
} from '../../pools/domain/pool.js';
import { BatchTooLarge, DeploymentInProgress } from '../../errors.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import type { BatchRequester, BatchRule } from './batch-rule.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { SubmissionWatch } from '../../relay/application/submission-watch.js';
import { assertNotRejected, type StandingAnswer } from '../../relay/application/submission-end.js';

/**
 * Resource bounds of a deployment. A batch is estimated to use 1.2 M L2 gas (specification,
 * "Limits"). The L2 bound also suffices for a batch of 7 and for a vault that forwards the deposit
 * to its own strategy. Unused gas is not charged. At the minimum gas price an account needs half a
 * STRK for the L2 bound, compared with 28.8 STRK for a withdrawal. The L1 bounds equal those of
 * withdrawals.
 */
export const DEPLOYMENT_LIMITS: ResourceLimits = {
  l2Gas: 20_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

/** Identifies the waiting deposits of a pool, which are the last `undeployedCount` leaves. */
export type WaitingLeaves = Pick<PoolStatus, 'nextIndex' | 'undeployedCount'>;

export interface DeployBatchInput extends Batch, SubmissionWatch {
  readonly poolAddress: Felt;
  /**
   * Waiting deposits for which the caller chose `count`. If different deposits wait now, no batch
   * is deployed. Then a deployment in flight is not returned either, because it may contain
   * different deposits. @default any waiting deposits
   */
  readonly chosenFor?: WaitingLeaves;
  /** Caller of the deployment, which decides which batches are allowed. @default 'anyone' */
  readonly requester?: BatchRequester;
  /**
   * Maximum wait for a deployment in flight and for the execution, in milliseconds. If this time
   * passes first, the call throws `DeploymentInProgress` or returns "undecided".
   */
  readonly waitMs: number;
  /** Signal that ends the wait of the caller. The submission continues. */
  readonly signal?: AbortSignal;
}

export interface DeployedBatch {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
}

export interface DeploymentPolicy {
  readonly chainId: Felt;
  readonly pools: readonly NotePool[];
  /** One of the accounts that send deployments, which is also the sender in simulations. */
  readonly relayAccount: Felt;
  /** @default {@link DEPLOYMENT_LIMITS} */
  readonly limits?: ResourceLimits;
}

/**
 * Interval between two checks of a deployment that is in flight, in milliseconds. With this value,
 * there are a few checks per block.
 */
const POLL_AGAIN_MS = 500;
/** Approximate time between two blocks, in seconds. */
const RETRY_AFTER_SECONDS = 5;

const ROLE = 'relay';

/** Submission that deploys a batch. `began` is true if this request created the submission. */
interface PlacedBatch {
  readonly submissionId: string;
  readonly began: boolean;
}

interface Deployment {
  readonly submissionId: string;
  readonly fingerprint: string;
}

/**
 * Deploys waiting deposits of a pool to the pool's vault as one batch. A pool has at most one
 * deployment in flight.
 */
export class DeployBatch {
  /** Error codes of the API route that deploys batches. */
  static readonly throws = CODES_OF.deployBatch;

  readonly #turns = new KeyedMutex();
  /**
   * Last known deployment of each served pool. The map is only a cache: after a reorg, a deployment
   * that is missing here may be in flight again. In this case the pool's leaves yield the same key,
   * and the ledger finds the attempt under this key.
   */
  readonly #current = new Map<Felt, Deployment>();

  /**
   * @param reader reads the current status. The status must not be cached, because a cached status
   *   may be from before the last deployment
   */
  constructor(
    private readonly reader: Pick<PoolReader, 'poolStatus' | 'preConfirmedWaiting'>,
    private readonly simulator: CallSimulator,
    private readonly submissions: Submissions,
    private readonly guard: PoolCircuitBreaker,
    private readonly rule: BatchRule,
    private readonly clock: Clock,
    private readonly policy: DeploymentPolicy,
  ) {}

  /**
   * Deploys a batch and returns its outcome: executed (with or without a revert) or undecided.
   *
   * Until a deployment is at ACCEPTED_ON_L2, an equal call returns the outcome of this deployment.
   * A different call waits, and is then judged by the deposits that wait at that time. If the queue
   * is full, the call returns a deployment only if this instance knows that the deployment is in
   * flight; other requests are rejected without a read. A simulation detects all other reasons for
   * a revert (pool paused, account not a relayer) before any gas is spent.
   *
   * @throws PoolNotSupported, PoolWithoutDenomination, BatchCountInvalid, PartialBatchReserved,
   *   BatchTooLarge, BatchTooYoung, BatchSplitsCrowd, DeploymentInProgress, QueueFull,
   *   LedgerBehindChain, PoolPaused, BudgetExhausted, SimulationReverted, or the error of a read;
   *   in these cases nothing was sent
   * @throws SubmissionRefused, SubmissionExpired if the attempt was accepted, but none of its
   *   transactions is on chain or can still be included
   */
  async execute({
    poolAddress,
    count,
    partial,
    chosenFor,
    requester = 'anyone',
    beforeSubmission,
    waitMs,
    signal,
    onSubmission,
  }: DeployBatchInput): Promise<DeployedBatch> {
    const pool = denominatedPool(this.policy.pools, poolAddress);
    const batch: Batch = { count, partial };
    checkBatchCount(batch, pool);
    this.rule.checkRequester(batch, requester);
    const untilMs = this.clock.monotonicMs() + waitMs;
    const leftMs = (): number =>
      signal?.aborted === true ? 0 : Math.max(0, untilMs - this.clock.monotonicMs());
    for (;;) {
      const placed = await this.#turns.run(pool.address, () =>
        this.#place(pool, batch, requester, chosenFor, beforeSubmission),
      );
      if (placed !== null) {
        const { submissionId, began } = placed;
        await onSubmission?.(submissionId, began);
        return {
          submissionId,
          answer: assertNotRejected(await this.submissions.waitFor(submissionId, leftMs(), signal)),
        };
      }
      if (leftMs() === 0)
        throw new DeploymentInProgress({ retryAfterSeconds: RETRY_AFTER_SECONDS });
      await this.clock.sleep(Math.min(leftMs(), POLL_AGAIN_MS), signal);
    }
  }

  /**
   * Returns the submission that deploys the batch. Returns null if another deployment of the pool
   * is in flight, or if the waiting deposits differ from `chosenFor`.
   */
  async #place(
    pool: ServedPool,
    batch: Batch,
    requester: BatchRequester,
    chosenFor: WaitingLeaves | undefined,
    beforeSubmission: SubmissionWatch['beforeSubmission'],
  ): Promise<PlacedBatch | null> {
    const { address } = pool;
    const fingerprint = batchFingerprint(batch);
    const current = await this.#inFlight(address);
    if (current !== null)
      return chosenFor === undefined && current.fingerprint === fingerprint
        ? { submissionId: current.submissionId, began: false }
        : null;

    const rejection =
      (await this.submissions.checkQueueCapacity(ROLE)) ?? (await this.guard.peek(pool, 'batch'));
    if (rejection !== null) throw rejection;
    const [status, preConfirmed] = await Promise.all([
      this.reader.poolStatus(address),
      this.reader.preConfirmedWaiting(address),
    ]);
    if (chosenFor !== undefined && !isSameCrowd(status, chosenFor)) return null;
    const undeployed = Math.min(status.undeployedCount, preConfirmed);
    if (batch.count > undeployed) throw new BatchTooLarge({ details: { undeployed } });
    await this.rule.checkBatch(pool, batch, requester, status, preConfirmed);
    const { target, calldata } = deploymentCall(address, batch);
    const simulation = await this.simulator.simulate(
      { ...target, calldata },
      this.policy.relayAccount,
    );
    if (!simulation.ok) throw simulationReverted(simulation.reason);
    const key = deploymentKey(this.policy.chainId, address, status);
    const { kind, attempt } = await this.guard.confirm(
      { pool, kind: 'batch', key, costFri: null },
      async () => {
        await beforeSubmission?.();
        return this.submissions.submit({
          key,
          effect: fingerprint,
          fingerprint,
          ...batchPurpose(address),
          role: ROLE,
          target,
          calldata,
          limits: this.policy.limits ?? DEPLOYMENT_LIMITS,
          terms: null,
          // If a reorg causes a second execution, it deploys the next waiting deposits, or reverts
          // if there are too few. No money leaves the pool.
          replayProtected: true,
        });
      },
    );
    // The ledger already has a successful batch that begins at this leaf. So the status is stale
    // and must be read again.
    if (kind !== 'accepted' && !isLive(attempt.state)) return null;
    this.#current.set(address, { submissionId: attempt.id, fingerprint: attempt.fingerprint });
    return attempt.fingerprint === fingerprint
      ? { submissionId: attempt.id, began: kind === 'accepted' }
      : null;
  }

  /**
   * Returns the pool's deployment that is in flight, if this instance knows one. Deployments of
   * other instances are found by their key in the ledger.
   */
  async #inFlight(pool: Felt): Promise<Deployment | null> {
    const current = this.#current.get(pool);
    if (current === undefined) return null;
    const answer = await this.submissions.find(current.submissionId);
    if (answer !== null && isLive(answer.attempt.state)) return current;
    this.#current.delete(pool);
    return null;
  }
}

function isSameCrowd(left: WaitingLeaves, right: WaitingLeaves): boolean {
  return left.nextIndex === right.nextIndex && left.undeployedCount === right.undeployedCount;
}
