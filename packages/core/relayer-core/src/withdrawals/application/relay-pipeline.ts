import { createHash } from 'node:crypto';
import {
  SingleFlight,
  settle,
  ok,
  unwrap,
  type Caller,
  type DomainError,
  type Felt,
} from '@sotto/kernel';
import {
  asksForEqual,
  asksForSame,
  isLive,
  type Attempt,
  type LaneRole,
  type LedgerBehindChain,
  type NewSubmission,
  type QueueFull,
  type Submissions,
} from '@sotto/submission-core';
import type { AdmissionFacts, WithdrawalCost, WithdrawalRequest } from './admission-facts.js';
import { notePurpose, withdrawalFingerprint } from '../../pools/domain/withdrawal.js';
import { conflictWith } from './checks.js';
import type { WithdrawalAdmission } from './withdrawal-admission.js';
import { couldBeRead } from './could-be-read.js';
import type { FairSemaphore } from '../../relay/application/fair-semaphore.js';
import type { RefusedRequest } from '../../relay/application/remembered-refusals.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { Spending, SpentNotes } from './spent-notes.js';
import type { SubmissionWatch } from '../../relay/application/submission-watch.js';

/** The call that puts an admitted proof on chain. */
export interface RelayedCall extends Pick<NewSubmission, 'target' | 'calldata' | 'limits'> {
  /** Where the preparation has learnt it. @default what the admission found */
  readonly cost?: WithdrawalCost;
  /** Bounds of what the call may bring: kept with its attempt. @default none */
  readonly bounds?: string;
}

/** What one kind of relaying does beside what all have in common. */
export interface RelayedRequest {
  /** What the request itself says. */
  readonly read: AdmissionFacts;
  /** Whose lanes carry it. */
  readonly role: LaneRole;
  readonly caller: Caller;
  /** Distinguishes requests that are equal in every felt and every term. @default nothing */
  readonly variant?: string;
  /** Reads further facts for the admission checks of a request that the ledger does not answer. */
  readonly look: () => Promise<AdmissionFacts>;
  /** @default nothing is called */
  readonly beforeSubmission: SubmissionWatch['beforeSubmission'];
  /**
   * Called once every check has passed, right before the submission. An error that it rejects with
   * is the request's answer.
   */
  readonly prepare: (request: WithdrawalRequest) => Promise<RelayedCall>;
  /**
   * Rejection of a request that differs in detail from the live attempt with its effect; null if
   * the attempt's answer is good enough for the request.
   * @default no such request is rejected
   */
  readonly rejection?: (holder: Attempt) => DomainError | null;
}

/** What bounds the relaying of proofs, shared by all that relay them. */
export interface RelayGuards {
  readonly guard: PoolCircuitBreaker;
  readonly slots: FairSemaphore;
  /** Asked only for notes that the chain shows as spent. */
  readonly spentNotes: SpentNotes;
}

/** The submission that carries a request. */
interface Carried {
  readonly submissionId: string;
  /** Whether the request has begun it. */
  readonly began: boolean;
}

/** What of a note's spending makes the request's answer. */
type SpentBy = Pick<Spending, 'transactionHash' | 'attempt'>;

/**
 * The way of every withdrawal proof from a request to the one submission that carries it, whatever
 * call it goes on chain in.
 */
export class RelayPipeline {
  readonly #admissions = new SingleFlight<Carried>();

  constructor(
    private readonly admission: WithdrawalAdmission,
    private readonly submissions: Submissions,
    private readonly guards: RelayGuards,
  ) {}

