import { createHash } from 'node:crypto';
import {
  DomainError,
  SingleFlight,
  settle,
  ok,
  unwrap,
  type Caller,
  type Felt,
} from '@sotto/kernel';
import {
  LedgerUnavailable,
  requestsEqual,
  requestsSame,
  isLive,
  type Acceptance,
  type Attempt,
  type LaneRole,
  type LedgerBehindChain,
  type NewSubmission,
  type QueueFull,
  type Submissions,
} from '@sotto/submission-core';
import type { AdmissionFacts, WithdrawalCost, WithdrawalRequest } from './admission-facts.js';
import { notePurpose, withdrawalFingerprint } from '../../pools/domain/withdrawal.js';
import { holdsKey, mayTakeNewer } from '../../relay/domain/holding.js';
import { conflictWith } from './checks.js';
import type { WithdrawalAdmission } from './withdrawal-admission.js';
import { couldBeRead } from './could-be-read.js';
import type { FairSemaphore } from '../../relay/application/fair-semaphore.js';
import type { RefusedRequest } from '../../relay/application/remembered-rejections.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { Spending, SpentNotes } from './spent-notes.js';
import type { SubmissionWatch } from '../../relay/application/submission-watch.js';

/** Contract call that contains an admitted proof. */
export interface RelayedCall extends Pick<NewSubmission, 'target' | 'calldata' | 'limits'> {
  /**
   * Cost of the call, if the preparation has measured it more precisely than the admission.
   * @default the cost found at admission
   */
  readonly cost?: WithdrawalCost;
  /** Minimum and tolerance of a swap's output, stored with its attempt. @default none */
  readonly bounds?: string;
}

/** Parameters of a relay request that differ between withdrawals and private swaps. */
export interface RelayedRequest {
  /** Facts that were parsed from the request itself, without a query of node or store. */
  readonly read: AdmissionFacts;
  /** Role of the lanes that send the call. */
  readonly role: LaneRole;
  readonly caller: Caller;
  /** Value that separates otherwise equal requests, for example a quote id. @default '' */
  readonly variant?: string;
  /**
   * Reads the facts that the pipeline does not read itself, for example the cited quote. Called
   * only if the ledger contains no answer to the request yet.
   */
  readonly poll: () => Promise<AdmissionFacts>;
  /** Callback right before the submission begins. @default no-op */
  readonly beforeSubmission: SubmissionWatch['beforeSubmission'];
  /**
   * Builds the call. Called after all checks have passed, right before the submission. An error of
   * this callback is returned to the caller.
   */
  readonly prepare: (request: WithdrawalRequest) => Promise<RelayedCall>;
  /**
   * Reserves a part of a limit for a new attempt, before the preparation. A newer proof of an
   * attempt in flight reserves nothing, because the attempt's first request has reserved its part.
   * @returns function that undoes the reservation; called if no attempt was written
   * @default reserves nothing
   */
  readonly reserve?: () => () => void;
  /**
   * Returns an error if the live attempt with the same effect does not satisfy a detail of the
   * request. Null if the attempt's answer satisfies the request.
   * @default null for all requests
   */
  readonly rejection?: (holder: Attempt) => DomainError | null;
}

/** Circuit breaker and lookup of spent notes, which all relay pipelines share. */
export interface RelayGuards {
  readonly guard: PoolCircuitBreaker;
  readonly slots: FairSemaphore;
  /** Finds spending transactions. Queried only for notes that are spent on chain. */
  readonly spentNotes: SpentNotes;
}

/** Submission whose answer is returned to a request. */
interface Carried {
  readonly submissionId: string;
  /** True if the request created the submission. */
  readonly began: boolean;
}

/** Transaction and attempt that spent a note. */
type SpentBy = Pick<Spending, 'transactionHash' | 'attempt'>;

/**
 * Admits a withdrawal proof and creates at most one submission for it. Used by plain withdrawals
 * and by private swaps, which wrap the proof in another call.
 */
export class RelayPipeline {
  readonly #admissions = new SingleFlight<Carried>();

  constructor(
    private readonly admission: WithdrawalAdmission,
    private readonly submissions: Submissions,
    private readonly guards: RelayGuards,
  ) {}

