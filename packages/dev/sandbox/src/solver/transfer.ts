import type { SolverAsset } from './assets.js';
import { transactionHash } from './deposit-address.js';

/** Steps of a transfer, in the sequence in which they are performed. */
export const SOLVER_STEPS = [
  'deposit_detected',
  'swap_source_token',
  'bridge_to_destination',
  'swap_destination_token',
  'send_to_recipient',
] as const;

export type SolverStep = (typeof SOLVER_STEPS)[number];

/** Terms of a transfer, with its id and deposit address. */
export interface TransferOrder {
  readonly id: string;
  readonly depositAddress: string;
  readonly from: SolverAsset;
  readonly to: SolverAsset;
  readonly amount: bigint;
  readonly output: bigint;
  readonly deadlineMs: number;
  /** Quote request that 1Click's status response repeats. */
  readonly request: Readonly<Record<string, unknown>>;
}

/**
 * Delays of automatic steps, in milliseconds. With `manual`, only a control command moves a
 * transfer to its next step.
 */
export interface Pace {
  readonly stepMs: number | 'manual';
  readonly refundMs: number | 'manual';
}

interface Event {
  readonly atMs: number;
  readonly txHash: string;
}

/**
 * Transfer with its progress. When a request arrives, the solver computes which steps are due at
 * this time, so no timers are needed.
 */
export class SolverTransfer {
  readonly completions: Event[] = [];
  deposit: (Event & { readonly amount: bigint }) | undefined;
  failedAtMs: number | undefined;
  refundedAtMs: number | undefined;
  /** Step that must fail when the transfer reaches it. */
  failsAt: SolverStep | undefined;

  constructor(readonly order: TransferOrder) {}

  /** Current step; undefined before the deposit, after a failure and after the last step. */
  get step(): SolverStep | undefined {
    return this.deposit === undefined || this.failedAtMs !== undefined
      ? undefined
      : SOLVER_STEPS[this.completions.length];
  }

  get isCompleted(): boolean {
    return this.completions.length === SOLVER_STEPS.length;
  }

  /**
   * True if less than the required amount was deposited. Such a transfer performs no steps
   * automatically.
   */
  get isIncomplete(): boolean {
    return this.deposit !== undefined && this.deposit.amount < this.order.amount;
  }

  /** Records the deposit. @throws RangeError if the deposit was already made */
  receive(amount: bigint, nowMs: number, txHash = this.#hash('deposit', this.order.from)): string {
    if (this.deposit !== undefined) throw new RangeError('the deposit has been made');
    this.deposit = { amount, atMs: nowMs, txHash };
    return txHash;
  }

  /** Finishes the current step. @throws RangeError if the transfer has no current step */
  finishStep(nowMs: number): void {
    const { step } = this;
    if (step === undefined) throw new RangeError('there is no current step');
    if (step === this.failsAt) {
      this.failStep(nowMs);
      return;
    }
    const { from, to } = this.order;
    const depositHash = this.deposit?.txHash ?? '';
    const hash =
      step === 'deposit_detected'
        ? depositHash
        : this.#hash(step, step === 'swap_source_token' ? from : to);
    this.completions.push({ atMs: nowMs, txHash: hash });
  }

  /** Ends the current step as failed. @throws RangeError if the transfer has no current step */
  failStep(nowMs: number): void {
    if (this.step === undefined) throw new RangeError('there is no current step');
    this.failedAtMs = nowMs;
  }

  /**
   * Refunds the funds. @throws RangeError if the refund was already made, or no step has failed and
   * the deposit is complete
   */
  refund(nowMs: number): void {
    if (this.refundedAtMs !== undefined) throw new RangeError('the refund has been made');
    if (this.failedAtMs === undefined && !this.isIncomplete)
      throw new RangeError('nothing has failed');
    this.failedAtMs ??= nowMs;
    this.refundedAtMs = nowMs;
  }

  /** Performs all steps and the refund that are due at `nowMs`. */
  settle(nowMs: number, { stepMs, refundMs }: Pace): void {
    if (stepMs !== 'manual') this.#walk(nowMs, stepMs);
    if (refundMs === 'manual' || this.failedAtMs === undefined || this.refundedAtMs !== undefined)
      return;
    if (this.failedAtMs + refundMs <= nowMs) this.refund(this.failedAtMs + refundMs);
  }

  #walk(nowMs: number, stepMs: number): void {
    while (this.step !== undefined && !this.isIncomplete) {
      const dueMs = (this.completions.at(-1)?.atMs ?? this.deposit?.atMs ?? nowMs) + stepMs;
      if (dueMs > nowMs) return;
      this.finishStep(dueMs);
    }
  }

  #hash(what: string, { chain }: SolverAsset): string {
    return transactionHash(chain, `${this.order.id} ${what}`);
  }
}
