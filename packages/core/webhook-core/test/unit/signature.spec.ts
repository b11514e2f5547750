import { describe, expect, it } from '@jest/globals';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { SigningKey, signatureHeaders } from '../../src/index.js';

const OLD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const keyOf = (text: string): SigningKey => {
  const key = SigningKey.parse(text);
  if (key === null) throw new Error('the text is not a key');
  return key;
};
const MESSAGE = { id: 'msg_a.1', body: '{"id":"s1"}' };

describe('signatures', () => {
  it('the library of Standard Webhooks verifies the signature headers', () => {
    const headers = signatureHeaders([keyOf(OLD)], MESSAGE, Date.now());
    expect(new Webhook(OLD).verify(MESSAGE.body, headers)).toEqual({ id: 's1' });
    expect(() => new Webhook(NEW).verify(MESSAGE.body, headers)).toThrow(WebhookVerificationError);
    expect(() => new Webhook(OLD).verify('{"id":"s2"}', headers)).toThrow(WebhookVerificationError);
    const renamed = { ...headers, 'webhook-id': 'msg_a.2' };
    expect(() => new Webhook(OLD).verify(MESSAGE.body, renamed)).toThrow(WebhookVerificationError);
  });

  it('the library of Standard Webhooks rejects a signature header that is older than five minutes', () => {
    const headers = signatureHeaders([keyOf(OLD)], MESSAGE, Date.now() - 360_000);
    expect(() => new Webhook(OLD).verify(MESSAGE.body, headers)).toThrow(WebhookVerificationError);
  });

  it('the signature headers are valid for both secrets during a rotation', () => {
    const headers = signatureHeaders([keyOf(NEW), keyOf(OLD)], MESSAGE, Date.now());
    for (const secret of [OLD, NEW])
      expect(new Webhook(secret).verify(MESSAGE.body, headers)).toEqual({ id: 's1' });
  });

  it.each([
    ['without the prefix', Buffer.alloc(32).toString('base64')],
    ['too short', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['not in base64', `whsec_${'!'.repeat(44)}`],
    ['empty', ''],
  ])('SigningKey.parse rejects a secret that is %s', (_name, text) => {
    expect(SigningKey.parse(text)).toBeNull();
  });

  it('a signing key does not expose its secret in JSON', () => {
    expect(JSON.stringify({ key: keyOf(OLD) })).toBe('{"key":{}}');
  });
});
