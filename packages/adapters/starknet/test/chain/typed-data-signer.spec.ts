import * as runner from '@jest/globals';
import {
  HeldKeys,
  NodeRefusedCall,
  StarknetTypedDataSigner,
  selectorOf,
} from '@sotto/adapter-starknet';
import type { TypedData, TypedDataSignature } from '@sotto/relayer-core';
import {
  QUOTES,
  STATUS_DIGESTS,
  describeTypedDataSignerContract,
  type SignedMessages,
} from '@sotto/relayer-core/testing/contracts';
import { typedData } from 'starknet';
import { z } from 'zod';
import type { ChainStack } from '../support/chain-stack.js';
import { signingAccount } from '../support/chain-world.js';
import { describeOnChain } from '../support/node-under-test.js';

describeOnChain((chain) => {
  const describeOf = <Message extends object>(messages: SignedMessages<Message>): void =>
    describeTypedDataSignerContract(
      runner,
      'Stark key, verified by its account on the chain',
      messages,
      async () => {
        const stack = await chain.start();
        const account = signingAccount(stack.world.accounts.lane1);
        return {
          subject: new StarknetTypedDataSigner(new HeldKeys([account]), account.address),
          verifies: async (message, signed) =>
            isValidSignature(stack, messages.typedData(message), signed),
          stop: async () => stack.stop(),
        };
      },
    );
  describeOf(QUOTES);
  describeOf(STATUS_DIGESTS);
});

/** Felt of the short string `VALID`. */
const VALID = '0x56414c4944';

async function isValidSignature(
  { node, lanes: [account] }: ChainStack,
  data: TypedData,
  { signature, signer }: TypedDataSignature,
): Promise<boolean> {
  const hash = typedData.getMessageHash(data, signer);
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
