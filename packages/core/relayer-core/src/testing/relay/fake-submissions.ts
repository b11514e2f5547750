import { toFelt, type DomainError, type Felt, type Felts } from '@sotto/kernel';
import {
  LedgerBehindChain,
  QueueFull,
  requestsSame,
  isLive,
  type Acceptance,
  type Attempt,
  type AttemptRef,
  type ExecutionStatus,
  type ExpectedCall,
  type LaneRole,
  type NewerCall,
  type SubmissionAnswer,
  type Submissions,
  type WantedSubmission,
} from '@sotto/submission-core';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/**
 * Stores attempts as the ledger does. A test sets the outcome of each attempt, or in advance the
 * outcome of all attempts that follow.
 */
export class FakeSubmissions implements Submissions {
  readonly #attempts: Attempt[] = [];
  readonly #accepted: WantedSubmission[] = [];
  readonly #expected: ExpectedCall[] = [];
  readonly #waiting = new Set<() => void>();
  #failure: DomainError | null = null;
  #outcome: ExecutionStatus | null = null;
  readonly #full = new Set<LaneRole>();
  #isBehind = false;

  /** @param nowMs returns the acceptance time of an attempt, in milliseconds */
  constructor(private readonly nowMs: () => number = () => 0) {}

  /** Calls announced by `expect`, in the sequence of the announcements. */
  get expected(): readonly ExpectedCall[] {
    return this.#expected;
  }

  /** Submissions that became an attempt, in the sequence in which they were accepted. */
  get accepted(): readonly WantedSubmission[] {
    return this.#accepted;
  }

  get attempts(): readonly Attempt[] {
    return this.#attempts;
  }

  /**
   * Sets the outcome of all submissions after this call, which are then executed immediately. If
   * `outcome` is null, these submissions stay undecided.
   */
  executeAll(outcome: ExecutionStatus | null): void {
    this.#outcome = outcome;
  }

