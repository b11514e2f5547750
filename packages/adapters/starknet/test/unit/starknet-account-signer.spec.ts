import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  AccountKeyUnusable,
  HeldKeys,
  StarknetAccountSigner,
  selectorOf,
  shortStringFelt,
  type LeadingCalls,
} from '@sotto/adapter-starknet';
import { FIELD_PRIME, Felts, InvalidFelt, toFelt } from '@sotto/kernel';
import type { ResourceBounds } from '@sotto/submission-core';
import * as fc from 'fast-check';
import {
  Signer,
  constants,
  ec,
  hash,
  transaction,
  type Call,
  type ResourceBoundsBN,
} from 'starknet';
import { z } from 'zod';
import { failure } from '../support/loopback-node.js';

const PRIVATE_KEY = '0x2d2c1b0a99887766554433221100ffeeddccbbaa998877665544332211000f1';
const ADDRESS = toFelt('0x5e1a7e2');
const CHAIN_ID = constants.StarknetChainId.SN_SEPOLIA;
const TARGET = {
  to: toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33'),
  entrypoint: 'withdraw',
};
const PUBLIC_KEY = ec.starkCurve.getPublicKey(PRIVATE_KEY.slice(2).padStart(64, '0'));

const bounds = (l2PriceFri: bigint, tipFri: bigint): ResourceBounds => ({
  l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: l2PriceFri },
  l1Gas: { maxAmount: 256n, maxPriceFri: 60_000_000_000_000n },
  l1DataGas: { maxAmount: 20_480n, maxPriceFri: 3n },
  tipFri,
});
const U64_MAX = 2n ** 64n - 1n;
const U128_MAX = 2n ** 128n - 1n;
const LARGEST: ResourceBounds = {
  l2Gas: { maxAmount: U64_MAX, maxPriceFri: U128_MAX },
  l1Gas: { maxAmount: U64_MAX, maxPriceFri: U128_MAX },
  l1DataGas: { maxAmount: U64_MAX, maxPriceFri: U128_MAX },
  tipFri: U64_MAX,
};

const Hex = z.string().regex(/^0x(?:0|[1-9a-f][0-9a-f]*)$/);
const Bound = z.strictObject({ max_amount: Hex, max_price_per_unit: Hex });
/** Schema of INVOKE_TXN_V3 of the specification, without optional fields. */
const WireInvoke = z.strictObject({
  type: z.literal('INVOKE'),
  version: z.literal('0x3'),
  sender_address: Hex,
  calldata: z.array(Hex),
  signature: z.tuple([Hex, Hex]),
  nonce: Hex,
  resource_bounds: z.strictObject({ l1_gas: Bound, l1_data_gas: Bound, l2_gas: Bound }),
  tip: Hex,
  paymaster_data: z.tuple([]),
  account_deployment_data: z.tuple([]),
  nonce_data_availability_mode: z.literal('L1'),
  fee_data_availability_mode: z.literal('L1'),
});

interface Wanted {
  readonly hash: string;
  readonly calldata: readonly string[];
  readonly signature: readonly string[];
}

function bound({ maxAmount, maxPriceFri }: ResourceBounds['l2Gas']): ResourceBoundsBN['l2_gas'] {
  return { max_amount: maxAmount, max_price_per_unit: maxPriceFri };
}

/** Builds a transaction with starknet.js, independently of the signer, from the same request. */
async function byStarknetJs(
  calls: readonly Call[],
  nonce: bigint,
  { l2Gas, l1Gas, l1DataGas, tipFri }: ResourceBounds,
): Promise<Wanted> {
  const shared = {
    version: '0x3' as const,
    chainId: CHAIN_ID,
    nonce,
    tip: tipFri,
    resourceBounds: { l2_gas: bound(l2Gas), l1_gas: bound(l1Gas), l1_data_gas: bound(l1DataGas) },
    paymasterData: [],
    accountDeploymentData: [],
  };
  const compiledCalldata = transaction.getExecuteCalldata([...calls], '1');
  const transactionHash = hash.calculateInvokeTransactionHash({
    ...shared,
    senderAddress: ADDRESS,
    compiledCalldata,
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
  });
  const signature = await new Signer(PRIVATE_KEY).signTransaction([...calls], {
    ...shared,
    walletAddress: ADDRESS,
    cairoVersion: '1',
    nonceDataAvailabilityMode: 'L1',
    feeDataAvailabilityMode: 'L1',
  });
  const parts = Array.isArray(signature) ? signature.map(BigInt) : [signature.r, signature.s];
  return {
    hash: transactionHash,
    calldata: compiledCalldata.map((felt) => `0x${BigInt(felt).toString(16)}`),
    signature: parts.map((part) => `0x${part.toString(16)}`),
  };
}

function signs(signature: readonly [string, string], message: string): boolean {
  const [r, s] = signature.map(BigInt);
  return ec.starkCurve.verify(
    new ec.starkCurve.Signature(r ?? 0n, s ?? 0n),
    message.slice(2).padStart(64, '0'),
    PUBLIC_KEY,
  );
}

const upTo = (max: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max });

