import type { Clock } from '@sotto/kernel';
import type { SendAnswer } from '../ports/chain.port.js';
import type { Refusal } from './sender.js';

/**
 * May be due to the call, which the account's check sees as well. If the account is at fault, its
 * diagnosis shows it.
 */
const MAY_BE_OF_CALL = 'VALIDATION_FAILURE';

/**
 * A refused attempt is sent again every few seconds. Older refusals mean that nothing waits: only
 * the next send shows how the lane stands.
 */
const CURRENT_MS = 30_000;

/** Results of a lane's sends, as far as they show that it can send nothing. */
export class SendResults {
  #refusal: { readonly code: string; readonly atMs: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** Records a node's answer: a taken send ends a refusal, an unclear one shows nothing. */
  note(answer: SendAnswer): void {
    if (answer.kind === 'taken') this.#refusal = null;
    if (isOfLane(answer)) this.#refusal = { code: answer.code, atMs: this.clock.monotonicMs() };
  }

  /** Code of the last refusal if no send was taken since; null if it is old. */
  get refusal(): string | null {
    const refusal = this.#refusal;
    if (refusal === null || this.clock.monotonicMs() - refusal.atMs >= CURRENT_MS) return null;
    return refusal.code;
  }
}

/**
 * True for a refusal that no caller can cause: amounts and prices of a transaction's bounds follow
 * from settings and the chain.
 */
const isOfLane = (answer: SendAnswer): answer is Refusal =>
  answer.kind === 'refused' && answer.cause !== 'call' && answer.code !== MAY_BE_OF_CALL;