  /**
   * The attempt that carries the request: one that exists already, or a new one. A
   * request whose equal (same fingerprint) is on its way or has succeeded gets that one, without
   * pairing check, reads or preparation, and whether or not its pool is paused or the queue full.
   * One of the same effect at another root or batch gets that one too, once its pairing holds; a
   * withdrawal of which nothing was signed takes the newer proof. So does one that this service has
   * put on chain without the ledger's knowing it: its outcome is adopted, and is the answer even
   * where a check would refuse the request now (its root may be too old by then).
   * @throws the error of the first check that fails, or of what kept it from being judged or
   *   prepared; nothing was sent then.
   */
  async submit(wanted: RelayedRequest): Promise<Carried> {
    const { read, caller, variant = '' } = wanted;
    this.admission.checks.refuse(read);
    const request = unwrap(read.request);
    // One proof may fail where another of the same statement holds, so only those share an
    // admission that are equal in every felt. Callers share none: rations and queues are each
    // caller's own, and a public proof can be sent by anyone.
    const felts = createHash('sha256').update(request.calldata.toBytes()).digest('hex');
    const content = [request.key, request.asked.fingerprint, felts, variant].join('|');
    const stated = withdrawalFingerprint(request.pool.address, request.statement);
    const statement = [request.key, stated, variant].join('|');
    const statementOfCaller = [caller.name, statement].join('|');
    return this.#admissions.run(`${caller.name}|${content}`, () =>
      this.#admit(request, wanted, { statement, statementOfCaller, content }),
    );
  }

  async #admit(
    request: WithdrawalRequest,
    wanted: RelayedRequest,
    names: RefusedRequest,
  ): Promise<Carried> {
    const { read, role, caller, look } = wanted;
    const last = await this.submissions.last(request.key);
    if (last !== null && holdsKey(last)) {
      if (isEqual(last, request)) return standing(last.id);
      return this.guards.slots.run(request.pool.address, caller, async () =>
        standing(await this.#meet(last, request, wanted)),
      );
    }
    const queue = await settle(checkQueueCapacity(this.submissions, role, last));
    const gate = await settle(this.guards.guard.acquire({ ...request, caller, role }));
    const inLedger: AdmissionFacts = { ...read, last: ok(last), queue, gate, ...(await look()) };
    this.admission.checks.refuse(inLedger);
    const { refusals } = this.admission;
    const remembered = await refusals.find(names);
    if (remembered !== null) throw remembered;
    return this.guards.slots.run(request.pool.address, caller, async () => {
      const evidence = await this.#examine(request, inLedger, wanted);
      const spending = await this.#spendingOf(request, evidence);
      if (spending.attempt !== null) return standing(spending.attempt.id);
      const spent = withSpender(evidence, spending.transactionHash);
      const refusal = this.admission.checks.refusal(spent);
      if (refusal !== null) await refusals.remember(names, refusal);
      this.admission.checks.admit(spent);
      return this.#submit(request, evidence, wanted);
    });
  }

  /**
   * The note is claimed by a request that differs: a caller that can prove the note learns which
   * one, at no cost to the node.
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
    // The minimum of a swap is that of the request that was accepted: no repeat lowers it.
    if (role === 'relay' && mayTakeNewer(holder))
      await this.#renew(holder, request, proven, prepare);
    return id;
  }

  /**
   * What the pool would refuse takes no other proof's place, and what can't be prepared now leaves
   * the old one.
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
      ...request.asked,
      calldata: call.value.calldata,
    });
  }

  async #examine(
    request: WithdrawalRequest,
    known: AdmissionFacts,
    { role, caller }: RelayedRequest,
  ): Promise<AdmissionFacts> {
    // Others may have found out meanwhile that there is nothing to be had.
    const gate = await settle(this.guards.guard.acquire({ ...request, caller, role }));
    this.admission.checks.refuse({ ...known, gate });
    const evidence = await this.admission.examine({ ...known, gate }, caller, (call) => {
      // A swap's proof goes on chain in another call.
      if (role !== 'relay') return;
      const { to, entrypoint, calldata } = call;
      this.submissions.expect({ role, target: { to, entrypoint }, calldata });
    });
    // The chain is asked for sound proofs alone: what anybody can make up says nothing of node and
    // prices.
    const isReadable = evidence.chain === undefined ? null : couldBeRead(request.pool, evidence);
    if (isReadable !== null) await this.guards.guard.recordUpstream(request.pool, isReadable);
    return evidence;
  }

  /** Submits a request that every check has passed. */
  async #submit(
    request: WithdrawalRequest,
    evidence: AdmissionFacts,
    wanted: RelayedRequest,
  ): Promise<Carried> {
    const { role, caller, prepare, beforeSubmission } = wanted;
    await beforeSubmission?.();
    const { cost = unwrap(evidence.cost), bounds, ...call } = await prepare(request);
    const { pool, key, asked } = request;
    const entry = { pool, kind: 'relay', key, asked, caller, role, costFri: cost.fri } as const;
    const { kind, attempt } = await this.guards.guard.confirm(entry, () =>
      this.submissions.submit({
        ...call,
        role,
        // The nullifier: a pool pays a note once.
        replayProtected: true,
        key: request.key,
        ...asked,
        ...notePurpose(role === 'swap_owner' ? 'private_swap' : 'withdraw', {
          pool: pool.address,
          nullifierHash: request.statement.nullifierHash,
        }),
        terms: {
          feeAmount: request.statement.fee,
          feeToken: cost.token.address,
          costFri: cost.fri,
          strkUsdE8: cost.strkUsdE8,
          feeTokenUsdE8: cost.feeTokenUsdE8,
          ...(bounds === undefined ? {} : { bounds }),
        },
      }),
    );
    switch (kind) {
      case 'accepted':
        return { submissionId: attempt.id, began: true };
      case 'same':
      case 'conflict':
        // Another request was accepted while this one was prepared.
        return standing(answeredBy(attempt, request, wanted));
    }
  }

  /**
   * By which transaction the request's note was spent, as far as it can be found, and the attempt
   * where that was the request's own.
   */
  async #spendingOf(request: WithdrawalRequest, evidence: AdmissionFacts): Promise<SpentBy> {
    const { chain } = evidence;
    // What proves nothing costs no look-up: the chain is not asked for it.
    if (chain?.known !== true || !chain.value.nullifierSpent) return UNSPENT;
    const { key, asked, shown, pool, statement } = request;
    return this.guards.spentNotes.spendingOf({
      pool: pool.address,
      nullifierHash: statement.nullifierHash,
      key,
      asked: [asked, shown],
    });
  }
}

