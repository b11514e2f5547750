import { describe, expect, it } from '@jest/globals';
import { envelopeOf, signedBytesOf } from '../../src/domain/signed-envelope.js';
import { signed } from '../support/rows.js';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
const restored = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString();

const CALLDATA = encoded('[1,2]');
const call = envelopeOf({
  ...signed(),
  bytes: encoded('before [1,2] after'),
  calldataAt: { start: 7, end: 12 },
});
const noop = envelopeOf({ ...signed(), bytes: encoded('no-op') });

describe('signed bytes of a stored transaction', () => {
  it('signedBytesOf inserts the calldata that envelopeOf has removed', () => {
    expect(restored(call.bytes)).toBe('before  after');
    expect(restored(signedBytesOf(call, CALLDATA))).toBe('before [1,2] after');
  });

  it('signedBytesOf returns all stored bytes of a transaction without a call', () => {
    expect(restored(signedBytesOf(noop, null))).toBe('no-op');
    expect(restored(signedBytesOf(noop, CALLDATA))).toBe('no-op');
  });

  it('signedBytesOf returns null if the calldata is redacted, even without a digest to compare', () => {
    expect(signedBytesOf(call, null)).toBeNull();
    expect(signedBytesOf({ ...call, sha256: null }, null)).toBeNull();
  });

  it.each([
    ['calldata', call, encoded('[1,3]')],
    ['bytes of a call', { ...call, bytes: encoded('before  After') }, CALLDATA],
    ['position of the calldata', { ...call, calldataAt: 8 }, CALLDATA],
    ['bytes of a no-op', { ...noop, bytes: encoded('no-oq') }, null],
  ])('signedBytesOf returns null if the stored %s were altered', (_what, envelope, text) => {
    expect(signedBytesOf(envelope, text)).toBeNull();
  });

  it('signedBytesOf returns the bytes of an old release, which stored no digest', () => {
    expect(restored(signedBytesOf({ ...noop, sha256: null }, null))).toBe('no-op');
  });
});
