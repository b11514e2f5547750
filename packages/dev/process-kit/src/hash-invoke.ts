import { toFelt } from '@sotto/kernel';
import type { InvokeHasher } from '@sotto/sandbox';
import { invokeHash, poseidonOf } from '@sotto/stark-hash';

/**
 * WebAssembly implementation of the sandbox's transaction hash, a hundred times faster than
 * starknet.js, which the sandbox uses by default. The service uses the same implementation.
 * Therefore tests of the service's hash use starknet.js: `test/chain` of the API, and the tests of
 * stark-hash. Paymaster and deployment data are ignored.
 */
export const hashInvoke: InvokeHasher = (
  { sender, calldata, nonce, tip, proofFacts, bounds: { l1Gas, l1DataGas, l2Gas } },
  chainId,
) =>
  invokeHash({
    sender: toFelt(sender),
    calldataHash: poseidonOf(calldata),
    chainId: toFelt(chainId),
    nonce,
    bounds: {
      l1Gas: bound(l1Gas),
      l2Gas: bound(l2Gas),
      l1DataGas: bound(l1DataGas),
      tipFri: tip,
    },
    proofFactsHash: proofFacts.length === 0 ? null : poseidonOf(proofFacts),
  });

type Bound = Parameters<InvokeHasher>[0]['bounds']['l1Gas'];

function bound({ maxAmount, maxPricePerUnit }: Bound): { maxAmount: bigint; maxPriceFri: bigint } {
  return { maxAmount, maxPriceFri: maxPricePerUnit };
}
