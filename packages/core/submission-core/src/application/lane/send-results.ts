import type { Clock } from '@sotto/kernel';
import { NONCE_REFUSED, type SendAnswer } from '../../ports/chain.port.js';
import type { Refusal } from './sender.js';

/**
 * Code of a failure that may be due to the call. The account check detects a failure of the
 * account.
 */
const MAY_BE_OF_CALL = 'VALIDATION_FAILURE';

/**
 * Age from which a rejection is ignored, in ms. A rejected attempt is sent again every few seconds,
 * so an older rejection means that no attempt waits and only the next send can show the lane's
 * state.
 */
const CURRENT_MS = 30_000;

/** After this many consecutive sends that no node accepted, the lane counts as unable to send. */
const UNANSWERED_IN_A_ROW = 3;

/** Results of a lane's sends that show whether it can send. */
export class SendResults {
  #unanswered = 0;
  #refusal: { readonly code: string; readonly atMs: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /**
   * Records a node's answer. An accepted send ends a rejection; a single unclear one shows nothing.
   */
  note(answer: SendAnswer): void {
    this.#unanswered = isUnanswered(answer) ? this.#unanswered + 1 : 0;
    if (answer.kind === 'taken') this.#refusal = null;
    else if (isOfLane(answer) || this.#unanswered >= UNANSWERED_IN_A_ROW)
      this.#refusal = { code: answer.code, atMs: this.clock.monotonicMs() };
  }

  /** Code of the last rejection or failure if no send was accepted since; null if it is old. */
  get refusal(): string | null {
    const refusal = this.#refusal;
    if (refusal === null || this.clock.monotonicMs() - refusal.atMs >= CURRENT_MS) return null;
    return refusal.code;
  }
}

/**
 * True for a rejection that no caller can cause: amounts and prices of a transaction's bounds
 * follow from settings and the chain.
 */
const isOfLane = (answer: SendAnswer): answer is Refusal =>
  answer.kind === 'refused' && answer.cause !== 'call' && answer.code !== MAY_BE_OF_CALL;

/** True if no node accepted the bytes or reported an error about them. */
export const isUnanswered = (answer: SendAnswer): boolean =>
  answer.kind === 'unclear' && answer.code !== NONCE_REFUSED;