  /**
   * Returns the attempt that serves the request. Creates an attempt if necessary.
   *
   * An existing attempt is reused
   * - if its fingerprint is equal and it is live or succeeded: without pairing check, node reads or
   *   preparation, even if the pool is paused or the queue is full;
   * - if it has the same effect under another root or batch: after the pairing check. If the
   *   attempt is not signed yet, a withdrawal replaces the attempt's proof by the newer proof;
   * - if this service sent the attempt's transaction but the ledger does not contain it: its
   *   outcome is adopted, even if a check would now fail (for example because the root has
   *   expired).
   *
   * @throws the error of the first failed check, or of the read that a check or the preparation
   *   needed; no transaction was sent in that case
   */
  async submit(wanted: RelayedRequest): Promise<Carried> {
    const { read, caller, variant = '' } = wanted;
    this.admission.checks.refuse(read);
    const request = unwrap(read.request);
    // Two proofs of one statement may differ in validity, so only byte-identical requests share an
    // admission. Requests of different callers never share an admission: hourly limits and queues
    // are per caller, and any caller can send a public proof.
    const felts = createHash('sha256').update(request.calldata.toBytes()).digest('hex');
    const content = [request.key, request.requested.fingerprint, felts, variant].join('|');
    const stated = withdrawalFingerprint(request.pool.address, request.statement);
    const statement = [request.key, stated].join('|');
    const terms = [statement, variant].join('|');
    const statementOfCaller = [caller.name, statement].join('|');
    return this.#admissions.run(`${caller.name}|${content}`, () =>
      this.#admit(request, wanted, { statement, terms, statementOfCaller, content }),
    );
  }

  async #admit(
    request: WithdrawalRequest,
    wanted: RelayedRequest,
    names: RefusedRequest,
  ): Promise<Carried> {
    const { read, role, caller, poll } = wanted;
    const last = await this.submissions.last(request.key);
    if (last !== null && holdsKey(last)) {
      if (isEqual(last, request)) return standing(last.id);
      return this.guards.slots.run(request.pool.address, caller, async () =>
        standing(await this.#meet(last, request, wanted)),
      );
    }
    const queue = await settle(checkQueueCapacity(this.submissions, role, last));
    const gate = await settle(this.guards.guard.acquire({ ...request, caller, role }));
    const inLedger: AdmissionFacts = { ...read, last: ok(last), queue, gate, ...(await poll()) };
    this.admission.checks.refuse(inLedger);
    const { rejections } = this.admission;
    const remembered = await rejections.find(names);
    if (remembered !== null) throw remembered;
    return this.guards.slots.run(request.pool.address, caller, async () => {
      const evidence = await this.#examine(request, inLedger, wanted);
      const spending = await this.#spendingOf(request, evidence);
      if (spending.attempt !== null) return standing(spending.attempt.id);
      const spent = withSpender(evidence, spending.transactionHash);
      const rejection = this.admission.checks.rejection(spent);
      if (rejection !== null) await rejections.remember(names, rejection);
      this.admission.checks.admit(spent);
      return this.#submit(request, evidence, wanted);
    });
  }

  /**
   * Handles a request whose note another attempt blocks. A caller with a valid proof gets the
   * attempt's id. The node is not queried.
   */
  async #meet(
    holder: Attempt,
    request: WithdrawalRequest,
    wanted: RelayedRequest,
  ): Promise<string> {
    const { read, role, caller, prepare } = wanted;
    const proven = await this.admission.pair(read, caller);
    this.admission.checks.refuse(proven);
    const id = answeredBy(holder, request, wanted);
    // Never replace a swap's proof. The minimum of a swap comes from the accepted request, and a
    // repeated request must not lower it.
    if (role === 'relay' && mayTakeNewer(holder))
      await this.#renew(holder, request, proven, prepare);
    return id;
  }

  /**
   * Replaces the proof of `holder` by the newer proof, unless its simulation or preparation fails.
   */
  async #renew(
    holder: Attempt,
    request: WithdrawalRequest,
    proven: AdmissionFacts,
    prepare: RelayedRequest['prepare'],
  ): Promise<void> {
    const { simulation } = await this.admission.examine(proven);
    if (simulation?.known !== true || !simulation.value.ok) return;
    const call = await settle(prepare(request));
    if (!call.known) return;
    await this.submissions.renew(holder, {
      ...request.requested,
      calldata: call.value.calldata,
    });
  }

  async #examine(
    request: WithdrawalRequest,
    known: AdmissionFacts,
    { role, caller }: RelayedRequest,
  ): Promise<AdmissionFacts> {
    // Check the breaker again: it may have opened while this request waited for a slot.
    const gate = await settle(this.guards.guard.acquire({ ...request, caller, role }));
    this.admission.checks.refuse({ ...known, gate });
    const evidence = await this.admission.examine({ ...known, gate }, caller, (call) => {
      // Announce only withdrawals. A swap sends its proof inside another call.
      if (role !== 'relay') return;
      const { to, entrypoint, calldata } = call;
      this.submissions.expect({ role, target: { to, entrypoint }, calldata });
    });
    // The chain is read only after the pairing check has passed. So forged proofs cause no failed
    // reads, and can't open the breaker for upstream failures.
    const isReadable = evidence.chain === undefined ? null : couldBeRead(request.pool, evidence);
    if (isReadable !== null) await this.guards.guard.recordUpstream(request.pool, isReadable);
    return evidence;
  }

  /** Submits a request that has passed every check. */
  async #submit(
    request: WithdrawalRequest,
    evidence: AdmissionFacts,
    wanted: RelayedRequest,
  ): Promise<Carried> {
    const { beforeSubmission, reserve } = wanted;
    await beforeSubmission?.();
    // Reserve before the preparation, so that a rejected request does not use up its quote.
    const undo = reserve?.();
    const { kind, attempt } = await unlessWritten(this.#write(request, evidence, wanted), undo);
    switch (kind) {
      case 'accepted':
        return { submissionId: attempt.id, began: true };
      case 'same':
      case 'conflict':
        // Another request for the note was accepted while this request was prepared.
        return standing(answeredBy(attempt, request, wanted));
    }
  }

  async #write(
    request: WithdrawalRequest,
    evidence: AdmissionFacts,
    { role, caller, prepare }: RelayedRequest,
  ): Promise<Acceptance> {
    const { cost = unwrap(evidence.cost), bounds, ...call } = await prepare(request);
    const { pool, key, requested } = request;
    const entry = { pool, kind: 'relay', key, requested, caller, role, costFri: cost.fri } as const;
    const { fee } = request.statement;
    return this.guards.guard.confirm(entry, () =>
      this.submissions.submit({
        ...call,
        role,
        // A repeated transaction can't pay twice, because the pool accepts each nullifier only
        // once.
        replayProtected: true,
        key: request.key,
        ...requested,
        ...notePurpose(role === 'swap_owner' ? 'private_swap' : 'withdraw', {
          pool: pool.address,
          nullifierHash: request.statement.nullifierHash,
        }),
        terms: {
          // The income of the operator: STRK that goes to the recipient is not earned.
          feeAmount: fee - cost.recipientGas,
          feeToken: cost.token.address,
          costFri: cost.fri,
          strkUsdE8: cost.strkUsdE8,
          feeTokenUsdE8: cost.feeTokenUsdE8,
          ...(bounds === undefined ? {} : { bounds }),
        },
      }),
    );
  }

  /**
   * Finds the transaction that spent the note. If this request itself had caused the transaction,
   * also returns its attempt.
   */
  async #spendingOf(request: WithdrawalRequest, evidence: AdmissionFacts): Promise<SpentBy> {
    const { chain } = evidence;
    // Skip the search if the note is unspent or the chain could not be read.
    if (chain?.known !== true || !chain.value.nullifierSpent) return UNSPENT;
    const { key, requested, shown, pool, statement } = request;
    return this.guards.spentNotes.spendingOf({
      pool: pool.address,
      nullifierHash: statement.nullifierHash,
      key,
      requested: [requested, shown],
    });
  }
}

