import { afterAll, describe, expect, it } from '@jest/globals';
import { HeldKeys, StarknetAccountSigner, type LeadingCalls } from '@sotto/adapter-starknet';
import { Felts, toFelt } from '@sotto/kernel';
import type { PrivateActionPayload } from '@sotto/relayer-core';
import { packPayload } from '@sotto/relayer-core';
import type { SignedTransaction } from '@sotto/submission-core';
import * as fc from 'fast-check';
import { Signer, constants, hash, transaction } from 'starknet';
import { z } from 'zod';
import { envelopeOf, signedBytesOf } from '@sotto/submission-core/testing';
import {
  APPLY_ACTIONS,
  PAYLOAD,
  PLAIN_PAYLOAD,
  anyPayload,
  callsOf,
  packed,
} from '../support/private-actions.js';
import { failure } from '../support/loopback-node.js';

const PRIVATE_KEY = '0x2d2c1b0a99887766554433221100ffeeddccbbaa998877665544332211000f1';
const ADDRESS = toFelt('0x5e1a7e2');
const CHAIN_ID = constants.StarknetChainId.SN_SEPOLIA;
const bound = { maxAmount: 10n, maxPriceFri: 20n };
const REQUEST = {
  account: ADDRESS,
  nonce: 7n,
  bounds: { l2Gas: bound, l1Gas: bound, l1DataGas: bound, tipFri: 3n },
};

const Wire = z.object({
  calldata: z.array(z.string()),
  signature: z.array(z.string()),
  proof_facts: z.array(z.string()).optional(),
  proof: z.string().optional(),
});
const read = ({ bytes }: Pick<SignedTransaction, 'bytes'>): z.infer<typeof Wire> =>
  Wire.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));

/** Builds the transaction with starknet.js. */
async function byStarknetJs(payload: PrivateActionPayload) {
  const calls = [...callsOf(payload)];
  const wire = { max_amount: 10n, max_price_per_unit: 20n };
  const shared = {
    version: '0x3' as const,
    chainId: CHAIN_ID,
    nonce: REQUEST.nonce,
    tip: REQUEST.bounds.tipFri,
    resourceBounds: { l2_gas: wire, l1_gas: wire, l1_data_gas: wire },
    paymasterData: [],
    accountDeploymentData: [],
    proofFacts: payload.facts.toHex(),
  };
  const compiledCalldata = transaction.getExecuteCalldata(calls, '1');
  const signature = await new Signer(PRIVATE_KEY).signTransaction(calls, {
    ...shared,
    walletAddress: ADDRESS,
    cairoVersion: '1',
    nonceDataAvailabilityMode: 'L1',
    feeDataAvailabilityMode: 'L1',
  });
  const parts = Array.isArray(signature) ? signature.map(BigInt) : [signature.r, signature.s];
  return {
    hash: hash.calculateInvokeTransactionHash({
      ...shared,
      senderAddress: ADDRESS,
      compiledCalldata,
      nonceDataAvailabilityMode: 0,
      feeDataAvailabilityMode: 0,
    }),
    calldata: compiledCalldata.map((felt) => toFelt(BigInt(felt))),
    signature: parts.map((part) => toFelt(part)),
  };
}

