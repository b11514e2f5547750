import { Felts, toFelt } from '@sotto/kernel';
import { invokeHash, poseidon } from '@sotto/stark-hash';
import {
  Signer,
  transaction,
  type Call,
  type InvocationsSignerDetails,
  type Signature,
} from 'starknet';

/**
 * Signer of starknet.js. The only change is that it computes hashes with the service's function.
 */
export class QuickSigner extends Signer {
  override async signTransaction(
    calls: Call[],
    { walletAddress, cairoVersion, chainId, nonce, tip, resourceBounds }: InvocationsSignerDetails,
  ): Promise<Signature> {
    const calldata = transaction.getExecuteCalldata(calls, cairoVersion).map(BigInt);
    const { l1_gas: l1Gas, l2_gas: l2Gas, l1_data_gas: l1DataGas } = resourceBounds;
    const hash = invokeHash({
      sender: toFelt(BigInt(walletAddress)),
      calldataHash: poseidon(Felts.of(calldata).toBytes()),
      chainId: toFelt(BigInt(chainId)),
      nonce: BigInt(nonce),
      bounds: {
        l1Gas: bound(l1Gas),
        l2Gas: bound(l2Gas),
        l1DataGas: bound(l1DataGas),
        tipFri: BigInt(tip),
      },
    });
    return this.signRaw(toFelt(hash));
  }
}

type Bound = Parameters<typeof invokeHash>[0]['bounds']['l1Gas'];

function bound(of: { readonly max_amount: bigint; readonly max_price_per_unit: bigint }): Bound {
  return { maxAmount: of.max_amount, maxPriceFri: of.max_price_per_unit };
}
