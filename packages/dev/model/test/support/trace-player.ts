import type { TraceStep } from '../../src/traces.mjs';
import { Felts } from '@sotto/kernel';
import {
  refOf,
  type Requested,
  type AttemptRef,
  type BlockRef,
  type CommandResult,
  type LaneSlot,
  type RejectionCause,
  type SubmissionCommand,
} from '@sotto/submission-core';
import {
  InMemoryLedger,
  aSubmission,
  confirming,
  contradicting,
} from '@sotto/submission-core/testing';
import { NOOP, TraceNames, addressOf, blockOf, placeOf, priceOf } from './trace-names.js';
import { rowsInWords, type Known, type RowsInWords } from './trace-rows.js';

const LEASE_MS = 10;

/** Options of a trace that affect its commands. Defaults: `defaults` in src/state.mjs. */
interface TraceOptions {
  readonly lanes?: number;
  readonly workers?: readonly number[];
  readonly maxV?: number;
  readonly nullifier?: boolean;
  readonly moveAt?: 'l1' | 'l2';
  readonly undo?: number;
  readonly adopt?: string;
  readonly lose?: number;
  readonly restore?: number;
  readonly window?: number;
  readonly late?: string;
}

/** Returns the terms of a call. All calls of one key have the same effect. */
const requestedIn = (attempt: string, call: number): Requested => ({
  effect: attempt.slice(0, 1),
  fingerprint: `call ${call} of ${attempt.slice(0, 1)}`,
});

const nothing = (): Known => ({ refs: new Map(), ahead: new Map() });
const copyOf = ({ refs, ahead }: Known): Known => ({ refs: new Map(refs), ahead: new Map(ahead) });

/**
 * Replays the steps of a trace against the real machine. Each step becomes the commands that a
 * service would issue.
 */
export class TracePlayer {
  #ledger: InMemoryLedger;
  #known = nothing();
  #copy: { readonly ledger: InMemoryLedger; readonly known: Known } | null = null;
  #nowMs = 1_000;
  #requests = 0;
  readonly #names = new TraceNames();
  readonly #fences = new Map<string, bigint>();
  readonly #isKeyWrong = new Map<number, boolean>();
  readonly #lanes: readonly number[];
  readonly #workers: readonly number[];
  /** Account nonces at ACCEPTED_ON_L2, and the transactions that consumed them. */
  #chain: TraceStep['after']['chain'];

  private constructor(private readonly options: TraceOptions) {
    this.#lanes = Array.from({ length: options.lanes ?? 1 }, (_, L) => L);
    this.#workers = options.workers ?? [0];
    this.#chain = { included: [], accepted: this.#lanes.map(() => 0), final: [], out: [] };
    this.#ledger = this.#emptyLedger();
  }

  /** Creates a ledger whose lanes start at nonce 0, leased by instance 0. */
  static async start(options: Record<string, unknown>): Promise<TracePlayer> {
    const player = new TracePlayer(options);
    await player.#begin(true);
    return player;
  }

  /**
   * Replays one step. Returns the ledger's answer to the command; null for a step without a
   * command.
   */
  async play(step: TraceStep): Promise<CommandResult | null> {
    const answer = await this.#play(step);
    this.#nowMs += 1;
    this.#chain = step.after.chain;
    return answer;
  }

