import type { Chain } from '../engine/chain.js';
import { dataGasOf, intrinsicL2Gas } from '../engine/fee.js';
import type { GenesisAccount } from '../engine/genesis.js';
import { signWith } from '../engine/signature.js';
import { InvokeTransaction, type InvokeFields } from '../engine/transaction.js';

/** An account's empty multicall: no calls. */
const NO_CALLS = [0n];

/** A signed no-op of an account, as another holder of the same key would send it. Bounds cover the open block's prices and no more. */
export function strangersTransaction(chain: Chain, { address, privateKey }: GenesisAccount, nonce: bigint): InvokeTransaction {
  const { prices } = chain.open.header;
  const fields: InvokeFields = {
    version: '0x3',
    sender: address,
    calldata: NO_CALLS,
    signature: [],
    nonce,
    bounds: {
      l1Gas: { maxAmount: 0n, maxPricePerUnit: prices.l1Gas },
      l1DataGas: { maxAmount: dataGasOf(0), maxPricePerUnit: prices.l1DataGas },
      l2Gas: { maxAmount: intrinsicL2Gas(NO_CALLS.length), maxPricePerUnit: prices.l2Gas },
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
