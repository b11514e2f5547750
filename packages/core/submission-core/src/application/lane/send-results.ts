import type { Clock } from '@sotto/kernel';
import { NONCE_REFUSED, type SendAnswer } from '../../ports/chain.port.js';
import type { Rejection } from './sender.js';

/**
 * Rejection code whose cause may be the call. If the account is the cause, the account check
 * detects this.
 */
const MAY_BE_OF_CALL = 'VALIDATION_FAILURE';

/**
 * Age from which a rejection is ignored, in ms. A rejected attempt is sent again every few seconds.
 * An older rejection therefore means that no attempt waits; only the next send can show whether the
 * lane can send.
 */
const CURRENT_MS = 30_000;

/**
 * Number of consecutive sends without an accepting node after which the lane is considered unable
 * to send.
 */
const UNANSWERED_IN_A_ROW = 3;

/** Results of a lane's sends that show whether it can send. */
export class SendResults {
  #unanswered = 0;
  #rejection: { readonly code: string; readonly atMs: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /**
   * Records a node's response to a send. An accepted send clears an earlier rejection. A single
   * unclear response changes nothing.
   */
  note(answer: SendAnswer): void {
    this.#unanswered = isUnanswered(answer) ? this.#unanswered + 1 : 0;
    if (answer.kind === 'taken') this.#rejection = null;
    else if (isOfLane(answer) || this.#unanswered >= UNANSWERED_IN_A_ROW)
      this.#rejection = { code: answer.code, atMs: this.clock.monotonicMs() };
  }

  /**
   * Code of the last rejection or failure. Null if a send was accepted since, or if the code is too
   * old.
   */
  get rejection(): string | null {
    const rejection = this.#rejection;
    if (rejection === null || this.clock.monotonicMs() - rejection.atMs >= CURRENT_MS) return null;
    return rejection.code;
  }
}

/**
 * True for a rejection that no caller can cause: the resource bounds of a transaction (amounts and
 * prices) follow from settings and from the chain.
 */
const isOfLane = (answer: SendAnswer): answer is Rejection =>
  answer.kind === 'refused' && answer.cause !== 'call' && answer.code !== MAY_BE_OF_CALL;

/** True if no node accepted the bytes or reported an error about them. */
export const isUnanswered = (answer: SendAnswer): boolean =>
  answer.kind === 'unclear' && answer.code !== NONCE_REFUSED;