  /** Returns the ledger's rows in the words of a trace. */
  rows(): RowsInWords {
    return rowsInWords(this.#ledger.rows, this.#names, this.#known, this.options.adopt === 'all');
  }

  async #play(step: TraceStep): Promise<CommandResult | null> {
    switch (step.do) {
      case 'request':
        return this.#request(step);
      case 'renew':
        return this.#renew(step);
      case 'end_waiting':
        return this.#end(step.attempt ?? '');
      case 'adopt':
        return this.#adopt(step);
      case 'store':
        return this.#store(step);
      case 'claim':
        return this.#record({
          type: 'claim',
          ...this.#at(step),
          hash: this.#names.signed(step).hash,
          node: 'node-1',
        });
      case 'refusal':
        return this.#record({
          type: 'refusal',
          ...this.#at(step),
          hash: this.#names.signed(step).hash,
          code: 'NODE_CODE',
          cause: this.#cause(step),
        });
      case 'settle':
        return this.#settle(step);
      case 'reopen':
        // The engine does not issue this command while the block is still on the chain.
        return step.because === 'same block' ? null : this.#reopen(step);
      case 'final':
        return this.#finalize(step);
      case 'import':
        return this.#import(this.#at(step));
      case 'quarantine_over':
        return this.#endQuarantine();
      case 'lease':
        await this.#lease(step.L ?? 0, step.instance ?? 0);
        return null;
      case 'key_wrong':
      case 'key_mended':
        this.#isKeyWrong.set(step.L ?? 0, step.do === 'key_wrong');
        return null;
      case 'ledger_lost':
        this.#known = nothing();
        this.#ledger = this.#emptyLedger();
        await this.#begin(false);
        return null;
      case 'ledger_copied':
        this.#copy = { ledger: this.#ledger.copy(), known: copyOf(this.#known) };
        return null;
      case 'ledger_restored':
        await this.#restore();
        return null;
      case 'prepare_ended':
      case 'read_for_prepare':
      case 'look_rows':
      case 'look_chain':
      case 'look_end':
      case 'send':
      case 'crash':
      case 'lane_check':
      case 'chain':
        return null;
    }
  }

  async #request({ attempt = '' }: TraceStep): Promise<CommandResult> {
    const submission = aSubmission(attempt.slice(0, 1), {
      id: `id ${(this.#requests += 1)}`,
      ...requestedIn(attempt, 0),
      replayProtected: this.options.nullifier !== false && this.options.moveAt === 'l2',
      deadlineBlock: this.#lastBlock(attempt, 0),
    });
    const answer = await this.#record({ type: 'request', submission });
    if (answer.applied && answer.attempt !== null)
      this.#known.refs.set(attempt, refOf(answer.attempt));
    return answer;
  }

  #renew({ attempt = '', call = 0 }: TraceStep): Promise<CommandResult> {
    return this.#record({
      type: 'renew',
      attempt: this.#ref(attempt),
      ...requestedIn(attempt, call),
      calldata: Felts.of([BigInt(call)]),
      deadlineBlock: this.#lastBlock(attempt, call),
    });
  }

  /** Ends an attempt. If its call has a last block, this block is the reason. */
  async #end(attempt: string): Promise<CommandResult> {
    const ref = this.#ref(attempt);
    const fingerprint = (await this.#ledger.attempt(ref))?.fingerprint ?? '';
    const isLate = this.#lastBlock(attempt, 0) !== null;
    return this.#record({
      type: 'end_waiting',
      attempt: ref,
      to: 'expired',
      notBeforeMs: 0,
      ...(isLate ? { code: 'DEADLINE_BLOCK_PASSED', fingerprint } : { code: 'NOT_SENT_IN_TIME' }),
    });
  }

  /** Returns the last block of a call. Each newer call has a later last block. */
  #lastBlock(attempt: string, call: number): number | null {
    return this.options.late?.includes(attempt.slice(0, 1)) === true ? 1_000 + call : null;
  }

  async #adopt(step: TraceStep): Promise<CommandResult> {
    const { attempt = '', tx = '', good = false } = step;
    const at = this.#at(step);
    const { deadlineAfterMs: _deadline, ...submission } = aSubmission(attempt.slice(0, 1), {
      ...requestedIn(attempt, 0),
    });
    const consumer = this.#names.consumer(this.#names.signed(step).hash, good, null);
    const answer = await this.#record({
      type: 'adopt',
      lane: at.lane,
      nonce: at.nonce,
      submission,
      consumer,
      evidence: confirming(consumer.block),
    });
    // A nonce that was used before the new ledger started is polled like any other nonce until it
    // is final.
    if (
      answer.applied &&
      this.options.undo === undefined &&
      answer.nonce?.settlement?.isFinal === false
    )
      await this.#record({
        type: 'finalize',
        ...at,
        block: consumer.block,
        evidence: confirming(consumer.block),
        horizonMs: 0,
      });
    // From here on, the model uses the lost ledger's name for this attempt.
    this.#known.refs.set(tx.slice(0, 2), this.#ref(attempt));
    if (tx.slice(0, 2) !== attempt) this.#known.refs.delete(attempt);
    return answer;
  }

  async #store(step: TraceStep): Promise<CommandResult> {
    const { kind, tx = NOOP, L = 0, saw = 0 } = step;
    if (kind === 'quarantine') await this.#age();
    const at = this.#at(step);
    for (let next = await this.#nextNonce(L); next < at.nonce; next += 1n)
      await this.#import({ ...at, nonce: next });
    const hasWindow = (this.options.lose ?? this.options.restore ?? 0) > 0;
    const attempt = tx.startsWith(NOOP) ? null : this.#ref(tx.slice(0, 2));
    return this.#record({
      type: 'store',
      ...at,
      version: saw + (this.#known.ahead.get(placeOf(at)) ?? 0),
      attempt,
      fingerprint: await this.#signedCall(step, attempt),
      transaction: this.#names.signed(step),
      node: 'node-0',
      ceilingL2PriceFri: priceOf(this.options.maxV ?? 0),
      nonceLimit: hasWindow ? BigInt((this.#chain.accepted[L] ?? 0) + this.#window) : 1_000n,
    });
  }

  /**
   * Returns the fingerprint of the signed call. Each attempt has a fingerprint, even if the model
   * has no call number.
   */
  async #signedCall(
    { tx = '', call }: TraceStep,
    attempt: AttemptRef | null,
  ): Promise<string | null> {
    if (attempt === null) return null;
    return call === undefined
      ? ((await this.#ledger.attempt(attempt))?.fingerprint ?? null)
      : requestedIn(tx.slice(0, 2), call).fingerprint;
  }

  async #settle(step: TraceStep): Promise<CommandResult> {
    const { good = false, block = null, saw = 0, to, loser = '' } = step;
    const at = this.#at(step);
    const { hash } = this.#names.signed(step);
    const version = saw + (this.#known.ahead.get(placeOf(at)) ?? 0);
    const answer = await this.#record({
      type: 'settle',
      ...at,
      version,
      consumer: this.#names.consumer(hash, good, block),
      evidence: confirming(blockOf(block)),
    });
    // Another transaction of the attempt may have succeeded.
    if (
      !answer.applied ||
      to !== 'end' ||
      !(this.rows().attempts[loser] ?? '').startsWith('accepted')
    )
      return answer;
    // The model makes two changes in one step: the attempt waits, and then it ends. Without
    // rollbacks, a settled nonce is final in the model.
    if (this.options.undo === undefined)
      await this.#record({
        type: 'finalize',
        ...at,
        block: blockOf(block),
        evidence: confirming(blockOf(block)),
        horizonMs: 0,
      });
    return this.#end(loser);
  }

  #reopen(step: TraceStep): Promise<CommandResult> {
    return this.#undo(this.#at(step), blockOf(step.block));
  }

  #undo(at: LaneSlot, block: BlockRef): Promise<CommandResult> {
    const evidence = contradicting(block);
    return this.#record({ type: 'reopen', ...at, block, evidence, undone: block, earlier: null });
  }

  /**
   * Finalizes a nonce. The model merges settlements by the same consumer in different blocks. A
   * ledger first reopens the nonce and settles it with the other block.
   */
  async #finalize(step: TraceStep): Promise<CommandResult | null> {
    const at = this.#at(step);
    if (this.rows().nonces[placeOf(at)]?.state === 'final') return null;
    if (step.sameBlock === false) {
      const { settlement } =
        (await this.#ledger.unfinalNonces(at.lane, 'oldest', 100)).find(
          ({ nonce }) => nonce === at.nonce,
        ) ?? {};
      const hash = settlement?.hash ?? null;
      const block = settlement?.block ?? null;
      if (hash === null || block === null)
        throw new Error(`nothing to settle again: ${step.words}`);
      const before = this.rows().attempts;
      const reopened = await this.#undo(at, block);
      if (!reopened.applied) return reopened;
      const consumer = this.#names.consumer(
        hash,
        settlement?.execution === 'SUCCEEDED',
        step.block ?? null,
      );
      const settled = await this.#record({
        type: 'settle',
        ...at,
        version: reopened.nonce?.version ?? 0,
        consumer,
        evidence: confirming(consumer.block),
      });
      if (!settled.applied) return settled;
      // The reopening has undone the end of an attempt that had lost this nonce. The attempt waits
      // again, and must be ended again.
      for (const [attempt, state] of Object.entries(this.rows().attempts))
        if (state.startsWith('accepted') && (before[attempt] ?? '').startsWith('ended'))
          await this.#end(attempt);
    }
    return this.#record({
      type: 'finalize',
      ...at,
      block: blockOf(step.block),
      evidence: confirming(blockOf(step.block)),
      horizonMs: 0,
    });
  }

  async #import(at: LaneSlot): Promise<CommandResult> {
    const answer = await this.#record({ type: 'import', ...at, through: at.nonce });
    if (answer.applied) this.#known.ahead.set(placeOf(at), 1);
    return answer;
  }

  /**
   * Returns the cause of a refusal. If a lane's account refused the transaction, the lane's check
   * decides between the causes `lane` and `account`.
   */
  #cause({ cause, L = 0, to }: TraceStep): RejectionCause {
    if (cause === 'lane') return this.#isKeyWrong.get(L) === true ? 'lane' : 'account';
    return to === 'end' ? 'call' : 'price';
  }

  // Creation and losses of the ledger

  #emptyLedger(): InMemoryLedger {
    return new InMemoryLedger({ clock: { nowMs: () => this.#nowMs } });
  }

  async #begin(isAccepted: boolean): Promise<void> {
    for (const L of this.#lanes) {
      await this.#ledger.registerLane(addressOf(L), 'relay');
      await this.#lease(L, 0);
      const accountNonce = BigInt(this.#chain.accepted[L] ?? 0);
      const lane = { lane: addressOf(L), fence: this.#fence(0, L) };
      await this.#record({
        type: 'introduce',
        ...lane,
        accountNonce,
        window: BigInt(this.#window),
        isAccepted,
        hasSentCalls: !isAccepted,
      });
    }
  }

  async #restore(): Promise<void> {
    if (this.#copy === null) throw new Error('there is no copy');
    this.#ledger = this.#copy.ledger.copy();
    this.#known = copyOf(this.#copy.known);
    await this.#lease(0, 0);
    const [accepted, next] = [BigInt(this.#chain.accepted[0] ?? 0), await this.#nextNonce(0)];
    const until = (accepted > next ? accepted : next) + BigInt(this.#window);
    await this.#record({ type: 'quarantine', ...this.#at({}), until, isAged: false });
  }

  /**
   * Ages the quarantine: the mempool lifetime has passed, but the nonce at which the quarantine
   * ends does not change.
   */
  async #age(): Promise<void> {
    await this.#record({ type: 'quarantine', ...this.#at({}), until: 0n, isAged: true });
  }

  async #endQuarantine(): Promise<CommandResult> {
    await this.#age();
    return this.#record({ type: 'end_quarantine', lanes: [addressOf(0)] });
  }

  async #lease(L: number, instance: number): Promise<void> {
    this.#nowMs += 2 * LEASE_MS;
    const leased = await this.#ledger.lease(addressOf(L), `instance ${instance}`, LEASE_MS);
    if (leased === null) throw new Error('the lease has not run out');
    this.#fences.set(`${instance}.${L}`, leased.fence);
    this.#fences.set(`holder.${L}`, leased.fence);
  }

  // Names of lanes, attempts and transactions

  #record(event: SubmissionCommand): Promise<CommandResult> {
    return this.#ledger.apply(event);
  }

  get #window(): number {
    return this.options.window ?? 1;
  }

  async #nextNonce(L: number): Promise<bigint> {
    const { lanes } = await this.#ledger.state();
    return lanes.find(({ address }) => address === addressOf(L))?.nextNonce ?? 0n;
  }

  #fence(instance: number | 'holder', L: number): bigint {
    return this.#fences.get(`${instance}.${L}`) ?? 0n;
  }

  /**
   * Returns the lane and the nonce of a step, with the fence that the worker's instance considers
   * current.
   */
  #at({ L = 0, n = 0, w }: Pick<TraceStep, 'L' | 'n' | 'w'>): LaneSlot {
    const instance = w === undefined ? 'holder' : (this.#workers[w] ?? 0);
    return { lane: addressOf(L), nonce: BigInt(n), fence: this.#fence(instance, L) };
  }

  #ref(attempt: string): AttemptRef {
    const ref = this.#known.refs.get(attempt);
    if (ref === undefined) throw new Error(`no attempt of this name: ${attempt}`);
    return ref;
  }
}
