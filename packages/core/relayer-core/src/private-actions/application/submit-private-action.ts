import { CODES_OF } from '@sotto/facts';
import { friToFeeToken } from '@sotto/market-core';
import {
  KeyedMutex,
  SingleFlight,
  UNNAMED_CALLER,
  ok,
  settle,
  unwrap,
  widestOf,
  type Caller,
  type Clock,
} from '@sotto/kernel';
import {
  LedgerUnavailable,
  requestsEqual,
  requestsSame,
  type Acceptance,
  type Attempt,
  type ResourceLimits,
  type Submissions,
  type WantedSubmission,
} from '@sotto/submission-core';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { ChecksReport } from '../../relay/domain/check-report.js';
import { holdsKey, mayTakeNewer } from '../../relay/domain/holding.js';
import type { ExclusiveLocks } from '../../relay/application/exclusive-locks.js';
import { FairSemaphore } from '../../relay/application/fair-semaphore.js';
import { assertNotRejected, type StandingAnswer } from '../../relay/application/submission-end.js';
import type { SubmissionWatch } from '../../relay/application/submission-watch.js';
import { APPLY_ACTIONS_ENTRYPOINT } from '../../pools/domain/apply-actions-call.js';
import { inFeeToken } from '../domain/private-action-cost.js';
import { SponsorBudgetExhausted } from '../domain/private-action-errors.js';
import { PRIVATE_ACTION_KIND } from '../../pools/domain/private-action-key.js';
import { lastBlockOf } from '../domain/proof-facts.js';
import { dayOf, secondsLeftOfDay, type Sponsor } from '../domain/sponsors.js';
import { sponsoredBounds } from '../../circuit-breaker/domain/money.js';
import type { SponsorBudgets } from '../ports/sponsor-budgets.port.js';
import {
  requestOf,
  type PrivateActionAdmission,
  type PrivateActionInput,
} from './private-action-admission.js';
import { conflictWith, inProgress } from './private-action-checks.js';
import type { PrivateActionFacts, PrivateActionRequest, Promised } from './private-action-facts.js';
import {
  ceilingFri,
  digestOf,
  fitsLimits,
  latestSendMs,
  limitsFor,
  lockNamesOf,
} from './private-action-envelope.js';
import type { PromisedFees } from './promised-fees.js';
import { SponsorShares } from './sponsor-shares.js';

const ROLE = 'relay';

/**
 * Age in milliseconds from which a lock counts as unused if its attempt was not written. The writes
 * from the first lock to the attempt need less time, and the proof of other actions needs more.
 */
const LOCK_UNUSED_AFTER_MS = 20_000;

/**
 * Slots for the checks of one network. Contracts that a caller chose can delay a simulation for
 * seconds at no cost, so each network has only a part of the slots that all pools share.
 */
const NETWORK_SLOTS = { slots: Infinity, slotsPerName: 2, waitingPerName: 64 };
/** The same for callers whose network is unknown. Together they are many callers. */
const SHARED_SLOTS = { slots: Infinity, slotsPerName: 8, waitingPerName: 256 };

export interface SubmitPrivateActionInput extends PrivateActionInput, SubmissionWatch {
  /** Maximum milliseconds to wait for the execution. */
  readonly waitMs: number;
  /** Aborting ends the wait; the submission continues. */
  readonly signal?: AbortSignal;
  /**
   * Error that is thrown unless the same actions are in flight or have succeeded. With this error,
   * the request sends nothing and replaces no proof. @default none: the request may begin a
   * submission
   */
  readonly unlessKnown?: Error;
}

export interface SubmittedPrivateAction {
  readonly submissionId: string;
  readonly answer: StandingAnswer;
}

/** Objects that the use case shares with other kinds of submissions. */
export interface PrivateActionGuards {
  readonly guard: Pick<PoolCircuitBreaker, 'acquire' | 'confirm' | 'recordUpstream'>;
  readonly slots: FairSemaphore;
  /** Locks of the storage addresses that actions write once. */
  readonly locks: Pick<ExclusiveLocks, 'take'>;
  readonly budgets: Pick<SponsorBudgets, 'reserve' | 'release'>;
  readonly promised: Pick<PromisedFees, 'use'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

interface Carried {
  readonly submissionId: string;
  readonly began: boolean;
}

/**
 * Puts a user's proven private actions on chain from the relayer's own account. Actions are
 * identified by the storage addresses that they write once, so the same actions with a newer proof
 * are the same submission.
 */
export class SubmitPrivateAction {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.privateAction;

  readonly #admissions = new SingleFlight<Carried>();
  readonly #networkSlots = new FairSemaphore(NETWORK_SLOTS);
  readonly #sharedSlots = new FairSemaphore(SHARED_SLOTS);
  readonly #sponsorShares = new SponsorShares();
  readonly #turns = new KeyedMutex();

