import type { Clock } from '@sotto/kernel';
import { NONCE_REFUSED, type SendAnswer } from '../../ports/chain.port.js';
import type { Rejection } from './sender.js';

/**
 * Rejection code whose cause may be the call. If the account is the cause instead, the account
 * check finds this out.
 */
const MAY_BE_OF_CALL = 'VALIDATION_FAILURE';

/**
 * Age from which a rejection is ignored, in ms. A rejected attempt is sent again every few seconds.
 * If the last rejection is older than this, no attempt is waiting. Only the next send can then show
 * whether the lane can send.
 */
const CURRENT_MS = 30_000;

/**
 * After this number of consecutive sends that no node has accepted, the lane is considered unable
 * to send.
 */
const UNANSWERED_IN_A_ROW = 3;

/** Results of the last sends of a lane, which show whether the lane is able to send. */
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
    else if (isOfLane(answer) || this.isUnanswered)
      this.#rejection = { code: answer.code, atMs: this.clock.monotonicMs() };
  }

  /** Ignores the sends before this call that no node has accepted. */
  forgetUnanswered(): void {
    this.#unanswered = 0;
  }

  /** True if no node accepted the last sends or reported an error about them. */
  get isUnanswered(): boolean {
    return this.#unanswered >= UNANSWERED_IN_A_ROW;
  }

  /**
   * Code of the last rejection or failure. Null if a later send was accepted, or if the rejection
   * is too old.
   */
  get rejection(): string | null {
    const rejection = this.#rejection;
    if (rejection === null || this.clock.monotonicMs() - rejection.atMs >= CURRENT_MS) return null;
    return rejection.code;
  }
}

/**
 * True for a rejection that no caller can cause. The resource bounds of a transaction (amounts and
 * prices) do not depend on callers: they follow from settings and from the chain.
 */
const isOfLane = (answer: SendAnswer): answer is Rejection =>
  answer.kind === 'refused' && answer.cause !== 'call' && answer.code !== MAY_BE_OF_CALL;

/** True if no node accepted the bytes or reported an error about them. */
export const isUnanswered = (answer: SendAnswer): boolean =>
  answer.kind === 'unclear' && answer.code !== NONCE_REFUSED;
