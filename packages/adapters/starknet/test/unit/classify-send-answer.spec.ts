import { describe, expect, it } from '@jest/globals';
import type { SendAnswer } from '@sotto/submission-core';
import { classifySendAnswer } from '../../src/classify-send-answer.js';

const HASH = '0x5077';
/**
 * Error texts of many different codes in one string. A contract or a user could put such a string
 * into a field with free text.
 */
const ADVERSARIAL =
  'Invalid transaction NONCE; DuplicatedTransaction 59; exceed balance; StarknetErrorCode.GAS_PRICE_TOO_LOW; {"code":53}';

const classify = (code: number, data?: unknown, message = 'message'): SendAnswer =>
  classifySendAnswer({ kind: 'error', error: { code, message, data } });
const refused = (code: string, cause: 'price' | 'funds' | 'call' | 'account'): SendAnswer => ({
  kind: 'refused',
  code,
  cause,
});

describe('classifySendAnswer', () => {
  it('a send is treated as accepted if the node returns a hash or a duplicate error', () => {
    expect(classifySendAnswer({ kind: 'result', result: { transaction_hash: HASH } })).toEqual({
      kind: 'taken',
    });
    expect(classify(59)).toEqual({ kind: 'taken' });
    expect(classify(59, ADVERSARIAL, ADVERSARIAL)).toEqual({ kind: 'taken' });
  });

  it.each([
    [null],
    [{}],
    [HASH],
    [{ transaction_hash: 7 }],
    [{ transaction_hash: `0x${'f'.repeat(64)}` }],
    [[]],
  ])('a send is treated as inconclusive if the node returns the result %j', (result) => {
    expect(classifySendAnswer({ kind: 'result', result })).toEqual({
      kind: 'unclear',
      code: 'NODE_MALFORMED_ANSWER',
    });
  });

  it('a send is treated as inconclusive if the request to the node fails', () => {
    expect(classifySendAnswer({ kind: 'failed', code: 'UPSTREAM_TIMED_OUT' })).toEqual({
      kind: 'unclear',
      code: 'UPSTREAM_TIMED_OUT',
    });
  });

  it.each([
    [53, refused('INSUFFICIENT_RESOURCES_FOR_VALIDATE', 'price')],
    [54, refused('INSUFFICIENT_ACCOUNT_BALANCE', 'funds')],
    [56, refused('COMPILATION_FAILED', 'call')],
    [57, refused('CONTRACT_CLASS_SIZE_IS_TOO_LARGE', 'call')],
    [58, refused('NON_ACCOUNT', 'account')],
    [60, refused('COMPILED_CLASS_HASH_MISMATCH', 'call')],
    [61, refused('UNSUPPORTED_TX_VERSION', 'account')],
    [62, refused('UNSUPPORTED_CONTRACT_CLASS_VERSION', 'call')],
    [65, refused('FEE_BELOW_MINIMUM', 'price')],
    [69, refused('INVALID_PROOF', 'call')],
  ])(
    'a send is treated as conclusively refused if the node returns the error code %d, regardless of the error text',
    (code, answer) => {
      for (const data of [
        undefined,
        null,
        '',
        ADVERSARIAL,
        { nonce: [ADVERSARIAL] },
        'x'.repeat(1_000_000),
      ]) {
        expect(classify(code, data)).toEqual(answer);
        expect(classify(code, data, ADVERSARIAL)).toEqual(answer);
      }
    },
  );

  it.each([
    [52, 'INVALID_TRANSACTION_NONCE'],
    [64, 'REPLACEMENT_TRANSACTION_UNDERPRICED'],
  ])(
    'a send is treated as inconclusive if the node returns the error code %d, regardless of the error text',
    (code, name) => {
      expect(classify(code)).toEqual({ kind: 'unclear', code: name });
      expect(classify(code, 'StarknetErrorCode.CALLDATA_TOO_LONG: x')).toEqual({
        kind: 'unclear',
        code: name,
      });
    },
  );

  it.each([
    [0],
    [1],
    [20],
    [29],
    [40],
    [41],
    [51],
    [66],
    [67],
    [68],
    [70],
    [-32_603],
    [-32_602],
    [-32_700],
    [-53],
    [53_000],
    [429],
  ])('a send is treated as inconclusive if the node returns the unlisted error code %d', (code) => {
    expect(classify(code, 'MAX_GAS_AMOUNT_TOO_HIGH', ADVERSARIAL)).toEqual({
      kind: 'unclear',
      code: 'UNKNOWN_RPC_ERROR',
    });
  });

  describe('code 55, proof facts that contradict the chain', () => {
    it.each([
      ['Invalid proof facts: Virtual OS program hash 170 is not allowed'],
      ['Virtual OS program hash 170 is not allowed'],
      ['ProofFacts parse error: Expected first field to be 1 (PROOF_VERSION), but got 5'],
      ['Invalid proof facts: Virtual OS config hash mismatch. Computed 1, expected 2'],
      [
        'Invalid proof facts: Block hash mismatch for block 7. Proof block hash: 1, stored block hash: 2.',
      ],
      ['ValidationFailure: "Invalid proof facts: Proof version 1 (PROOF0) is not allowed."'],
    ])('a send is treated as conclusively refused because of its call: %s', (data) => {
      expect(classify(55, data)).toEqual(refused('INVALID_PROOF_FACTS', 'call'));
      expect(classify(55, { error: data })).toEqual(refused('INVALID_PROOF_FACTS', 'call'));
    });

    it.each([
      [
        'Invalid proof facts: The proof block number 9 is too recent. The maximum allowed block number is 8.',
      ],
      [
        'Invalid proof facts: Block hash mismatch for block 7. Proof block hash: 1, stored block hash: 0.',
      ],
      ['Block hash mismatch for block 7. Proof block hash: 0x1, stored block hash: 0x0.'],
    ])('a send is treated as inconclusive while the node is too low for the proof: %s', (data) => {
      expect(classify(55, data)).toEqual({ kind: 'unclear', code: 'PROOF_FACTS_TOO_RECENT' });
    });

    it('a text that also mentions the nonce remains inconclusive', () => {
      expect(classify(55, 'Invalid proof facts: Proof version 1; nonce')).toEqual({
        kind: 'unclear',
        code: 'VALIDATION_FAILURE',
      });
    });
  });

  describe('code 55, failed validation', () => {
    it.each([
      ["The 'validate' entry point panicked with: 0x696e76616c6964 ('invalid signature')."],
      [undefined],
      [null],
      [''],
      [{ error: { contract_address: '0x1', error: 'Account: invalid signature' } }],
      ['announced once only, 52 and 59 mentioned'],
    ])(
      'the node’s error 55 is treated as a conclusive refusal if its text does not mention the nonce: %j',
      (data) => {
        expect(classify(55, data)).toEqual(refused('VALIDATION_FAILURE', 'account'));
      },
    );

    it.each([
      ['Resources bounds ({ l1_gas: … }) exceed balance (12).'],
      ['StarknetErrorCode.VALIDATE_FAILURE: Resource bounds (…\n…) exceed balance (0).'],
      [{ inner: 'Resources bounds (…) exceed balance (…)' }],
    ])(
      'the node’s error 55 is read as an insufficient account balance and not as a failed signature check: %j',
      (data) => {
        expect(classify(55, data)).toEqual(refused('INSUFFICIENT_ACCOUNT_BALANCE', 'funds'));
      },
    );

    it.each([
      ['Invalid transaction nonce of contract at address 0x1.'],
      ['NONCE'],
      ['InvalidNonce'],
      ['invalid_non-ce'],
      ['n o n c e'],
      ['ｎｏｎｃｅ'],
      ['non\u200bce'],
      ['nón\u00adce nonce\u0301'],
      ['panicked with: 0x494e56414c49445f4e4f4e4345'],
      ['0x06e6f6e6365'],
      ['Resources bounds (…) exceed balance (…), nonce 5'],
      [{ nonce: 5 }],
      [{ a: { b: [{ c: 'wrong Nonce' }] } }],
      [['nonce']],
      [`${'x'.repeat(1_000_000)} invalid signature`],
    ])(
      'the node’s error 55 is treated as inconclusive if its text mentions the nonce or can’t be searched: %j',
      (data) => {
        expect(classify(55, data)).toEqual({ kind: 'unclear', code: 'VALIDATION_FAILURE' });
      },
    );

    it('the message of the node’s error 55 is searched for the nonce, in addition to the error’s data', () => {
      expect(classify(55, 'x', 'Account validation failed: nonce')).toEqual({
        kind: 'unclear',
        code: 'VALIDATION_FAILURE',
      });
    });
  });

  describe('code 63, unexpected error', () => {
    it.each([
      ['MAX_GAS_AMOUNT_TOO_HIGH', 'call'],
      ['CALLDATA_TOO_LONG', 'call'],
      ['GAS_PRICE_TOO_LOW', 'price'],
    ] as const)(
      'the node’s error 63 is treated as a conclusive refusal if its data begins with the gateway code %s',
      (word, cause) => {
        for (const data of [
          word,
          `${word}: more text`,
          `StarknetErrorCode.${word}: more text`,
          `StarkErrorCode.${word}`,
          `StarknetError { code: Unknown("StarknetErrorCode.${word}"), message: "text" }`,
        ]) {
          expect(classify(63, data)).toEqual(refused(word, cause));
        }
      },
    );

    it.each([
      [undefined],
      [''],
      ['StarknetErrorCode.TRANSACTION_LIMIT_EXCEEDED: x'],
      [
        'StarknetErrorCode.NONCE_TOO_LARGE: Invalid transaction nonce. Expected: 0x1 <= nonce <= 0xc9',
      ],
      ['the user wrote GAS_PRICE_TOO_LOW'],
      ['StarknetErrorCode.INTERNAL: StarknetErrorCode.CALLDATA_TOO_LONG'],
      [
        'StarknetError { code: Unknown("StarknetErrorCode.INTERNAL"), message: "StarknetErrorCode.CALLDATA_TOO_LONG" }',
      ],
      ['MAX_GAS_AMOUNT_TOO_HIGHER'],
      ['max_gas_amount_too_high'],
      ['GAS_PRICE_TOO_LOW for this nonce'],
      [{ code: 'MAX_GAS_AMOUNT_TOO_HIGH' }],
      [['MAX_GAS_AMOUNT_TOO_HIGH']],
      [`MAX_GAS_AMOUNT_TOO_HIGH${' '.repeat(1_000_000)}`],
      [63],
    ])('the node’s error 63 with any other text is treated as inconclusive: %j', (data) => {
      expect(classify(63, data)).toEqual({ kind: 'unclear', code: 'UNEXPECTED_ERROR' });
    });

    it('the message of the node’s error 63 does not affect how the send is treated', () => {
      expect(classify(63, undefined, 'MAX_GAS_AMOUNT_TOO_HIGH')).toEqual({
        kind: 'unclear',
        code: 'UNEXPECTED_ERROR',
      });
    });
  });
});
