import { describe, expect, it } from '@jest/globals';
import { hash } from 'starknet';
import { hashInvoke } from '../../src/hash-invoke.js';

const CHAIN_ID = 0x534e5f54455354n;
const SENDER = 0x1234n;
const bounds = {
  l1Gas: { maxAmount: 1n, maxPricePerUnit: 2n },
  l1DataGas: { maxAmount: 3n, maxPricePerUnit: 4n },
  l2Gas: { maxAmount: 5n, maxPricePerUnit: 6n },
};

describe('hashInvoke', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 9],
    [7, 1],
    [300, 9],
  ])(
    'hashInvoke returns the same hash as starknet.js for %d felts of calldata and %d proof facts',
    (length, factCount) => {
      const proofFacts = Array.from({ length: factCount }, (_, index) => BigInt(index) + 5n);
      const calldata = Array.from({ length }, (_, index) => BigInt(index) ** 9n);
      const fields = {
        version: '0x3',
        sender: SENDER,
        calldata,
        signature: [],
        nonce: 8n,
        bounds,
        tip: 9n,
        paymasterData: [],
        accountDeploymentData: [],
        nonceDataAvailabilityMode: 'L1',
        feeDataAvailabilityMode: 'L1',
        proofFacts,
        proof: '',
      } as const;
      const wire = ({ maxAmount, maxPricePerUnit }: typeof bounds.l1Gas): object => ({
        max_amount: maxAmount,
        max_price_per_unit: maxPricePerUnit,
      });
      const reference = Reflect.apply(hash.calculateInvokeTransactionHash, undefined, [
        {
          senderAddress: SENDER,
          version: '0x3',
          compiledCalldata: calldata.map(String),
          chainId: `0x${CHAIN_ID.toString(16)}`,
          nonce: 8n,
          accountDeploymentData: [],
          nonceDataAvailabilityMode: 0,
          feeDataAvailabilityMode: 0,
          resourceBounds: {
            l1_gas: wire(bounds.l1Gas),
            l1_data_gas: wire(bounds.l1DataGas),
            l2_gas: wire(bounds.l2Gas),
          },
          tip: 9n,
          paymasterData: [],
          ...(factCount > 0 && { proofFacts }),
        },
      ]);
      expect(hashInvoke(fields, CHAIN_ID)).toBe(BigInt(reference));
    },
  );
});
