import { hash } from 'starknet';
import { toHex } from './felt.js';

/** Resource bounds of one resource: maximum amount and maximum price. */
export interface ResourceBounds {
  readonly maxAmount: bigint;
  readonly maxPricePerUnit: bigint;
}

/** Resource bounds of the three resources of a version 3 transaction. */
export interface BoundsMapping {
  readonly l1Gas: ResourceBounds;
  readonly l1DataGas: ResourceBounds;
  readonly l2Gas: ResourceBounds;
}

/** Version `0x3`, or the query version that only simulations and estimates accept. */
export type TransactionVersion = '0x3' | '0x100000000000000000000000000000003';

type DataAvailabilityMode = 'L1' | 'L2';

/** Every field of an INVOKE v3 transaction. */
export interface InvokeFields {
  readonly version: TransactionVersion;
  readonly sender: bigint;
  readonly calldata: readonly bigint[];
  readonly signature: readonly bigint[];
  readonly nonce: bigint;
  readonly bounds: BoundsMapping;
  readonly tip: bigint;
  readonly paymasterData: readonly bigint[];
  readonly accountDeploymentData: readonly bigint[];
  readonly nonceDataAvailabilityMode: DataAvailabilityMode;
  readonly feeDataAvailabilityMode: DataAvailabilityMode;
  /** Facts that the proof proves; empty if the transaction has no proof. */
  readonly proofFacts: readonly bigint[];
  /** Proof of the facts as base64 text; empty if the transaction has no proof. */
  readonly proof: string;
}

/** Function that computes the hash of an INVOKE v3 transaction. */
export type InvokeHasher = (fields: InvokeFields, chainId: bigint) => bigint;

/** Chain for which a transaction is made. */
export interface Network {
  readonly chainId: bigint;
  readonly hashInvoke: InvokeHasher;
}

/**
 * INVOKE v3 transaction. The hash is computed on first use and then stored, because starknet.js
 * needs about 0.1 ms per felt.
 */
export class InvokeTransaction {
  #hash: bigint | undefined;

  constructor(
    readonly fields: InvokeFields,
    private readonly network: Network,
  ) {}

  get hash(): bigint {
    this.#hash ??= this.network.hashInvoke(this.fields, this.network.chainId);
    return this.#hash;
  }
}

/**
 * Returns the balance that an account needs for the transaction to be admitted, in fri: the sum of
 * maximum amount × maximum price over all resources, with the tip added to the L2 gas price.
 */
export function maximalFee({ bounds, tip }: Pick<InvokeFields, 'bounds' | 'tip'>): bigint {
  const { l1Gas, l1DataGas, l2Gas } = bounds;
  return (
    l1Gas.maxAmount * l1Gas.maxPricePerUnit +
    l1DataGas.maxAmount * l1DataGas.maxPricePerUnit +
    l2Gas.maxAmount * (l2Gas.maxPricePerUnit + tip)
  );
}

const DATA_AVAILABILITY = { L1: 0, L2: 1 } as const;

type HashArguments = Parameters<typeof hash.calculateInvokeTransactionHash>[0];

/** Computes the transaction hash with starknet.js. */
export const starknetJsHash: InvokeHasher = (fields, chainId) => {
  return BigInt(
    hash.calculateInvokeTransactionHash({
      senderAddress: fields.sender,
      version: fields.version,
      compiledCalldata: fields.calldata.map(toHex),
      // CAST: the type lists two public networks; the hash takes any chain id.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      chainId: toHex(chainId) as HashArguments['chainId'],
      nonce: fields.nonce,
      accountDeploymentData: [...fields.accountDeploymentData],
      nonceDataAvailabilityMode: DATA_AVAILABILITY[fields.nonceDataAvailabilityMode],
      feeDataAvailabilityMode: DATA_AVAILABILITY[fields.feeDataAvailabilityMode],
      resourceBounds: {
        l1_gas: wireBounds(fields.bounds.l1Gas),
        l1_data_gas: wireBounds(fields.bounds.l1DataGas),
        l2_gas: wireBounds(fields.bounds.l2Gas),
      },
      tip: fields.tip,
      paymasterData: [...fields.paymasterData],
      ...(fields.proofFacts.length > 0 && { proofFacts: [...fields.proofFacts] }),
    }),
  );
};

function wireBounds({ maxAmount, maxPricePerUnit }: ResourceBounds): {
  max_amount: bigint;
  max_price_per_unit: bigint;
} {
  return { max_amount: maxAmount, max_price_per_unit: maxPricePerUnit };
}
