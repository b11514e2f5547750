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

/** Signs a message and posts it once to a registered endpoint. */
export abstract class WebhookSender {
  /**
   * Sends the message. The call ends within the sender's timeout, or when the signal aborts. A
   * failure is returned as a value; the call never rejects.
   */
  abstract send(endpoint: string, message: Message, signal: AbortSignal): Promise<SendResult>;
}
