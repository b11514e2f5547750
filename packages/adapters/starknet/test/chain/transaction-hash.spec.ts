import type { StarknetAccountSigner } from '@sotto/adapter-starknet';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { ResourceBounds, SignedTransaction } from '@sotto/submission-core';
import { z } from 'zod';
import { signerOf, type ChainStack } from '../support/chain-stack.js';
import { describeOnChain } from '../support/node-under-test.js';

const Taken = z.object({ transaction_hash: z.string().transform((hash) => toFelt(hash)) });

const BOUNDS: ResourceBounds = {
  l2Gas: { maxAmount: 200_000_000n, maxPriceFri: 24_000_000_000n },
  l1Gas: { maxAmount: 256n, maxPriceFri: 120_000_000_000_000n },
  l1DataGas: { maxAmount: 20_480n, maxPriceFri: 3_000_000_000n },
  tipFri: 0n,
};
const VARIANTS: readonly (readonly [string, Partial<ResourceBounds>])[] = [
  ['the usual bounds', {}],
  ['a tip of 1', { tipFri: 1n }],
  ['a large tip', { tipFri: 1_234_567_890_123n }],
  ['another L2 bound', { l2Gas: { maxAmount: 123_456_789n, maxPriceFri: 98_765_432_109n } }],
  ['another L1 bound', { l1Gas: { maxAmount: 1n, maxPriceFri: 2n ** 66n + 1n } }],
  ['another L1 data bound', { l1DataGas: { maxAmount: 54_321n, maxPriceFri: 7_000_000_001n } }],
];
/** Calldata lengths in felts. The last length is that of a withdrawal's calldata. */
const LENGTHS = [0, 1, 7, 2_020];
/** Nonce above the account's next nonce, within the distance that a node accepts. */
const LATER_NONCE = 177n;

describeOnChain((chain) => {
  describe('transaction hash, computed here and returned by the node', () => {
    let stack: ChainStack;
    let signer: StarknetAccountSigner;
    let account: Felt;
    let nonce = 0n;
    beforeAll(async () => {
      stack = await chain.start();
      signer = signerOf(stack.world);
      [account] = stack.lanes;
    });
    afterAll(async () => {
      await signer.close();
      await stack.stop();
    });

    const answered = async ({ bytes }: SignedTransaction): Promise<Felt> => {
      const params = { invoke_transaction: JSON.parse(new TextDecoder().decode(bytes)) };
      return (
        await stack.node.call({ method: 'starknet_addInvokeTransaction', params, result: Taken })
      ).transaction_hash;
    };
    /**
     * Signs a call with arbitrary calldata. A node accepts the transaction although it will revert.
     */
    const call = async (
      felts: number,
      bounds: ResourceBounds,
      at: bigint,
    ): Promise<SignedTransaction> => {
      const target = { to: toFelt(stack.world.tokens.STRK.address), entrypoint: 'approve' };
      const calldata = Felts.of(
        Array.from({ length: felts }, (_, index) => 2n ** BigInt(index % 251) + BigInt(index)),
      );
      return signer.signCall(await signer.hashCall(target, calldata), {
        account,
        nonce: at,
        bounds,
      });
    };

    it.each(
      LENGTHS.flatMap((felts) => VARIANTS.map(([what, bounds]) => ({ felts, what, bounds }))),
    )(
      'the computed transaction hash equals the node’s hash for a call: $felts felts, $what',
      async ({ felts, bounds }) => {
        const signed = await call(felts, { ...BOUNDS, ...bounds }, nonce);
        nonce += 1n;
        expect(await answered(signed)).toBe(signed.hash);
      },
    );

    it('the computed transaction hash equals the node’s hash for a no-op', async () => {
      const signed = await signer.signNoop({ account, nonce, bounds: BOUNDS });
      nonce += 1n;
      expect(await answered(signed)).toBe(signed.hash);
    });

    it('the computed transaction hash equals the node’s hash for a nonce above zero', async () => {
      const signed = await call(1, BOUNDS, LATER_NONCE);
      expect(await answered(signed)).toBe(signed.hash);
    });
  });
});
