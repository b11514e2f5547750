import { beforeEach, describe, expect, it } from '@jest/globals';
import { accountModel } from '../../../src/contracts/account.js';
import { sandboxWorld } from '../../../src/contracts/world.js';
import { signWith } from '../../../src/engine/signature.js';
import { TestChain } from './harness.js';

const { address, publicKey, privateKey } = sandboxWorld.accounts.lane1;
const MESSAGE_HASH = 0x1234567890abcdefn;
const VALID = 0x56414c4944n;

describe('account model', () => {
  let chain: TestChain;
  const verdict = (hash: bigint, signature: readonly bigint[]): bigint[] =>
    chain.call(0n, address, 'is_valid_signature', [hash, BigInt(signature.length), ...signature]);

  beforeEach(() => {
    chain = new TestChain();
    chain.deploy(address, accountModel, { public_key: publicKey });
  });

  it('the account returns its public key', () => {
    expect(chain.call(0n, address, 'get_public_key')).toEqual([publicKey]);
    expect(chain.call(0n, address, 'getPublicKey')).toEqual([publicKey]);
  });

  it('the account accepts only signatures of its key', () => {
    const signature = signWith(privateKey, MESSAGE_HASH);
    expect(verdict(MESSAGE_HASH, signature)).toEqual([VALID]);
    expect(verdict(MESSAGE_HASH + 1n, signature)).toEqual([0n]);
    expect(
      verdict(MESSAGE_HASH, signWith(sandboxWorld.accounts.lane2.privateKey, MESSAGE_HASH)),
    ).toEqual([0n]);
    expect(verdict(MESSAGE_HASH, [])).toEqual([0n]);
    expect(verdict(MESSAGE_HASH, [...signature, 0n])).toEqual([0n]);
  });

  it.each(['__execute__', '__validate__'])(
    'the account rejects a call of %s by a contract',
    (entrypoint) => {
      expect(() => chain.call(0xabcn, address, entrypoint, [0n])).toThrow(
        'Account: invalid caller',
      );
    },
  );

  it('the account model supports only the interfaces SRC-5 and SRC-6', () => {
    const src6 = 0x2ceccef7f994940b3962a6c67e0ba4fcd37df7d131417c604f91e03caecc1cdn;
    expect(chain.call(0n, address, 'supports_interface', [src6])).toEqual([1n]);
    expect(chain.call(0n, address, 'supports_interface', [src6 + 1n])).toEqual([0n]);
  });
});
