import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { ec, hash } from 'starknet';
import { createAccountKey } from '../../src/index.js';

const CLASS = toFelt('0x5b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564');
const ORDER = ec.starkCurve.CURVE.n;

describe('createAccountKey', () => {
  it('createAccountKey returns a new key and the address of an account deployed with this key', () => {
    const { privateKey, publicKey, address } = createAccountKey(CLASS);
    expect(toFelt(ec.starkCurve.getStarkKey(privateKey))).toBe(publicKey);
    expect(address).toBe(
      toFelt(hash.calculateContractAddressFromHash(publicKey, CLASS, [publicKey], 0)),
    );
  });

  it.each([
    ['nothing but zeros', 0, 1n],
    ['nothing but ones', 0xff, ((2n ** 320n - 1n) % (ORDER - 1n)) + 1n],
  ])(
    'createAccountKey returns a key above zero and below the order of the curve if the random bytes are %s',
    (_, byte, expected) => {
      const { privateKey } = createAccountKey(CLASS, (bytes) => new Uint8Array(bytes).fill(byte));
      expect(BigInt(privateKey)).toBe(expected);
      expect(expected < ORDER).toBe(true);
    },
  );

  it('createAccountKey returns a different key each time', () => {
    expect(createAccountKey(CLASS).privateKey).not.toBe(createAccountKey(CLASS).privateKey);
  });
});
