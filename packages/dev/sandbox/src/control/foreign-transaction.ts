import type { Chain } from '../engine/chain.js';
import { selectorOf } from '../engine/felt.js';
import { dataGasOf, intrinsicL2Gas } from '../engine/fee.js';
import type { GenesisAccount } from '../engine/genesis.js';
import { signWith } from '../engine/signature.js';
import { InvokeTransaction, type InvokeFields } from '../engine/transaction.js';

/** More than a view takes. */
const CALL_L2_GAS = 100_000n;

/**
 * A signed transaction of an account that no service sends, as another holder of its key would: it
 * asks for its own balance. Bounds cover the open block's prices and no more.
 */
export function foreignTransaction(
  chain: Chain,
  { address, privateKey }: GenesisAccount,
  nonce: bigint,
): InvokeTransaction {
  const { prices } = chain.open.header;
  const calldata = [1n, chain.feeToken, selectorOf('balanceOf'), 1n, address];
  const fields: InvokeFields = {
    version: '0x3',
    sender: address,
    calldata,
    signature: [],
    nonce,
    bounds: {
      l1Gas: { maxAmount: 0n, maxPricePerUnit: prices.l1Gas },
      l1DataGas: { maxAmount: dataGasOf(0), maxPricePerUnit: prices.l1DataGas },
      l2Gas: {
        maxAmount: intrinsicL2Gas(calldata.length) + CALL_L2_GAS,
        maxPricePerUnit: prices.l2Gas,
      },
    },
    tip: 0n,
    paymasterData: [],
    accountDeploymentData: [],
    nonceDataAvailabilityMode: 'L1',
    feeDataAvailabilityMode: 'L1',
    proofFacts: [],
    hasProof: false,
  };
  const { hash } = new InvokeTransaction(fields, chain);
  return new InvokeTransaction({ ...fields, signature: signWith(privateKey, hash) }, chain);
}
