import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** Minimum length of a secret according to the Standard Webhooks specification, in bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/;
const MS_PER_SECOND = 1_000;

/**
 * Secret that the service shares with one receiver. The bytes of the secret are used only for
 * signatures.
 */
export class SigningKey {
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * Parses a secret. Returns null if the text is not a `whsec_` secret of 24 to 64 bytes in base64.
   */
  static parse(text: string): SigningKey | null {
    const encoded = text.slice(PREFIX.length);
    if (!text.startsWith(PREFIX) || !BASE64.test(encoded)) return null;
    const bytes = Buffer.from(encoded, 'base64');
    return bytes.length < MIN_BYTES || bytes.length > MAX_BYTES ? null : new SigningKey(bytes);
  }

  sign(text: string): string {
    return createHmac('sha256', this.#bytes).update(text).digest('base64');
  }
}

/** Message as sent to the receiver. Every attempt has the same id and body. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/**
 * Returns the headers with which a receiver verifies a message; the names are those of Standard
 * Webhooks. The signature header contains one signature per key. A receiver can therefore rotate
 * its secret while the service signs with the old and the new one.
 */
export function signatureHeaders(
  keys: readonly SigningKey[],
  { id, body }: Message,
  nowMs: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(nowMs / MS_PER_SECOND));
  const signed = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => `v1,${key.sign(signed)}`).join(' '),
  };
}
