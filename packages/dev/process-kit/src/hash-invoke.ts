import { toFelt } from '@sotto/kernel';
import type { InvokeHasher } from '@sotto/sandbox';
import { invokeHash, poseidonOf } from '@sotto/stark-hash';

/**
 * The sandbox's transaction hash in WebAssembly, a hundred times faster than the sandbox's default,
 * starknet.js. The service uses the same implementation. Tests of the service's hash therefore use
 * the default: `test/chain` of the API, and the tests of stark-hash. Transactions with paymaster,
 * deployment or proof data are hashed as if they had none.
 */
export const hashInvoke: InvokeHasher = (
  { sender, calldata, nonce, tip, bounds: { l1Gas, l1DataGas, l2Gas } },
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
  });

type Bound = Parameters<InvokeHasher>[0]['bounds']['l1Gas'];

function bound({ maxAmount, maxPricePerUnit }: Bound): { maxAmount: bigint; maxPriceFri: bigint } {
  return { maxAmount, maxPriceFri: maxPricePerUnit };
}