  /** @param limits most gas that a transaction may use, and the factor of its price */
  constructor(
    private readonly admission: PrivateActionAdmission,
    private readonly submissions: Submissions,
    private readonly guards: PrivateActionGuards,
    private readonly limits: ResourceLimits,
  ) {}

  /**
   * Relays private actions and returns their outcome: executed (with or without a revert) or
   * undecided. If actions with the same effect are in flight or have succeeded, their answer is
   * returned without gas cost; if nothing of them was signed, a newer proof replaces the older.
   *
   * @throws the error of the first failed check, or of the read that a check needed; no transaction
   *   was sent in these cases
   * @throws SubmissionRefused, SubmissionExpired if the attempt was accepted, but it has no
   *   transaction that is on chain or can still get there
   */
  async execute({
    waitMs,
    signal,
    unlessKnown,
    beforeSubmission,
    onSubmission,
    ...input
  }: SubmitPrivateActionInput): Promise<SubmittedPrivateAction> {
    const { caller = UNNAMED_CALLER } = input;
    const read = this.admission.read(input);
    this.admission.checks.refuse(read);
    const request = requestOf(read);
    // Requests of different callers never share an admission, because limits are per caller.
    const flight = [caller.name, request.key, digestOf(request, read)].join('|');
    const { submissionId, began } =
      unlessKnown === undefined
        ? await this.#admissions.run(flight, () =>
            this.#admit(request, read, caller, beforeSubmission),
          )
        : await this.#repeated(request, unlessKnown);
    await onSubmission?.(submissionId, began);
    return {
      submissionId,
      answer: assertNotRejected(await this.submissions.waitFor(submissionId, waitMs, signal)),
    };
  }

