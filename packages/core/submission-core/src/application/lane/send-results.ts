import type { Clock } from '@sotto/kernel';
import { NONCE_REFUSED, type SendAnswer } from '../../ports/chain.port.js';
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

/** After this many sends in a row that no node accepted, the lane can send nothing. */
const UNANSWERED_IN_A_ROW = 3;

/** Results of a lane's sends, as far as they show that it can send nothing. */
export class SendResults {
  #unanswered = 0;
  #refusal: { readonly code: string; readonly atMs: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** Records a node's answer: a taken send ends a refusal, a single unclear one shows nothing. */
  note(answer: SendAnswer): void {
    this.#unanswered = isUnanswered(answer) ? this.#unanswered + 1 : 0;
    if (answer.kind === 'taken') this.#refusal = null;
    else if (isOfLane(answer) || this.#unanswered >= UNANSWERED_IN_A_ROW)
      this.#refusal = { code: answer.code, atMs: this.clock.monotonicMs() };
  }

  /** Code of the last refusal or failure if no send was taken since; null if it is old. */
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

/** True if no node accepted the bytes, nor said what is wrong with them. */
export const isUnanswered = (answer: SendAnswer): boolean =>
  answer.kind === 'unclear' && answer.code !== NONCE_REFUSED;
