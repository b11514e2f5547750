import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toHex, toPaddedHex } from '../../src/engine/felt.js';
import { startHarness, type Harness } from '../support/harness.js';
import { ALICE, BOB, COUNTER_1, POOR, STRK } from '../support/world.js';
import { wireInvoke, type InvokeChoices } from '../support/wire-invoke.js';

const INCREASE = [{ to: COUNTER_1, entrypoint: 'increase' }];
const L2_PRICE = 8_000_000_000n;

describe('starknet_addInvokeTransaction', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());
  const good: InvokeChoices = { account: ALICE, calls: INCREASE };

  describe('form', () => {
    const cases: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ['a missing field', { nonce: undefined }],
      ['a felt without 0x', { nonce: '12' }],
      ['a felt that is a number', { nonce: 0 }],
      [
        'a felt at the prime',
        { nonce: '0x800000000000011000000000000000000000000000000000000000000000001' },
      ],
      ['a tip beyond 64 bits', { tip: '0x10000000000000000' }],
      [
        'bounds without L1 data gas',
        {
          resource_bounds: {
            l1_gas: { max_amount: '0x1', max_price_per_unit: '0x1' },
            l2_gas: { max_amount: '0x1', max_price_per_unit: '0x1' },
          },
        },
      ],
      ['an unknown data availability mode', { fee_data_availability_mode: 'L3' }],
      ['another transaction type', { type: 'DECLARE' }],
      ['a version that is no number', { version: 'three' }],
    ];
    it.each(cases)(
      'rejects a transaction with %s as invalid parameters',
      async (_name, changes) => {
        expect(await node.refused(good, changes)).toMatchObject({ code: -32602 });
      },
    );

    it.each(['0x0', '0x1', '0x4', '0x100000000000000000000000000000003'])(
      'rejects transaction version %s with error 61',
      async (version) => {
        expect(await node.refused(good, { version })).toEqual({
          code: 61,
          message: 'the transaction version is not supported',
        });
      },
    );

    it('rejects a transaction with a non-empty field that the gateway requires to be empty', async () => {
      expect(await node.refused(good, { paymaster_data: ['0x1'] })).toMatchObject({
        code: 63,
        data: expect.stringContaining('paymaster_data'),
      });
      expect(await node.refused(good, { account_deployment_data: ['0x1'] })).toMatchObject({
        code: 63,
        data: expect.stringContaining('account_deployment_data'),
      });
      expect(await node.refused(good, { nonce_data_availability_mode: 'L2' })).toMatchObject({
        code: 63,
      });
      expect(await node.refused(good, { fee_data_availability_mode: 'L2' })).toMatchObject({
        code: 63,
      });
    });

    it('accepts a transaction with 5,000 felts of calldata, and rejects 5,001 felts', async () => {
      expect(
        await node.refused({ account: ALICE, calldata: Array.from({ length: 5001 }, () => 0n) }),
      ).toMatchObject({
        code: 63,
        data: expect.stringContaining('CALLDATA_TOO_LONG'),
      });
      const hash = await node.send({
        account: ALICE,
        calldata: Array.from({ length: 5000 }, () => 0n),
      });
      expect(node.control.evict(BigInt(hash))).toBe(true);
      // Thousands of felts are hashed in TypeScript, on a machine that may be busy.
    });

    it('rejects a transaction with a signature of more than 4,000 felts', async () => {
      expect(
        await node.refused(good, { signature: Array.from({ length: 4001 }, () => '0x1') }),
      ).toMatchObject({
        code: 63,
        data: expect.stringContaining('SIGNATURE_TOO_LONG'),
      });
    });
  });

  describe('sender', () => {
    it('rejects a sender that is not an account with error 58', async () => {
      expect(await node.refused(good, { sender_address: toHex(COUNTER_1) })).toEqual({
        code: 58,
        message: 'Sender address is not an account contract',
      });
      expect(await node.refused(good, { sender_address: '0xdead' })).toMatchObject({ code: 58 });
    });
  });

  describe('signature', () => {
    const invalid = {
      code: 55,
      message: 'Account validation failed',
      data: expect.stringContaining('invalid signature'),
    };
    const { body } = wireInvoke(good);

    it.each([
      ['changed calldata', { calldata: ['0x0'] }],
      ['a changed nonce', { nonce: '0x1' }],
      ['a changed tip', { tip: '0x1' }],
      ['no signature', { signature: [] }],
      ['a third felt', { signature: ['0x1', '0x2', '0x3'] }],
      ['zeros', { signature: ['0x0', '0x0'] }],
    ])('rejects a transaction signature with %s with error 55', async (_name, changes) => {
      expect(await node.error('starknet_addInvokeTransaction', [{ ...body, ...changes }])).toEqual(
        invalid,
      );
    });

    it('rejects a transaction that another account’s key signed', async () => {
      expect(
        await node.refused(good, {
          signature: wireInvoke({ account: BOB, calls: INCREASE }).body['signature'],
        }),
      ).toEqual(invalid);
    });

    it('accepts any signature if the gateway is configured to trust signatures', async () => {
      await node.stop();
      node = await startHarness({ gateway: { trustSignatures: true } });
      expect(
        await node.result('starknet_addInvokeTransaction', [
          { ...body, signature: ['0x1', '0x2'] },
        ]),
      ).toEqual({
        transaction_hash: wireInvoke(good).hash,
      });
    });

    it('rejects a transaction that was signed for another chain id', async () => {
      expect(await node.refused({ ...good, chainId: '0x534e5f4d41494e' })).toEqual(invalid);
    });
  });

  describe('nonce', () => {
    it('rejects a used nonce with error 52, whose data contains the expected and the received nonce', async () => {
      await node.send(good);
      node.control.mine();
      expect(await node.refused(good)).toEqual({
        code: 52,
        message: 'Invalid transaction nonce',
        data: `Invalid transaction nonce of contract at address ${toPaddedHex(ALICE.address)}. Account nonce: 1; got: 0.`,
      });
    });

    it('rejects a transaction nonce of more than 200 above the account’s nonce with error 63', async () => {
      expect(await node.refused({ ...good, nonce: 201n })).toMatchObject({
        code: 63,
        data: expect.stringContaining('Expected: 0x0 <= nonce <= 0xc8, got: 0xc9'),
      });
      const hash = await node.send({ ...good, nonce: 200n });
      expect(node.control.evict(BigInt(hash))).toBe(true);
    });

    it('rejects a nonce that a candidate or a pre-confirmed transaction has used', async () => {
      await node.send(good);
      node.control.advance('candidate');
      expect(await node.refused({ ...good, tip: 5n })).toMatchObject({ code: 52 });
      node.control.advance('pre_confirmed');
      expect(await node.refused({ ...good, tip: 5n })).toMatchObject({ code: 52 });
    });
  });

  describe('resource bounds', () => {
    it('rejects an L2 gas price below the gateway’s minimum with error 53, even if the block’s price is lower', async () => {
      node.control.setGasPrices({ l2Gas: 1n });
      node.control.mine();
      expect(await node.refused({ ...good, l2Gas: [1_000_000_000n, L2_PRICE - 1n] })).toMatchObject(
        { code: 53 },
      );
    });

    it('rejects a maximum gas price that is one fri below the latest block’s price', async () => {
      const l1Gas = [256n, 40_000_000_000_000n] as const;
      const l1DataGas = [20_480n, 1_000_000_000n] as const;
      const l2Gas = [1_000_000_000n, L2_PRICE] as const;
      const exact = { ...good, l1Gas, l1DataGas, l2Gas };
      const insufficient = {
        code: 53,
        message:
          "The transaction's resources don't cover validation or the minimal transaction fee",
      };
      expect(await node.refused({ ...exact, l1Gas: [256n, l1Gas[1] - 1n] })).toEqual(insufficient);
      expect(await node.refused({ ...exact, l1DataGas: [20_480n, l1DataGas[1] - 1n] })).toEqual(
        insufficient,
      );
      node.control.setGasPrices({ l2Gas: L2_PRICE + 1n });
      expect(node.control.evict(BigInt(await node.send(exact)))).toBe(true);
      node.control.mine();
      expect(await node.refused(exact)).toEqual(insufficient);
    });

    it('rejects resource amounts below the base amount that every transaction uses', async () => {
      expect(await node.refused({ ...good, l2Gas: [300_000n, 3n * L2_PRICE] })).toMatchObject({
        code: 53,
      });
      expect(await node.refused({ ...good, l1DataGas: [127n, 3_000_000_000n] })).toMatchObject({
        code: 53,
      });
    });

    it('rejects a maximum of more than 1.21e9 L2 gas with error 63', async () => {
      expect(await node.refused({ ...good, l2Gas: [1_210_000_001n, L2_PRICE] })).toMatchObject({
        code: 63,
        data: expect.stringContaining('MAX_GAS_AMOUNT_TOO_HIGH'),
      });
      expect(
        node.control.evict(BigInt(await node.send({ ...good, l2Gas: [1_210_000_000n, L2_PRICE] }))),
      ).toBe(true);
    });
  });

  describe('balance', () => {
    it('rejects a transaction if the balance does not cover the maximum fee of all resources, including the tip', async () => {
      const choices = { account: POOR, calls: INCREASE, tip: 7n } as const;
      const needed =
        256n * 120_000_000_000_000n +
        20_480n * 3_000_000_000n +
        1_200_000_000n * (24_000_000_000n + 7n);
      node.control.mint(POOR.address, needed - 1n);
      expect(await node.refused(choices)).toMatchObject({ code: 54 });
      node.control.mint(POOR.address, 1n);
      expect(node.control.evict(BigInt(await node.send(choices)))).toBe(true);
    });

    it('checks each transaction against the balance in accepted blocks, without the costs of waiting transactions', async () => {
      node.control.mint(POOR.address, 30n * 10n ** 18n);
      const hashes = [
        await node.send({ account: POOR, calls: INCREASE }),
        await node.send({ account: POOR, calls: INCREASE, nonce: 1n }),
      ];
      for (const hash of hashes) expect(node.control.evict(BigInt(hash))).toBe(true);
      expect(await node.view(STRK, 'balanceOf', [POOR.address])).toEqual([
        toHex(30n * 10n ** 18n),
        '0x0',
      ]);
    });
  });
});