const standing = (submissionId: string): Carried => ({ submissionId, began: false });

const UNSPENT: SpentBy = { transactionHash: null, attempt: null };

/** The evidence with the transaction that spent the note, where that is known. */
export function withSpender(evidence: AdmissionFacts, spentBy: Felt | null): AdmissionFacts {
  const { chain } = evidence;
  return chain?.known === true ? { ...evidence, chain: ok({ ...chain.value, spentBy }) } : evidence;
}

/**
 * Why a request finds no place in the queue of its role; null when it does, or needs none because
 * its key is held already.
 */
export async function checkQueueCapacity(
  submissions: Submissions,
  role: LaneRole,
  last: Attempt | null,
): Promise<QueueFull | LedgerBehindChain | null> {
  return last !== null && holdsKey(last) ? null : submissions.checkQueueCapacity(role);
}

/** An attempt that was adopted from the chain has the fingerprint of what the chain shows. */
function isEqual(attempt: Attempt, { asked, shown }: WithdrawalRequest): boolean {
  return asksForEqual(attempt, asked) || asksForEqual(attempt, shown);
}

function carries(attempt: Attempt, request: WithdrawalRequest): boolean {
  return holdsKey(attempt) && (isEqual(attempt, request) || asksForSame(attempt, request.asked));
}

/**
 * Id of the attempt, whose answer is the request's too.
 * @throws the refusal of a request of another effect, or the rejection of other details
 */
function answeredBy(
  holder: Attempt,
  request: WithdrawalRequest,
  { rejection = () => null }: RelayedRequest,
): string {
  if (!carries(holder, request)) throw refusalBy(holder);
  const rejected = isEqual(holder, request) || !isLive(holder.state) ? null : rejection(holder);
  if (rejected !== null) throw rejected;
  return holder.id;
}

/** As far as this row says; the ledger has the last word. */
function mayTakeNewer({ state, readmit }: Attempt): boolean {
  return state === 'accepted' && !readmit;
}

/** The refusal of a sound proof whose note an attempt on other terms holds. */
function refusalBy(holder: Attempt): Error {
  return conflictWith(holder, 'prover') ?? new Error('an attempt that has ended holds no key');
}

function holdsKey({ state }: Attempt): boolean {
  return isLive(state) || state === 'succeeded';
}