  async #repeated(request: PrivateActionRequest, unlessKnown: Error): Promise<Carried> {
    const known = knownOf(await this.submissions.last(request.key), request);
    if (known === null) throw unlessKnown;
    return known;
  }

  /**
   * Runs every check whose facts can be read. Writes and sends nothing.
   * @throws an error of the ledger, or Overloaded
   */
  async dryRun(input: PrivateActionInput): Promise<ChecksReport> {
    const { caller = UNNAMED_CALLER } = input;
    const read = this.admission.read(input);
    const evidence =
      read.request?.known === true ? await this.#poll(read, read.request.value, caller) : read;
    const checks = this.admission.checks.report(evidence);
    return { admissible: checks.every(({ status }) => status === 'passed'), checks };
  }

  async #poll(
    read: PrivateActionFacts,
    request: PrivateActionRequest,
    caller: Caller,
  ): Promise<PrivateActionFacts> {
    const known = await this.#inLedger(read, request, caller);
    return this.#inSlot(request, caller, () => this.admission.examine(known, caller));
  }

  async #inLedger(
    read: PrivateActionFacts,
    request: PrivateActionRequest,
    caller: Caller,
    last?: Attempt | null,
  ): Promise<PrivateActionFacts> {
    const standing = last === undefined ? await this.submissions.last(request.key) : last;
    const [queue, gate] = await Promise.all([
      settle(this.submissions.checkQueueCapacity(ROLE)),
      settle(this.guards.guard.acquire({ ...request, caller, role: ROLE })),
    ]);
    return { ...read, last: ok(standing), queue, gate };
  }

  async #admit(
    request: PrivateActionRequest,
    read: PrivateActionFacts,
    caller: Caller,
    beforeSubmission: SubmissionWatch['beforeSubmission'],
  ): Promise<Carried> {
    const last = await this.submissions.last(request.key);
    const known = knownOf(last, request);
    if (known !== null && last !== null) {
      if (!mayTakeNewer(last) || requestsEqual(last, request.requested)) return known;
      return this.#inSlot(request, caller, () => this.#renew(last, request, read));
    }
    const inLedger = await this.#inLedger(read, request, caller, last);
    this.admission.checks.refuse(inLedger);
    return this.#inSlot(request, caller, async () => {
      const evidence = await this.#examine(request, inLedger, caller);
      this.admission.checks.admit(evidence);
      await beforeSubmission?.();
      // Concurrent copies of a request reserve in turn, so that only one of them does.
      return this.#turns.run(request.key, () => this.#submit(request, evidence, caller));
    });
  }

  /** Runs the work in a slot of the caller's network and in a slot of the pool. */
  #inSlot<T>(
    { pool }: Pick<PrivateActionRequest, 'pool'>,
    caller: Caller,
    work: () => Promise<T>,
  ): Promise<T> {
    const slots = caller.networks.length > 0 ? this.#networkSlots : this.#sharedSlots;
    return slots.run(widestOf(caller), caller, () =>
      this.guards.slots.run(pool.address, caller, work),
    );
  }

  async #examine(
    request: PrivateActionRequest,
    inLedger: PrivateActionFacts,
    caller: Caller,
  ): Promise<PrivateActionFacts> {
    // Check the breaker again: it may have opened while this request waited for a slot.
    const gate = await settle(this.guards.guard.acquire({ ...request, caller, role: ROLE }));
    this.admission.checks.refuse({ ...inLedger, gate });
    const evidence = await this.admission.examine({ ...inLedger, gate }, caller);
    // Only the reads of the pool count. Contracts that the caller chose run in the simulation, so a
    // failed simulation does not prove that the node fails.
    if (evidence.chain !== undefined)
      await this.guards.guard.recordUpstream(request.pool, evidence.chain.known);
    return evidence;
  }

  /**
   * Replaces the proof of a waiting attempt by a newer proof of the same actions. The attempt keeps
   * its gas limits and its time, so the newer request must fit both.
   */
  async #renew(
    holder: Attempt,
    request: PrivateActionRequest,
    read: PrivateActionFacts,
  ): Promise<Carried> {
    const examined = await this.admission.examine(read);
    // The acceptance of the first request is a promise of its fee, with the ceiling of a promise.
    const evidence = { ...examined, promised: ok(acceptedFee(holder, request)) };
    const { chain, simulation } = evidence;
    const isSound =
      this.admission.checks.rejection(evidence) === null &&
      chain?.known === true &&
      simulation?.known === true &&
      simulation.value.ok &&
      fitsLimits(simulation.value.gas, holder.limits) &&
      latestSendMs(request) >= holder.deadlineMs;
    if (isSound) {
      const deadlineBlock = lastBlockOf(request.facts, chain.value.validityBlocks);
      if (deadlineBlock > (holder.deadlineBlock ?? 0))
        await this.submissions.renew(holder, {
          ...request.requested,
          calldata: unwrap(evidence.calldata),
          deadlineBlock,
        });
    }
    return existing(holder, request);
  }

  /** Submits a request that has passed every check. */
  async #submit(
    request: PrivateActionRequest,
    evidence: PrivateActionFacts,
    caller: Caller,
  ): Promise<Carried> {
    const sponsor = unwrap(evidence.sponsor);
    await this.#lock(request);
    // A copy of the request may have been accepted since the checks. It used the promise.
    const known = knownOf(await this.submissions.last(request.key), request);
    if (known !== null) return known;
    this.#usePromise(request, evidence, caller);
    if (sponsor === null) return carriedBy(await this.#write(request, evidence, caller), request);
    const reservation = await this.#reserve(sponsor, evidence, caller);
    const written = await settle(this.#write(request, evidence, caller));
    // If the ledger did not answer, the attempt may have been written.
    if (!written.known && written.failure instanceof LedgerUnavailable) reservation.leaveNetwork();
    else if (!written.known || written.value.kind !== 'accepted')
      await settle(reservation.release());
    return carriedBy(unwrap(written), request);
  }

  /**
   * Uses up the promise of the fee. Another request may have used it since the checks; then the fee
   * is judged with another promise of the network, or without one.
   * @throws FeeTooLow
   */
  #usePromise(request: PrivateActionRequest, evidence: PrivateActionFacts, caller: Caller): void {
    let promised = unwrap(evidence.promised);
    while (promised !== null && !this.guards.promised.use(promised)) {
      promised = this.admission.promiseFor(request, caller);
      this.admission.checks.admit({ ...evidence, promised: ok(promised) });
    }
  }

  /**
   * Locks every storage address for this submission, so that two sets of actions that share an
   * address are never sent both. The nonce of the account's signed calls is locked too, because the
   * account accepts it only once. A request that fails later does not release the locks, because a
   * concurrent request for the same actions may need them. Unused locks expire.
   * @throws PrivateActionsInProgress
   */
  async #lock(request: PrivateActionRequest): Promise<void> {
    for (const name of lockNamesOf(request))
      if (!(await this.guards.locks.take(name, request.key, LOCK_UNUSED_AFTER_MS)))
        throw inProgress();
  }

  /** @throws SponsorBudgetExhausted */
  async #reserve(
    sponsor: Sponsor,
    evidence: PrivateActionFacts,
    caller: Caller,
  ): Promise<Reservation> {
    const { budgets, clock } = this.guards;
    const { name, budgetPerDayFri } = sponsor;
    const amountFri = this.#costFri(evidence);
    const nowMs = clock.nowMs();
    const day = dayOf(nowMs);
    const exhausted = new SponsorBudgetExhausted({ retryAfterSeconds: secondsLeftOfDay(nowMs) });
    const leaveNetwork = this.#sponsorShares.take(caller, sponsor, day, amountFri);
    if (leaveNetwork === null) throw exhausted;
    try {
      if (!(await budgets.reserve(name, day, amountFri, budgetPerDayFri))) throw exhausted;
    } catch (error) {
      leaveNetwork();
      throw error;
    }
    const release = async (): Promise<void> => {
      leaveNetwork();
      await budgets.release(name, day, amountFri);
    };
    return { leaveNetwork, release };
  }

  async #write(
    request: PrivateActionRequest,
    evidence: PrivateActionFacts,
    caller: Caller,
  ): Promise<Acceptance> {
    const { pool, key, requested, fee, feeMode } = request;
    const cost = unwrap(evidence.cost);
    const chain = unwrap(evidence.chain);
    const sponsor = unwrap(evidence.sponsor);
    const costFri = this.#costFri(evidence);
    const poolFee = feeMode === 'sponsored' ? 0n : inFeeToken(cost.poolFeeFri, cost);
    const earned = (fee?.amount ?? 0n) - poolFee;
    const entry = { pool, kind: 'relay', key, requested, caller, role: ROLE, costFri } as const;
    return this.guards.guard.confirm(entry, () =>
      this.submissions.submit({
        role: ROLE,
        target: { to: pool.address, entrypoint: APPLY_ACTIONS_ENTRYPOINT },
        calldata: unwrap(evidence.calldata),
        limits: limitsFor(unwrap(evidence.simulation), this.limits),
        // The pool applies actions that write a storage address once only if it is still zero.
        replayProtected: true,
        key,
        ...requested,
        kind: PRIVATE_ACTION_KIND,
        subject: pool.address,
        memo: null,
        deadlineBlock: lastBlockOf(request.facts, chain.validityBlocks),
        ...this.#timeLimitOf(request),
        terms: {
          // The income of the operator: the part of the fee that pays the pool is not earned.
          feeAmount: earned > 0n ? earned : 0n,
          feeToken: cost.token.address,
          costFri,
          strkUsdE8: cost.strkUsdE8,
          feeTokenUsdE8: cost.feeTokenUsdE8,
          ...(sponsor === null ? {} : { bounds: sponsoredBounds(sponsor.name) }),
        },
      }),
    );
  }

  /** Returns the cost in fri that the attempt is charged with: a sponsor's is the highest one. */
  #costFri(evidence: PrivateActionFacts): bigint {
    const cost = unwrap(evidence.cost);
    if (unwrap(evidence.sponsor) === null) return cost.gasFri + cost.poolFeeFri;
    const simulation = unwrap(evidence.simulation);
    return ceilingFri(cost, simulation, limitsFor(simulation, this.limits));
  }

  /** The user's account refuses its calls after their time, so the transaction is sent before. */
  #timeLimitOf(request: PrivateActionRequest): Pick<WantedSubmission, 'sendWithinMs'> {
    if (request.outsideCalls === null) return {};
    return { sendWithinMs: Math.max(0, latestSendMs(request) - this.guards.clock.nowMs()) };
  }
}

