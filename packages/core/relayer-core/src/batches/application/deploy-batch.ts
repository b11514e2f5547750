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
 * A batch is estimated at 1.2 M L2 gas (spec, Limits). The bound leaves room for a batch of 7 and
 * for a vault that passes the deposit on to its own strategy; what is not used is not charged, and
 * at the floor price an account needs half a STRK for it instead of a withdrawal's 28.8. L1 as for
 * withdrawals.
 */
export const DEPLOYMENT_LIMITS: ResourceLimits = {
  l2Gas: 20_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

/** Which deposits of a pool wait: the last `undeployedCount` ones. */
export type WaitingLeaves = Pick<PoolStatus, 'nextIndex' | 'undeployedCount'>;

export interface DeployBatchInput extends Batch, SubmissionWatch {
  readonly poolAddress: Felt;
  /**
   * The deposits that the count was chosen for: no batch is made of others, and a deployment in
   * flight, which may be of others, is no answer. @default whichever wait
   */
  readonly chosenFor?: WaitingLeaves;
  /** Decides with the rule for crowds which batches may be made. @default 'anyone' */
  readonly requester?: BatchRequester;
  /**
   * How long to wait for a turn and for an execution before the answer is "in progress" or
   * "undecided".
   */
  readonly waitMs: number;
  /** Ends the wait, never the submission. */
  readonly signal?: AbortSignal;
}

export interface DeployedBatch {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
}

export interface DeploymentPolicy {
  readonly chainId: Felt;
  readonly pools: readonly NotePool[];
  /**
   * One of the accounts that deployments are sent from: they are tried as its transactions before
   * anything is written.
   */
  readonly relayAccount: Felt;
  /** @default {@link DEPLOYMENT_LIMITS} */
  readonly limits?: ResourceLimits;
}

/**
 * How often a caller looks whether the deployment before its own is on chain: a few times per
 * block.
 */
const LOOK_AGAIN_MS = 500;
/** About the time between two blocks. */
const RETRY_AFTER_SECONDS = 5;

const ROLE = 'relay';

/** The submission that carries a batch, and whether this request has begun it. */
interface PlacedBatch {
  readonly submissionId: string;
  readonly began: boolean;
}

interface Deployment {
  readonly submissionId: string;
  readonly fingerprint: string;
}

/**
 * Makes waiting deposits of a pool an active batch in its vault. One deployment of a pool is on its
 * way at a time.
 */
export class DeployBatch {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.deployBatch;

  readonly #turns = new KeyedMutex();
  /**
   * The last known deployment of each pool; at most one per served pool. Only a hint: one that a
   * rollback puts on its way again is met by its key in the ledger, since the pool's leaves then
   * say that its batch is the next one again.
   */
  readonly #current = new Map<Felt, Deployment>();

  /** @param reader of the present status: what is cached may be a deployment behind. */
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
   * The answer to a deployment: executed (with or without a revert) or undecided. While a
   * deployment is not at ACCEPTED_ON_L2, an equal call gets its answer, and another one waits and
   * is judged on what the pool holds then. With a full queue only what this instance knows to be on
   * its way is answered; nothing is read for anything else. What the pool would refuse beyond the
   * count (it is paused, the account is no relayer) shows in a simulation, before it costs gas.
   * @throws PoolNotSupported, PoolWithoutDenomination, BatchCountInvalid, PartialBatchReserved,
   *   BatchTooLarge, BatchTooYoung, BatchSplitsCrowd, DeploymentInProgress, QueueFull,
   *   LedgerBehindChain, PoolPaused, BudgetExhausted, SimulationReverted, or the error of a read;
   *   nothing was sent then.
   * @throws SubmissionRefused, SubmissionExpired when it was accepted but nothing of it is or can
   *   be on chain.
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
      await this.clock.sleep(Math.min(leftMs(), LOOK_AGAIN_MS), signal);
    }
  }

  /**
   * The submission that carries the batch; null while another deployment holds the pool,
   * or other deposits wait than the count was chosen for.
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

    const refusal =
      (await this.submissions.checkQueueCapacity(ROLE)) ?? (await this.guard.peek(pool, 'batch'));
    if (refusal !== null) throw refusal;
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
          // Executed twice, after a rollback, it makes a batch of the next deposits that wait, or
          // reverts where too few do: no money leaves the pool.
          replayProtected: true,
        });
      },
    );
    // A batch that begins here has succeeded, so the status is older than that: it has to be read
    // again.
    if (kind !== 'accepted' && !isLive(attempt.state)) return null;
    this.#current.set(address, { submissionId: attempt.id, fingerprint: attempt.fingerprint });
    return attempt.fingerprint === fingerprint
      ? { submissionId: attempt.id, began: kind === 'accepted' }
      : null;
  }

  /**
   * The pool's deployment that is not on chain for good. One that began elsewhere is met by its key
   * in the ledger.
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
