import { NodeRefusedCall, StarknetQuoteSigner, selectorOf } from '@sotto/adapter-starknet';
import { feeQuoteTypedData, type SignedFeeQuote } from '@sotto/relayer-core';
import { describeQuoteSignerContract } from '@sotto/relayer-core/testing';
import { typedData } from 'starknet';
import { z } from 'zod';
import type { ChainStack } from '../support/chain-stack.js';
import { signingAccount } from '../support/chain-world.js';
import { describeOnChain } from '../support/node-under-test.js';

describeOnChain((chain) => {
  describeQuoteSignerContract('Stark key, verified by its account on the chain', async () => {
    const stack = await chain.start();
    return {
      subject: new StarknetQuoteSigner(signingAccount(stack.world.accounts.lane1)),
      verifies: async (signed) => isValidSignature(stack, signed),
      stop: async () => stack.stop(),
    };
  });
});

/** Short string `VALID`. */
const VALID = '0x56414c4944';

async function isValidSignature(
  { node, lanes: [account] }: ChainStack,
  { signature, signer, ...quote }: SignedFeeQuote,
): Promise<boolean> {
  const hash = typedData.getMessageHash(feeQuoteTypedData(quote), signer);
  const calldata = [hash, '0x2', ...signature];
  const request = {
    contract_address: account,
    entry_point_selector: selectorOf('is_valid_signature'),
    calldata,
  };
  try {
    const answer = await node.call({
      method: 'starknet_call',
      params: { request, block_id: 'latest' },
      result: z.tuple([z.string()]),
    });
    return answer[0] === VALID;
  } catch (error) {
    if (error instanceof NodeRefusedCall) return false;
    throw error;
  }
}
