import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** Bounds that Standard Webhooks has for a secret. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/;
const MS_PER_SECOND = 1_000;

/** A secret that the service shares with one receiver. Its bytes leave it only as signatures. */
export class SigningKey {
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Null for a text that is no `whsec_` secret of 24 to 64 bytes in base64. */
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

/** A message as the receiver gets it; every try of it has the same id and body. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/**
 * The headers that a receiver verifies a message by, as Standard Webhooks names them: one signature
 * for each key, so that a receiver may change its secret while both are signed with.
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