  /** Executes the attempt: its transaction is in a block at ACCEPTED_ON_L2. */
  execute(id: string, execution: ExecutionStatus, revertReason = 'unknown root'): void {
    const state = execution === 'SUCCEEDED' ? 'succeeded' : 'reverted';
    this.#change(id, {
      state,
      transactionHash: hashOf(id),
      revertReason: execution === 'REVERTED' ? revertReason : null,
    });
  }

  /** Marks the attempt's call as signed by a lane. */
  broadcast(id: string): void {
    this.#change(id, { state: 'broadcast' });
  }

  /**
   * Ends the attempt without execution: none of its transactions is on chain or can still be
   * included.
   */
  end(id: string, state: 'refused' | 'expired', rejectionCode: string): void {
    this.#change(id, { state, rejectionCode });
  }

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the ledger is down')): void {
    this.#failure = failure;
  }

  /** Fills the queue of the role until {@link makeRoom} is called. */
  fill(role: LaneRole): void {
    this.#full.add(role);
  }

  makeRoom(): void {
    this.#full.clear();
  }

  /**
   * After this call, the ledger is behind its chain, so it accepts no new submission. If `isBehind`
   * is false, the ledger accepts submissions again.
   */
  fallBehind(isBehind = true): void {
    this.#isBehind = isBehind;
  }

  /** Marks the outcome of the attempt as final, at ACCEPTED_ON_L1. */
  finalize(id: string): void {
    this.#change(id, { isFinal: true });
  }

  /** Revokes the attempt's outcome, as a reorg does. The attempt is in flight again. */
  undo(id: string): void {
    const { transactionHash, state } = this.#byId(id);
    if (transactionHash === null) throw new Error('the attempt was not executed');
    const undone = {
      transactionHash,
      execution: state === 'succeeded' ? 'SUCCEEDED' : 'REVERTED',
      undoneAtMs: 0,
    } as const;
    this.#change(id, { state: 'broadcast', transactionHash: null, revertReason: null, undone });
  }

  expect(call: ExpectedCall): void {
    this.#expected.push(call);
  }

  async submit(submission: WantedSubmission): Promise<Acceptance> {
    this.#answer();
    // Do not await between read and write, because the real ledger compares and writes in one step.
    const last = this.#last(submission.key);
    if (last !== null && (isLive(last.state) || last.state === 'succeeded')) {
      return {
        kind: requestsSame(last, submission) ? 'same' : 'conflict',
        attempt: last,
      };
    }
    const full = this.#rejectionOf(submission.role);
    if (full !== null) throw full;
    const id = `attempt-${this.#attempts.length + 1}`;
    this.#accepted.push(submission);
    this.#attempts.push(newAttempt(submission, id, (last?.attempt ?? 0) + 1, this.nowMs()));
    if (this.#outcome !== null) this.execute(id, this.#outcome);
    return { kind: 'accepted', attempt: this.#byId(id) };
  }

  /** Assigns a nonce to the attempt. */
  send(id: string): void {
    this.#change(id, { state: 'broadcast' });
  }

  /** Returns the calldata of the attempt, as the ledger does. */
  async calldata(id: string): Promise<Felts | null> {
    return (
      this.#accepted[this.#attempts.findIndex((attempt) => attempt.id === id)]?.calldata ?? null
    );
  }

  async renew(
    { key, attempt }: AttemptRef,
    { effect, fingerprint, calldata, deadlineBlock = null }: NewerCall,
  ): Promise<boolean> {
    this.#answer();
    const waiting = this.#attempts.findIndex((row) => row.key === key && row.attempt === attempt);
    const row = this.#attempts[waiting];
    const submission = this.#accepted[waiting];
    if (
      row?.state !== 'accepted' ||
      row.readmit ||
      submission === undefined ||
      !requestsSame(row, { effect, fingerprint })
    )
      return false;
    this.#accepted[waiting] = { ...submission, effect, fingerprint, calldata, deadlineBlock };
    this.#change(row.id, { effect, fingerprint, deadlineBlock });
    return true;
  }

  async checkQueueCapacity(role: LaneRole): Promise<QueueFull | LedgerBehindChain | null> {
    this.#answer();
    return this.#rejectionOf(role);
  }

  async last(key: string): Promise<Attempt | null> {
    this.#answer();
    return this.#last(key);
  }

  async find(id: string): Promise<SubmissionAnswer | null> {
    this.#answer();
    const attempt = this.#attempts.find((candidate) => candidate.id === id);
    return attempt === undefined ? null : answerOf(attempt);
  }

  async waitFor(id: string, waitMs: number, signal?: AbortSignal): Promise<SubmissionAnswer> {
    this.#answer();
    const timeout = waitMs > 0 ? AbortSignal.timeout(waitMs) : AbortSignal.abort();
    const deadline = AbortSignal.any([timeout, ...(signal === undefined ? [] : [signal])]);
    while (isLive(this.#byId(id).state) && !deadline.aborted) await this.#changeOr(deadline);
    return answerOf(this.#byId(id));
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  #rejectionOf(role: LaneRole): QueueFull | LedgerBehindChain | null {
    if (this.#isBehind) return new LedgerBehindChain({ retryAfterSeconds: 30 });
    return this.#full.has(role) ? new QueueFull({ retryAfterSeconds: 5 }) : null;
  }

  #last(key: string): Attempt | null {
    return this.#attempts.findLast((attempt) => attempt.key === key) ?? null;
  }

  #changeOr(deadline: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      deadline.addEventListener('abort', wake, { once: true });
    });
  }

  #byId(id: string): Attempt {
    const attempt = this.#attempts.find((candidate) => candidate.id === id);
    if (attempt === undefined) throw new Error('no attempt has this id');
    return attempt;
  }

  #change(id: string, change: Partial<Attempt>): void {
    const attempt = this.#byId(id);
    const next = { ...attempt, ...change };
    this.#attempts[this.#attempts.indexOf(attempt)] = {
      ...next,
      endedAtMs: isLive(next.state) ? null : attempt.acceptedAtMs,
    };
    for (const wake of this.#waiting) wake();
  }
}

function newAttempt(
  { calldata: _calldata, sendWithinMs, deadlineBlock = null, ...wanted }: WantedSubmission,
  id: string,
  attempt: number,
  acceptedAtMs: number,
): Attempt {
  return {
    ...wanted,
    id,
    attempt,
    state: 'accepted',
    lane: null,
    nonce: null,
    readmit: false,
    avoidLane: null,
    acceptedAtMs,
    deadlineBlock,
    deadlineMs: sendWithinMs === undefined ? Number.MAX_SAFE_INTEGER : acceptedAtMs + sendWithinMs,
    endedAtMs: null,
    rejectionCode: null,
    transactionHash: null,
    revertReason: null,
    gasPaidFri: null,
    isFinal: false,
    undone: null,
  };
}

function answerOf(attempt: Attempt): SubmissionAnswer {
  const { state, transactionHash, revertReason, isFinal } = attempt;
  if (state === 'refused' || state === 'expired')
    return { kind: 'rejected', attempt, state, code: attempt.rejectionCode ?? '' };
  if (isLive(state) || transactionHash === null)
    return { kind: 'pending', attempt, transactionHash };
  const execution = state === 'succeeded' ? 'SUCCEEDED' : 'REVERTED';
  return {
    kind: 'executed',
    attempt,
    transactionHash,
    execution,
    revertReason,
    finality: isFinal ? 'ACCEPTED_ON_L1' : 'ACCEPTED_ON_L2',
  };
}

const hashOf = (id: string): Felt => toFelt(BigInt(`0x${Buffer.from(id).toString('hex')}`));
