import { describe, expect, it } from '@jest/globals';
import { Signer, type InvocationsSignerDetails } from 'starknet';
import { QuickSigner } from '../../src/usual/quick-signer.js';

const KEY = '0x5f1b2c8d9e0a4b7c6d3e2f1a0b9c8d7e6';
const price = (max_amount: bigint): { max_amount: bigint; max_price_per_unit: bigint } => ({
  max_amount,
  max_price_per_unit: 3n * max_amount,
});
const details: InvocationsSignerDetails = {
  walletAddress: '0x1234',
  cairoVersion: '1',
  chainId: '0x534e5f4d41494e',
  nonce: 7n,
  version: '0x3',
  tip: 0n,
  resourceBounds: {
    l1_gas: price(256n),
    l2_gas: price(1_200_000_000n),
    l1_data_gas: price(20_480n),
  },
  paymasterData: [],
  accountDeploymentData: [],
  nonceDataAvailabilityMode: 'L1',
  feeDataAvailabilityMode: 'L1',
};

describe("the usual flow's signer with our hash", () => {
  it.each([0, 1, 50])(
    'QuickSigner returns the same signature as starknet.js for %d felts of calldata',
    async (count) => {
      const calls = [
        {
          contractAddress: '0xabc',
          entrypoint: 'withdraw',
          calldata: Array.from({ length: count }, (_, index) => `0x${(index * 977).toString(16)}`),
        },
      ];
      expect(await new QuickSigner(KEY).signTransaction(calls, details)).toEqual(
        await new Signer(KEY).signTransaction(calls, details),
      );
    },
  );
});
