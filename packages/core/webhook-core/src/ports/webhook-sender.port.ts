import type { Message } from '../domain/signature.js';

/** Reasons why a receiver did not confirm a message. */
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
   * Ends within the sender's own deadline, or sooner if the signal aborts. Returns a failure as a
   * value; never rejects.
   */
  abstract send(endpoint: string, message: Message, signal: AbortSignal): Promise<SendResult>;
}
