import type { SolverAsset } from './assets.js';
import { transactionHash } from './deposit-address.js';

/** In the order in which they run. */
export const SOLVER_STEPS = [
  'deposit_detected',
  'swap_source_token',
  'bridge_to_destination',
  'swap_destination_token',
  'send_to_recipient',
] as const;

export type SolverStep = (typeof SOLVER_STEPS)[number];

/** What was ordered. */
export interface TransferOrder {
  readonly id: string;
  readonly depositAddress: string;
  readonly from: SolverAsset;
  readonly to: SolverAsset;
  readonly amount: bigint;
  readonly output: bigint;
  readonly deadlineMs: number;
  /** The 1Click request in whose words it was ordered. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** How long things take by themselves; `manual`: only when ordered. */
export interface Pace {
  readonly stepMs: number | 'manual';
  readonly refundMs: number | 'manual';
}

interface Event {
  readonly atMs: number;
  readonly txHash: string;
}

/** One transfer. The clock is read at each request, so nothing runs in between. */
export class SolverTransfer {
  readonly completions: Event[] = [];
  deposit: (Event & { readonly amount: bigint }) | undefined;
  failedAtMs: number | undefined;
  refundedAtMs: number | undefined;
  /** The step that fails when its turn comes. */
  failsAt: SolverStep | undefined;

  constructor(readonly order: TransferOrder) {}

  /** The step under way, undefined before the deposit and after the end. */
  get step(): SolverStep | undefined {
    return this.deposit === undefined || this.failedAtMs !== undefined
      ? undefined
      : SOLVER_STEPS[this.completions.length];
  }

  get isCompleted(): boolean {
    return this.completions.length === SOLVER_STEPS.length;
  }

  /** Less than ordered arrived: nothing goes on by itself. */
  get isIncomplete(): boolean {
    return this.deposit !== undefined && this.deposit.amount < this.order.amount;
  }

  /** @throws RangeError when funds have arrived before */
  receive(amount: bigint, nowMs: number, txHash = this.#hash('deposit', this.order.from)): string {
    if (this.deposit !== undefined) throw new RangeError('the deposit has been made');
    this.deposit = { amount, atMs: nowMs, txHash };
    return txHash;
  }

  /** @throws RangeError when no step is under way */
  finishStep(nowMs: number): void {
    const { step } = this;
    if (step === undefined) throw new RangeError('no step is under way');
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

  /** @throws RangeError when no step is under way */
  failStep(nowMs: number): void {
    if (this.step === undefined) throw new RangeError('no step is under way');
    this.failedAtMs = nowMs;
  }

  /** Sends the funds back. @throws RangeError when nothing is there to be sent back */
  refund(nowMs: number): void {
    if (this.refundedAtMs !== undefined) throw new RangeError('the refund has been made');
    if (this.failedAtMs === undefined && !this.isIncomplete)
      throw new RangeError('nothing has failed');
    this.failedAtMs ??= nowMs;
    this.refundedAtMs = nowMs;
  }

  /** Lets everything happen that is due. */
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
