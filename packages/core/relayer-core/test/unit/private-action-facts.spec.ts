import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { poseidon } from '@sotto/stark-hash';
import {
  factsRejections,
  messageHash,
  readProofFacts,
  type FactExpectations,
} from '../../src/private-actions/domain/proof-facts.js';

/** Reference values of the pool’s own test vectors, as data. */
const VECTOR = {
  pool: toFelt('0xabcde'),
  poolClass: toFelt('0x12345'),
  actionFelts: Felts.parse(['0x1', '0x0', '0x111', '0x2', '0x222', '0x333']),
  messageHash: toFelt('0x6ecbe1e6bce2468d4f9241154bb6c545aed378aa89a661e18f9f8af9a3add9e'),
} as const;

const FACTS: readonly string[] = [
  '0x50524f4f4630',
  '0x5649525455414c5f534e4f53',
  '0xaa',
  '0x5649525455414c5f534e4f5330',
  '0x64',
  '0xb1',
  '0xcc',
  '0x1',
  VECTOR.messageHash,
];

const reasonOf = (facts: readonly string[]): unknown => {
  try {
    readProofFacts(Felts.parse(facts));
    return null;
  } catch (error) {
    return error;
  }
};

describe('proof facts', () => {
  it('messageHash equals the reference value of the pool', () => {
    expect(messageHash(VECTOR, (felts) => toFelt(poseidon(felts.toBytes())))).toBe(
      VECTOR.messageHash,
    );
  });

  it('readProofFacts reads base block, program, configuration and message', () => {
    expect(readProofFacts(Felts.parse(FACTS))).toEqual({
      programHash: '0xaa',
      baseBlock: { number: 100, hash: '0xb1' },
      configHash: '0xcc',
      messageHash: VECTOR.messageHash,
    });
  });

  it.each([
    ['no facts', [], { expected: 9, given: 0 }],
    ['a second message', [...FACTS, '0x1'], { expected: 9, given: 10 }],
    ['an unknown proof version', ['0x1', ...FACTS.slice(1)], { at: 0 }],
    ['another program variant', FACTS.with(1, '0x1'), { at: 1 }],
    ['another output version', FACTS.with(3, '0x1'), { at: 3 }],
    ['a height beyond all heights', FACTS.with(4, `0x1${'0'.repeat(16)}`), { at: 4 }],
    ['a height that is no safe integer', FACTS.with(4, '0xffffffffffffffff'), { at: 4 }],
    ['two messages', FACTS.with(7, '0x2'), { at: 7 }],
  ])('readProofFacts rejects %s', (_what, facts, details) => {
    expect(reasonOf(facts)).toMatchObject({ code: 'PROOF_FACTS_UNREADABLE', details });
  });

  const EXPECTED: FactExpectations = {
    messageHash: VECTOR.messageHash,
    configHash: toFelt('0xcc'),
    programHashes: [toFelt('0xaa')],
    headNumber: 200,
    baseBlockHash: toFelt('0xb1'),
    validityBlocks: 450,
    marginBlocks: 5,
  };
  const rejections = (changed: Partial<FactExpectations>): readonly unknown[] =>
    factsRejections(readProofFacts(Felts.parse(FACTS)), { ...EXPECTED, ...changed });

  it('factsRejections accepts facts that agree with chain and actions', () => {
    expect(rejections({})).toEqual([]);
    expect(rejections({ programHashes: null })).toEqual([]);
  });

  it.each([
    ['other actions', { messageHash: toFelt('0x1') }, { code: 'PROOF_FACTS_MISMATCH' }],
    [
      'another network',
      { configHash: toFelt('0x1') },
      { code: 'PROOF_OF_ANOTHER_NETWORK', details: { field: 'config_hash' } },
    ],
    [
      'a program that the network does not accept',
      { programHashes: [] },
      { code: 'PROOF_OF_ANOTHER_NETWORK', details: { field: 'program_hash' } },
    ],
    [
      'a base block that is too young',
      { headNumber: 109 },
      { code: 'PROOF_TOO_YOUNG', details: { acceptedFromBlock: 111 } },
    ],
    [
      'a proof that expires within the margin',
      { headNumber: 545 },
      { code: 'PROOF_EXPIRED', details: { lastBlock: 550 } },
    ],
    [
      'a base block of another fork',
      { baseBlockHash: toFelt('0xb2') },
      { code: 'PROOF_BASE_BLOCK_UNKNOWN' },
    ],
    ['a base block above the head', { baseBlockHash: null }, { code: 'PROOF_BASE_BLOCK_UNKNOWN' }],
  ])('factsRejections rejects %s', (_what, changed, error) => {
    expect(rejections(changed)).toMatchObject([error]);
  });

  it('factsRejections accepts the first and the last possible head', () => {
    expect(rejections({ headNumber: 110 })).toEqual([]);
    expect(rejections({ headNumber: 544 })).toEqual([]);
  });
});