function startWith(privateKey: string, leadingCalls?: LeadingCalls): StarknetAccountSigner {
  return new StarknetAccountSigner({
    chainId: toFelt(CHAIN_ID),
    keys: new HeldKeys([{ address: ADDRESS, privateKey }]),
    ...(leadingCalls === undefined ? {} : { leadingCalls }),
  });
}

function read(bytes: Uint8Array): z.infer<typeof WireInvoke> {
  return WireInvoke.parse(JSON.parse(new TextDecoder().decode(bytes)));
}

describe('StarknetAccountSigner', () => {
  const signer = startWith(PRIVATE_KEY);
  afterAll(async () => signer.close());

  it.each([
    [0, 0n, bounds(24_000_000_000n, 0n)],
    [1, 1n, bounds(26_400_000_000n, 0n)],
    [7, 200n, bounds(1n, 1_000n)],
    [7, 2n ** 64n, LARGEST],
    [2_020, 12n, bounds(24_000_000_000n, 5n)],
  ])(
    'signs %d felts at nonce %d exactly as starknet.js does',
    async (length, nonce, resourceBounds) => {
      const values = Array.from({ length }, (_, index) => (FIELD_PRIME - 1n) / BigInt(index + 1));
      const calldata = Felts.of(values);
      const signed = await signer.signCall(await signer.hashCall(TARGET, calldata), {
        account: ADDRESS,
        nonce,
        bounds: resourceBounds,
      });
      const wanted = await byStarknetJs(
        [{ contractAddress: TARGET.to, entrypoint: TARGET.entrypoint, calldata: calldata.toHex() }],
        nonce,
        resourceBounds,
      );
      const wire = read(signed.bytes);
      expect(signed.hash).toBe(wanted.hash);
      expect(signed.bounds).toEqual(resourceBounds);
      expect(wire.calldata).toEqual(wanted.calldata);
      expect(wire.signature).toEqual(wanted.signature);
      expect(signs(wire.signature, wanted.hash)).toBe(true);
      expect(wire).toMatchObject({
        sender_address: ADDRESS,
        nonce: `0x${nonce.toString(16)}`,
        tip: `0x${resourceBounds.tipFri.toString(16)}`,
        resource_bounds: {
          l2_gas: {
            max_amount: `0x${resourceBounds.l2Gas.maxAmount.toString(16)}`,
            max_price_per_unit: `0x${resourceBounds.l2Gas.maxPriceFri.toString(16)}`,
          },
          l1_data_gas: { max_amount: `0x${resourceBounds.l1DataGas.maxAmount.toString(16)}` },
        },
      });
    },
  );

  it('signs a no-op as a multicall without calls', async () => {
    const signed = await signer.signNoop({ account: ADDRESS, nonce: 3n, bounds: LARGEST });
    const wanted = await byStarknetJs([], 3n, LARGEST);
    const wire = read(signed.bytes);
    expect(wire.calldata).toEqual(['0x0']);
    expect(signed.hash).toBe(wanted.hash);
    expect(wire.signature).toEqual(wanted.signature);
  });

  it('signing equal inputs returns equal bytes', async () => {
    const call = await signer.hashCall(TARGET, Felts.of([1n]));
    const request = { account: ADDRESS, nonce: 1n, bounds: bounds(1n, 0n) };
    expect((await signer.signCall(call, request)).bytes).toEqual(
      (await signer.signCall(call, request)).bytes,
    );
  });

  it('signs any call exactly as starknet.js does', async () => {
    const felt = fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n });
    const one = fc.record({ maxAmount: upTo(U64_MAX), maxPriceFri: upTo(U128_MAX) });
    const request = fc.tuple(
      upTo(2n ** 64n),
      fc.record({ l2Gas: one, l1Gas: one, l1DataGas: one, tipFri: upTo(U64_MAX) }),
    );
    await fc.assert(
      fc.asyncProperty(
        felt,
        fc.array(felt, { maxLength: 4 }),
        fc.array(request, { minLength: 2, maxLength: 2 }),
        async (to, values, requests) => {
          const calldata = Felts.of(values);
          const call = await signer.hashCall({ ...TARGET, to: toFelt(to) }, calldata);
          for (const [nonce, resourceBounds] of requests) {
            const signed = await signer.signCall(call, {
              account: ADDRESS,
              nonce,
              bounds: resourceBounds,
            });
            const wanted = await byStarknetJs(
              [
                {
                  contractAddress: toFelt(to),
                  entrypoint: TARGET.entrypoint,
                  calldata: calldata.toHex(),
                },
              ],
              nonce,
              resourceBounds,
            );
            const wire = read(signed.bytes);
            expect([signed.hash, wire.calldata, wire.signature]).toEqual([
              wanted.hash,
              wanted.calldata,
              wanted.signature,
            ]);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('the signed bytes of a call are equal even if another signer instance has hashed the call', async () => {
    const call = await signer.hashCall(TARGET, Felts.of([1n, FIELD_PRIME - 1n]));
    const request = { account: ADDRESS, nonce: 1n, bounds: bounds(1n, 0n) };
    expect((await signer.signCall({ ...call }, request)).bytes).toEqual(
      (await signer.signCall(call, request)).bytes,
    );
  });

  it('signs a call without hashing it again if its hash was computed before the workers were closed', async () => {
    const closing = startWith(PRIVATE_KEY);
    const call = await closing.hashCall(TARGET, Felts.of([1n, 2n]));
    await closing.close();
    const request = { account: ADDRESS, nonce: 1n, bounds: bounds(1n, 0n) };
    expect(await closing.signCall(call, request)).toEqual(
      await signer.signCall(await signer.hashCall(TARGET, Felts.of([1n, 2n])), request),
    );
  });

  it('the hashing of a call does not change the call’s calldata', async () => {
    const calldata = Felts.of([1n, 2n, FIELD_PRIME - 1n]);
    await signer.hashCall(TARGET, calldata);
    expect(calldata.toHex()).toEqual(['0x1', '0x2', toFelt(FIELD_PRIME - 1n)]);
  });

  it('calldata is hashed outside the event loop', async () => {
    await signer.warmUp();
    const long = Felts.of(Array.from({ length: 200_000 }, (_, index) => BigInt(index)));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await signer.hashCall(TARGET, long);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('signs a guarded call exactly as starknet.js signs the guard call and the main call', async () => {
    const guard = {
      target: { to: toFelt('0x9a2d'), entrypoint: 'assert_views' },
      calldata: Felts.of([1n, 5n, 6n]),
    };
    let isGuarded = true;
    const guarding = startWith(PRIVATE_KEY, { before: async () => (isGuarded ? guard : null) });
    const calldata = Felts.of([1n, 2n, FIELD_PRIME - 1n]);
    const request = { account: ADDRESS, nonce: 4n, bounds: bounds(24_000_000_000n, 0n) };
    const call = await guarding.hashCall(TARGET, calldata);
    const signed = await guarding.signCall(call, request);
    const wanted = await byStarknetJs(
      [
        { contractAddress: '0x9a2d', entrypoint: 'assert_views', calldata: ['0x1', '0x5', '0x6'] },
        { contractAddress: TARGET.to, entrypoint: TARGET.entrypoint, calldata: calldata.toHex() },
      ],
      request.nonce,
      request.bounds,
    );
    const wire = read(signed.bytes);
    expect([signed.hash, wire.calldata, wire.signature]).toEqual([
      wanted.hash,
      wanted.calldata,
      wanted.signature,
    ]);
    expect(await guarding.signCall(call, request)).toEqual(signed);
    const { start = 0, end = 0 } = signed.calldataAt ?? {};
    expect(Buffer.from(signed.bytes.subarray(start, end))).toEqual(
      Buffer.from(await guarding.calldataText(TARGET, calldata)),
    );
    isGuarded = false;
    expect(await guarding.signCall(call, request)).toEqual(
      await signer.signCall(await signer.hashCall(TARGET, calldata), request),
    );
    await guarding.close();
  });

  it('rejects resource amounts, prices and tips outside the range of the wire format', async () => {
    const request = { account: ADDRESS, nonce: 0n };
    const tooMuch: ResourceBounds[] = [
      { ...LARGEST, tipFri: U64_MAX + 1n },
      { ...LARGEST, tipFri: -1n },
      { ...LARGEST, l2Gas: { ...LARGEST.l2Gas, maxAmount: U64_MAX + 1n } },
      { ...LARGEST, l1Gas: { ...LARGEST.l1Gas, maxPriceFri: U128_MAX + 1n } },
      { ...LARGEST, l1DataGas: { ...LARGEST.l1DataGas, maxAmount: -1n } },
    ];
    for (const each of tooMuch)
      await expect(signer.signNoop({ ...request, bounds: each })).rejects.toBeInstanceOf(
        RangeError,
      );
    await expect(
      signer.signNoop({ ...request, nonce: -1n, bounds: LARGEST }),
    ).rejects.toBeInstanceOf(InvalidFelt);
  });

  it.each([
    ['0x0'],
    [''],
    [PRIVATE_KEY.slice(2)],
    [`0x${ec.starkCurve.CURVE.n.toString(16)}`],
    [`0x${'f'.repeat(65)}`],
  ])('rejects the invalid private key %j at start-up', (privateKey) => {
    expect(() => startWith(privateKey)).toThrow(AccountKeyUnusable);
  });

  it('the error for an invalid key does not contain the key', async () => {
    const tooLarge = `0x${'f'.repeat(64)}`;
    const error = await failure(Promise.resolve().then(() => startWith(tooLarge)));
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('ffffffff');
  });

  it('an inspected or serialised signer contains none of its keys', () => {
    for (const text of [inspect(signer, { depth: 20, showHidden: true }), JSON.stringify(signer)]) {
      expect(text).not.toContain(PRIVATE_KEY.slice(2));
    }
  });

  it('computes selectors and short strings as Starknet does', () => {
    expect(selectorOf('withdraw')).toBe(
      '0x15511cc3694f64379908437d6d64458dc76d02482052bfb8a5b33a72c054c77',
    );
    expect(shortStringFelt('STRK/USD')).toBe('0x5354524b2f555344');
  });
});
