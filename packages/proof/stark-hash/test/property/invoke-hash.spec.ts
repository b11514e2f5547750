import { describe, expect, it } from '@jest/globals';
import { InvalidFelt, toFelt } from '@sotto/kernel';
import { invokeHash, poseidonOf, type InvokeFields } from '@sotto/stark-hash';
import * as fc from 'fast-check';
import { hash } from 'starknet';
import { anyFelt } from '../support/felts.js';

const U64_MAX = 2n ** 64n - 1n;
const U128_MAX = 2n ** 128n - 1n;

const upTo = (max: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(fc.bigInt({ min: 0n, max }), fc.constantFrom(0n, 1n, max));
const bound = fc.record({ maxAmount: upTo(U64_MAX), maxPriceFri: upTo(U128_MAX) });
const bounds = fc.record({ l1Gas: bound, l2Gas: bound, l1DataGas: bound, tipFri: upTo(U64_MAX) });

const wire = ({
  maxAmount,
  maxPriceFri,
}: InvokeFields['bounds']['l1Gas']): { max_amount: bigint; max_price_per_unit: bigint } => ({
  max_amount: maxAmount,
  max_price_per_unit: maxPriceFri,
});

describe('the hash of an invoke transaction', () => {
  it('invokeHash equals the transaction hash of starknet.js for random fields and proof facts', () => {
    fc.assert(
      fc.property(
        anyFelt,
        anyFelt,
        anyFelt,
        fc.array(anyFelt, { maxLength: 5 }),
        bounds,
        fc.array(anyFelt, { maxLength: 9 }),
        (sender, chain, nonce, calldata, resources, facts) => {
          const expected = hash.calculateInvokeTransactionHash({
            senderAddress: toFelt(sender),
            version: '0x3',
            compiledCalldata: calldata.map(toFelt),
            // CAST: any felt may name a chain; the library's type lists two.
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion
            chainId: toFelt(chain) as string as '0x534e5f4d41494e',
            nonce,
            accountDeploymentData: [],
            nonceDataAvailabilityMode: 0,
            feeDataAvailabilityMode: 0,
            resourceBounds: {
              l1_gas: wire(resources.l1Gas),
              l2_gas: wire(resources.l2Gas),
              l1_data_gas: wire(resources.l1DataGas),
            },
            tip: resources.tipFri,
            paymasterData: [],
            proofFacts: facts.map(toFelt),
          });
          const fields = {
            sender: toFelt(sender),
            calldataHash: poseidonOf(calldata),
            chainId: toFelt(chain),
            nonce,
            bounds: resources,
            proofFactsHash: facts.length === 0 ? null : poseidonOf(facts),
          };
          expect(toFelt(invokeHash(fields))).toBe(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  const zero = { maxAmount: 0n, maxPriceFri: 0n };
  const nothing: InvokeFields = {
    sender: toFelt(1n),
    calldataHash: 0n,
    chainId: toFelt(1n),
    nonce: 0n,
    bounds: { l1Gas: zero, l2Gas: zero, l1DataGas: zero, tipFri: 0n },
  };

  it.each([
    ['a tip', { tipFri: U64_MAX + 1n }],
    ['a negative tip', { tipFri: -1n }],
    ['an amount', { l2Gas: { maxAmount: U64_MAX + 1n, maxPriceFri: 0n } }],
    ['a negative amount', { l1DataGas: { maxAmount: -1n, maxPriceFri: 0n } }],
    ['a price', { l1Gas: { maxAmount: 0n, maxPriceFri: U128_MAX + 1n } }],
  ])('invokeHash rejects %s that does not fit into the transaction', (_, change) => {
    expect(() => invokeHash({ ...nothing, bounds: { ...nothing.bounds, ...change } })).toThrow(
      RangeError,
    );
  });

  it('invokeHash rejects a nonce that is not a felt', () => {
    expect(() => invokeHash({ ...nothing, nonce: -1n })).toThrow(InvalidFelt);
  });
});