/**
 * Returns the fee that the service accepted for the attempt. Null if a sponsor pays the gas: then
 * the fee has to cover the present fee of the pool.
 */
function acceptedFee(
  { terms }: Attempt,
  { pool, fee, feeMode }: Pick<PrivateActionRequest, 'pool' | 'fee' | 'feeMode'>,
): Promised | null {
  const token = pool.tokens.find(({ address }) => address === fee?.token);
  if (terms === null || fee === null || token === undefined || feeMode !== 'default') return null;
  const { costFri, ...prices } = terms;
  return { amount: fee.amount, costAmount: friToFeeToken(costFri, prices, token.decimals) };
}

/** Reserved amount of a sponsor's budget. */
interface Reservation {
  /** Releases the part of the caller's network only. */
  readonly leaveNetwork: () => void;
  /** Releases the whole reservation. */
  readonly release: () => Promise<void>;
}

/**
 * Returns the submission of the same actions if it is in flight or has succeeded; null if none is.
 * @throws PrivateActionsInProgress, PrivateActionsApplied if other actions hold the key
 */
function knownOf(last: Attempt | null, request: PrivateActionRequest): Carried | null {
  return last === null || !holdsKey(last) ? null : existing(last, request);
}

/** Returns the submission that the ledger has for a request. @throws as {@link knownOf} */
function carriedBy({ kind, attempt }: Acceptance, request: PrivateActionRequest): Carried {
  if (kind === 'accepted') return { submissionId: attempt.id, began: true };
  return existing(attempt, request);
}

/** Returns the submission of an attempt with the same actions. @throws as {@link knownOf} */
function existing(attempt: Attempt, { requested }: PrivateActionRequest): Carried {
  if (!requestsSame(attempt, requested)) throw conflictWith(attempt) ?? inProgress();
  return { submissionId: attempt.id, began: false };
}
