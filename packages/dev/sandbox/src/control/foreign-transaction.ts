import type { Chain } from '../engine/chain.js';
import { selectorOf } from '../engine/felt.js';
import { dataGasOf, intrinsicL2Gas } from '../engine/fee.js';
import type { GenesisAccount } from '../engine/genesis.js';
import { signWith } from '../engine/signature.js';
import { InvokeTransaction, type InvokeFields } from '../engine/transaction.js';

/** Nonce, calls and resource limits of a foreign transaction. */
export interface ForeignDeed {
  readonly nonce: bigint;
  readonly calls: readonly ControlCall[];
  /**
   * Resource limits of the calls. The function adds the transaction's base cost to these limits.
   */
  readonly most: { readonly l2Gas: bigint; readonly slots: number };
  /** Proof facts of the transaction. @default none */
  readonly proofFacts?: readonly bigint[] | undefined;
}

/** Call that an account makes. */
export interface ControlCall {
  readonly to: bigint;
  readonly entrypoint: string;
  readonly calldata: readonly bigint[];
}

/**
 * Builds a transaction that is signed with the account's key but that no service of this project
 * knows. The maximum prices equal the open block's prices.
 */
export function foreignTransaction(
  chain: Chain,
  { address, privateKey }: GenesisAccount,
  { nonce, calls, most, proofFacts = [] }: ForeignDeed,
): InvokeTransaction {
  const { prices } = chain.open.header;
  const calldata = [
    BigInt(calls.length),
    ...calls.flatMap((call) => [
      call.to,
      selectorOf(call.entrypoint),
      BigInt(call.calldata.length),
      ...call.calldata,
    ]),
  ];
  const fields: InvokeFields = {
    version: '0x3',
    sender: address,
    calldata,
    signature: [],
    nonce,
    bounds: {
      l1Gas: { maxAmount: 0n, maxPricePerUnit: prices.l1Gas },
      l1DataGas: { maxAmount: dataGasOf(most.slots), maxPricePerUnit: prices.l1DataGas },
      l2Gas: {
        maxAmount: intrinsicL2Gas({ calldata, proofFacts }) + most.l2Gas,
        maxPricePerUnit: prices.l2Gas,
      },
    },
    tip: 0n,
    paymasterData: [],
    accountDeploymentData: [],
    nonceDataAvailabilityMode: 'L1',
    feeDataAvailabilityMode: 'L1',
    proofFacts,
    proof: '',
  };
  const { hash } = new InvokeTransaction(fields, chain);
  return new InvokeTransaction({ ...fields, signature: signWith(privateKey, hash) }, chain);
}
