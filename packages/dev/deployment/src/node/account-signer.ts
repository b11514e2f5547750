import { Felts, toFelt } from '@sotto/kernel';
import { invokeHash, poseidon, type InvokeBound } from '@sotto/stark-hash';
import {
  Signer,
  transaction,
  type Call,
  type InvocationsSignerDetails,
  type ResourceBoundsBN,
  type Signature,
} from 'starknet';

/**
 * Signer of starknet.js that computes the hash of an invoke transaction in WebAssembly. starknet.js
 * hashes a proof's calldata more slowly than devnet executes it.
 */
export class AccountSigner extends Signer {
  override signTransaction(
    calls: Call[],
    { walletAddress, chainId, cairoVersion, nonce, tip, resourceBounds }: InvocationsSignerDetails,
  ): Promise<Signature> {
    const calldata = transaction.getExecuteCalldata(calls, cairoVersion).map(BigInt);
    const hash = invokeHash({
      sender: toFelt(walletAddress),
      calldataHash: poseidon(Felts.of(calldata).toBytes()),
      chainId: toFelt(chainId),
      nonce: BigInt(nonce),
      bounds: {
        l1Gas: bound(resourceBounds.l1_gas),
        l2Gas: bound(resourceBounds.l2_gas),
        l1DataGas: bound(resourceBounds.l1_data_gas),
        tipFri: BigInt(tip),
      },
    });
    return this.signRaw(toFelt(hash));
  }
}

function bound({ max_amount, max_price_per_unit }: ResourceBoundsBN['l2_gas']): InvokeBound {
  return { maxAmount: max_amount, maxPriceFri: max_price_per_unit };
}
