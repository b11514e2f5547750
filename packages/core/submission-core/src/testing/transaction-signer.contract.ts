import type { TestRunner } from '@sotto/kernel/testing';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { ResourceBounds } from '../domain/resource-bounds.js';
import { envelopeOf, signedBytesOf } from '../domain/signed-envelope.js';
import type { SigningRequest, TransactionSigner } from '../ports/transaction-signer.port.js';

export interface TransactionSignerHarness {
  readonly subject: TransactionSigner;
  /** Accounts whose keys the signer has. */
  readonly accounts: readonly [Felt, Felt];
  readonly unknownAccount: Felt;
  stop(): Promise<void>;
}

const TARGET = { to: toFelt('0x7a11'), entrypoint: 'withdraw' };
const CALLDATA = Felts.of([3n, 1n, 2n, 3n]);
const BOUNDS: ResourceBounds = {
  l2Gas: { maxAmount: 1_200_000_000n, maxPriceFri: 24_000_000_000n },
  l1Gas: { maxAmount: 256n, maxPriceFri: 60_000_000_000_000n },
  l1DataGas: { maxAmount: 20_480n, maxPriceFri: 3_000_000n },
  tipFri: 0n,
};

export function describeTransactionSignerContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<TransactionSignerHarness>,
): void {
  describe(`TransactionSigner contract (${name})`, () => {
    let harness: TransactionSignerHarness;
    let request: SigningRequest;
    beforeEach(async () => {
      harness = await start();
      request = { account: harness.accounts[0], nonce: 7n, bounds: BOUNDS };
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('hashing a call returns the call unchanged, with its hash', async () => {
      const call = await harness.subject.hashCall(TARGET, CALLDATA);
      expect(call.target).toEqual(TARGET);
      expect(call.calldata.equals(CALLDATA)).toBe(true);
      expect(call.calldataHash).toBeGreaterThan(0n);
    });

    it('the hash of a call depends on target, entry point and every felt of the calldata', async () => {
      const { subject } = harness;
      const variants = [
        await subject.hashCall(TARGET, CALLDATA),
        await subject.hashCall({ ...TARGET, to: toFelt('0x7a12') }, CALLDATA),
        await subject.hashCall({ ...TARGET, entrypoint: 'deposit' }, CALLDATA),
        await subject.hashCall(TARGET, Felts.of([3n, 1n, 2n, 4n])),
        await subject.hashCall(TARGET, Felts.of([3n, 1n, 2n])),
        await subject.hashCall(TARGET, Felts.of([])),
      ];
      expect(new Set(variants.map(({ calldataHash }) => calldataHash)).size).toBe(variants.length);
    });

    it('equal calls that are signed with equal parameters have the same hash', async () => {
      const call = await harness.subject.hashCall(TARGET, CALLDATA);
      const first = await harness.subject.signCall(call, request);
      const second = await harness.subject.signCall(
        await harness.subject.hashCall(TARGET, CALLDATA),
        request,
      );
      expect(second.hash).toBe(first.hash);
      expect(first.bounds).toEqual(BOUNDS);
      expect(first.bytes.length).toBeGreaterThan(0);
    });

    it('creates different transaction hashes for different nonces, accounts, prices, resource bounds and tips', async () => {
      const call = await harness.subject.hashCall(TARGET, CALLDATA);
      const requests: SigningRequest[] = [
        request,
        { ...request, nonce: 8n },
        { ...request, account: harness.accounts[1] },
        { ...request, bounds: { ...BOUNDS, tipFri: 1n } },
        {
          ...request,
          bounds: { ...BOUNDS, l2Gas: { ...BOUNDS.l2Gas, maxPriceFri: 26_400_000_000n } },
        },
        { ...request, bounds: { ...BOUNDS, l2Gas: { ...BOUNDS.l2Gas, maxAmount: 1n } } },
        { ...request, bounds: { ...BOUNDS, l1Gas: { ...BOUNDS.l1Gas, maxPriceFri: 1n } } },
        { ...request, bounds: { ...BOUNDS, l1DataGas: { ...BOUNDS.l1DataGas, maxPriceFri: 1n } } },
      ];
      const signed = await Promise.all(
        requests.map((each) => harness.subject.signCall(call, each)),
      );
      signed.push(await harness.subject.signNoop(request));
      expect(new Set(signed.map(({ hash }) => hash)).size).toBe(requests.length + 1);
    });

    it('a no-op that is signed twice with equal parameters has the same hash both times', async () => {
      const first = await harness.subject.signNoop(request);
      expect((await harness.subject.signNoop(request)).hash).toBe(first.hash);
      expect(first.bounds).toEqual(BOUNDS);
    });

    it.each([[CALLDATA], [Felts.of([])], [Felts.of([0n, 2n ** 251n])]])(
      'the signed bytes contain the calldata at the reported position, and are restored from it',
      async (calldata) => {
        const { subject } = harness;
        const signed = await subject.signCall(await subject.hashCall(TARGET, calldata), request);
        const { bytes, calldataAt } = signed;
        const text = await subject.calldataText(TARGET, Felts.fromBytes(calldata.toBytes()));
        expect(signedBytesOf(envelopeOf(signed), text)).toEqual(Buffer.from(bytes));
        expect(Buffer.from(bytes.subarray(calldataAt?.start, calldataAt?.end))).toEqual(
          Buffer.from(await subject.calldataText(TARGET, calldata)),
        );
        expect((await subject.signNoop(request)).calldataAt).toBeNull();
      },
    );

    it('rejects an account whose key is not configured', async () => {
      const call = await harness.subject.hashCall(TARGET, CALLDATA);
      const foreign = { ...request, account: harness.unknownAccount };
      await expect(harness.subject.signCall(call, foreign)).rejects.toBeInstanceOf(Error);
      await expect(harness.subject.signNoop(foreign)).rejects.toBeInstanceOf(Error);
    });
  });
}
