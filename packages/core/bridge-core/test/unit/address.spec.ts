import { describe, expect, it } from '@jest/globals';
import { isAddress } from '../../src/domain/address.js';
import type { ChainFamily } from '../../src/domain/catalogue.js';

/**
 * Valid addresses of each chain family. Mixed-case EVM addresses are examples of EIP-55. The Solana
 * addresses are those of wrapped SOL and USDC.
 */
const good: Readonly<Record<ChainFamily, readonly string[]>> = {
  evm: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
  ],
  solana: [
    'So11111111111111111111111111111111111111112',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ],
  near: [
    'alice.near',
    'a-b_c.d1.near',
    'aurora',
    '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
  ],
  starknet: [
    '0x1',
    '0x059abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72',
    '0x59ABF82E0BC584A3B4E94FCC5AA4B5F7E9EA946B5FBE236CDECF491AD0B2C72',
  ],
};

const bad: Readonly<Record<ChainFamily, readonly string[]>> = {
  evm: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
    '0x5aaeb6053f3E94C9b9A09f33669435E7Ef1BeAed',
    `0x${'0'.repeat(40)}`,
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae',
    '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    'vitalik.eth',
  ],
  solana: [
    '11111111111111111111111111111111',
    'So1111111111111111111111111111111111111111',
    'So111111111111111111111111111111111111111112',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1l',
    '',
    '1'.repeat(100_000),
  ],
  near: [
    'a',
    'Alice.near',
    'alice..near',
    '.near',
    'near.',
    'a--b.near',
    '-a.near',
    'a_.near',
    'alice near',
    'a'.repeat(65),
  ],
  starknet: [
    '0x0',
    '0x',
    '1234',
    '59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72',
    `0x${(2n ** 251n - 256n).toString(16)}`,
    `0x${'f'.repeat(64)}`,
    `0x${'0'.repeat(65)}1`,
  ],
};

const FAMILIES = ['evm', 'solana', 'near', 'starknet'] as const;

describe.each(FAMILIES)('isAddress for family %s', (family) => {
  it.each(good[family])('accepts the address %s', (text) => {
    expect(isAddress(family, text)).toBe(true);
  });

  it.each(bad[family].map((text) => [text.slice(0, 70), text]))(
    'rejects the invalid address %s',
    (_, text) => {
      expect(isAddress(family, text)).toBe(false);
    },
  );

  it('rejects an address with an additional character at its beginning or end', () => {
    for (const text of good[family]) {
      for (const dressed of [` ${text}`, `${text} `, `${text}\n`, `${text}\0`])
        expect(isAddress(family, dressed)).toBe(false);
    }
  });
});
