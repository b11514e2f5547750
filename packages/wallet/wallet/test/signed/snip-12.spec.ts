import { describe, expect, it } from '@jest/globals';
import { assert, bigInt, nat, property, string } from 'fast-check';
import { typedData } from 'starknet';

import {
  U256_TYPE,
  digits,
  felt,
  messageHash,
  text,
  timestamp,
  u256,
} from '../../src/signed/snip-12.js';
import { STARKNET_FIELD } from '../../src/advanced.js';

const HALF = 1n << 128n;
const hex = (value: bigint): string => `0x${value.toString(16)}`;
const DOMAIN = ['name', 'version', 'chainId', 'revision'].map((name) => ({
  name,
  type: 'shortstring',
}));
const TYPE = `"Thing"("id":"string","at":"ContractAddress","amount":"u256","expires_at":"timestamp")${U256_TYPE}`;

describe('the hash of a message', () => {
  it('the SNIP-12 hash of a message equals the hash that starknet.js computes', () => {
    const felts = bigInt({ min: 0n, max: STARKNET_FIELD - 1n });
    // Begin each text with a letter. If a string is a number, starknet.js would encode it as a
    // number.
    const texts = string({ unit: 'grapheme-ascii', maxLength: 100 }).map((id) => `Q${id}`);
    const amounts = bigInt({ min: 0n, max: HALF * HALF - 1n });
    const seconds = nat();
    assert(
      property(felts, felts, felts, texts, amounts, seconds, (chain, signer, at, id, a, s) => {
        const message = {
          types: {
            StarknetDomain: DOMAIN,
            Thing: [
              { name: 'id', type: 'string' },
              { name: 'at', type: 'ContractAddress' },
              { name: 'amount', type: 'u256' },
              { name: 'expires_at', type: 'timestamp' },
            ],
          },
          primaryType: 'Thing',
          domain: { name: 'Sotto', version: '1', chainId: hex(chain), revision: '1' },
          message: {
            id,
            at: hex(at),
            amount: { low: String(a % HALF), high: String(a / HALF) },
            expires_at: String(s),
          },
        };
        const fields = [text(id), felt(hex(at)), u256(a), timestamp(s)];
        expect(
          hex(messageHash({ type: TYPE, fields }, { chainId: hex(chain), signer: hex(signer) })),
        ).toBe(typedData.getMessageHash(message, hex(signer)));
      }),
    );
  });

  it.each<readonly [string, () => unknown]>([
    ['a number for a felt', () => felt('1')],
    ['the field’s order for a felt', () => felt(hex(STARKNET_FIELD))],
    ['text that is not ASCII', () => text('ä')],
    ['text that can not be printed', () => text('\u0000')],
    ['a list for a text', () => text(Object(['a']))],
    ['2^256', () => u256(HALF * HALF)],
    ['a negative number', () => u256(-1n)],
    ['half a second', () => timestamp(0.5)],
    ['a moment before 1970', () => timestamp(-1)],
    ['hex for digits', () => digits('0x1')],
  ])('the SNIP-12 encoding of a message rejects %s', (_what, encode) => {
    expect(encode).toThrow(RangeError);
  });
});