/**
 * Calls `undo` if no attempt was written. Returns the acceptance, or throws its error. After an
 * unexpected error, and if the ledger did not answer, the attempt may have been written.
 */
async function unlessWritten(
  submitted: Promise<Acceptance>,
  undo: () => void = () => undefined,
): Promise<Acceptance> {
  try {
    const acceptance = await submitted;
    if (acceptance.kind !== 'accepted') undo();
    return acceptance;
  } catch (error) {
    if (error instanceof DomainError && !(error instanceof LedgerUnavailable)) undo();
    throw error;
  }
}

const standing = (submissionId: string): Carried => ({ submissionId, began: false });

const UNSPENT: SpentBy = { transactionHash: null, attempt: null };

/** Adds the hash of the spending transaction to the facts, or null if it is unknown. */
export function withSpender(evidence: AdmissionFacts, spentBy: Felt | null): AdmissionFacts {
  const { chain } = evidence;
  return chain?.known === true ? { ...evidence, chain: ok({ ...chain.value, spentBy }) } : evidence;
}

/**
 * Returns the error if the queue of the role is full. Null if the queue has room, or if an attempt
 * for the request's key already exists.
 */
export async function checkQueueCapacity(
  submissions: Submissions,
  role: LaneRole,
  last: Attempt | null,
): Promise<QueueFull | LedgerBehindChain | null> {
  return last !== null && holdsKey(last) ? null : submissions.checkQueueCapacity(role);
}

/**
 * Compares the attempt with both fingerprints, because an attempt adopted from the chain contains
 * only the terms that its call reveals.
 */
function isEqual(attempt: Attempt, { requested, shown }: WithdrawalRequest): boolean {
  return requestsEqual(attempt, requested) || requestsEqual(attempt, shown);
}

function carries(attempt: Attempt, request: WithdrawalRequest): boolean {
  return (
    holdsKey(attempt) && (isEqual(attempt, request) || requestsSame(attempt, request.requested))
  );
}

/**
 * Returns the id of the attempt whose answer also applies to the request.
 * @throws the error if the request has another effect, or details that `rejection` rejects
 */
function answeredBy(
  holder: Attempt,
  request: WithdrawalRequest,
  { rejection = () => null }: RelayedRequest,
): string {
  if (!carries(holder, request)) throw rejectionBy(holder);
  const rejected = isEqual(holder, request) || !isLive(holder.state) ? null : rejection(holder);
  if (rejected !== null) throw rejected;
  return holder.id;
}

/** Returns the error for a valid proof if another attempt, with other terms, blocks the note. */
function rejectionBy(holder: Attempt): Error {
  return conflictWith(holder, 'prover') ?? new Error('an attempt that has ended holds no key');
}
