import type { Message } from '../domain/signature.js';

/** Why a receiver did not confirm a message. */
export const SEND_FAILURES = [
  'ADDRESS_FORBIDDEN',
  'UNREACHABLE',
  'TIMED_OUT',
  'REDIRECTED',
  'GONE',
  'STATUS_REFUSED',
] as const;
export type SendFailure = (typeof SEND_FAILURES)[number];

export type SendResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: SendFailure; readonly retryAfterMs: number | null };

/** Signs a message and posts it to a registered endpoint, once. */
export abstract class WebhookSender {
  /**
   * Ends within a deadline of its own, sooner when the signal aborts. A receiver that does not
   * confirm is a value; never rejects.
   */
  abstract send(endpoint: string, message: Message, signal: AbortSignal): Promise<SendResult>;
}