describe('transaction with private actions', () => {
  const asked: string[] = [];
  const leadingCalls: LeadingCalls = {
    before: async ({ entrypoint }) => {
      asked.push(entrypoint);
      return {
        target: { to: toFelt('0x9a2d'), entrypoint: 'assert_views' },
        calldata: Felts.of([]),
      };
    },
  };
  const signer = new StarknetAccountSigner({
    chainId: toFelt(CHAIN_ID),
    keys: new HeldKeys([{ address: ADDRESS, privateKey: PRIVATE_KEY }]),
    leadingCalls,
  });
  afterAll(async () => signer.close());
  const sign = async (calldata: Felts): Promise<SignedTransaction> =>
    signer.signCall(await signer.hashCall(APPLY_ACTIONS, calldata), REQUEST);

  it('the signer signs any payload exactly as starknet.js does', async () => {
    await fc.assert(
      fc.asyncProperty(anyPayload, async (payload) => {
        const signed = await sign(packPayload(payload));
        const wanted = await byStarknetJs(payload);
        const wire = read(signed);
        expect([signed.hash, wire.calldata, wire.signature]).toEqual([
          wanted.hash,
          wanted.calldata,
          wanted.signature,
        ]);
        expect(wire.proof_facts ?? []).toEqual(payload.facts.toHex());
        expect(Buffer.from(wire.proof ?? '', 'base64')).toEqual(Buffer.from(payload.proof));
      }),
      { numRuns: 60 },
    );
  });

  it('the stored envelope and the packed payload restore the signed bytes', async () => {
    await fc.assert(
      fc.asyncProperty(anyPayload, async (payload) => {
        const signed = await sign(packPayload(payload));
        const envelope = envelopeOf(signed);
        // A restarted process reads other felts, so no text of the first send is in its cache.
        const text = await signer.calldataText(APPLY_ACTIONS, packPayload(payload));
        expect(signedBytesOf(envelope, text)).toEqual(Buffer.from(signed.bytes));
      }),
      { numRuns: 60 },
    );
  });

  it('the envelope contains no calldata, no proof facts and no proof', async () => {
    const { bytes } = envelopeOf(await sign(packed()));
    const fields: unknown = JSON.parse(Buffer.from(bytes).toString('utf8').replace('[}', '[]}'));
    expect(fields).toMatchObject({ sender_address: ADDRESS, calldata: [] });
    expect(Object.keys(Object(fields))).not.toContain('proof_facts');
    expect(Object.keys(Object(fields))).not.toContain('proof');
  });

  it('a payload without facts and proof has neither field', async () => {
    const { facts: _facts, proof: _proof, ...plain } = PLAIN_PAYLOAD;
    const signed = await sign(packed({ ...PLAIN_PAYLOAD }));
    const fields: unknown = JSON.parse(Buffer.from(signed.bytes).toString('utf8'));
    expect(Object.keys(Object(fields))).toEqual(
      expect.not.arrayContaining(['proof_facts', 'proof']),
    );
    expect(read(signed).calldata).toHaveLength(4 + plain.calldata.length);
  });

  it('the texts of one payload for two pools differ', async () => {
    const payload = packed();
    const other = { ...APPLY_ACTIONS, to: toFelt('0x9002') };
    const [one, two] = [
      await signer.calldataText(APPLY_ACTIONS, payload),
      await signer.calldataText(other, payload),
    ];
    expect(Buffer.from(one).equals(two)).toBe(false);
    expect(await signer.calldataText(APPLY_ACTIONS, payload)).toEqual(one);
  });

  it('a proof does not change the hash, but each fact does', async () => {
    const { hash: before } = await sign(packed());
    expect((await sign(packed({ proof: new Uint8Array() }))).hash).toBe(before);
    for (let index = 0; index < PAYLOAD.facts.length; index += 1) {
      const facts = PAYLOAD.facts.toHex().map(BigInt);
      const changed = Felts.of(facts.with(index, (facts[index] ?? 0n) + 1n));
      expect((await sign(packed({ facts: changed }))).hash).not.toBe(before);
    }
  });

  it('no guard call precedes private actions', async () => {
    await sign(packed());
    expect(asked).toEqual([]);
    await signer.signCall(
      await signer.hashCall({ ...APPLY_ACTIONS, entrypoint: 'withdraw' }, Felts.of([1n])),
      REQUEST,
    );
    expect(asked).toEqual(['withdraw']);
  });

  it.each([[Felts.of([])], [Felts.of([1n, 2n, 3n])], [packed().slice(0, packed().length - 1)]])(
    'the signer throws for calldata that is not a packed payload',
    async (calldata) => {
      const call = { target: APPLY_ACTIONS, calldata, calldataHash: 1n };
      for (const work of [
        async () => signer.hashCall(APPLY_ACTIONS, calldata),
        async () => signer.signCall(call, REQUEST),
        async () => signer.calldataText(APPLY_ACTIONS, calldata),
      ])
        expect(await failure(work())).toMatchObject({
          message: 'the calldata of private actions is not a packed payload',
        });
    },
  );
});
