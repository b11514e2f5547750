import type { Felt } from '@sotto/kernel';
import { poseidonOf } from './poseidon.js';

/** Cairo short string `invoke`. */
const INVOKE_PREFIX = 0x696e766f6b65n;
const VERSION = 3n;
/** Data-availability mode L1, for both nonce and fee. */
const DATA_AVAILABILITY_L1 = 0n;
/** Cairo short strings of the resource names, which are hashed with the resource bounds. */
const RESOURCE = {
  l1Gas: 0x4c315f474153n,
  l2Gas: 0x4c325f474153n,
  l1DataGas: 0x4c315f44415441n,
} as const;

const U64_BOUND = 2n ** 64n;
const U128_BOUND = 2n ** 128n;

export interface InvokeBound {
  readonly maxAmount: bigint;
  readonly maxPriceFri: bigint;
}

export interface InvokeFields {
  readonly sender: Felt;
  /** Poseidon hash of the account's `__execute__` calldata. */
  readonly calldataHash: bigint;
  /** Chain id: the Cairo short string of the chain's name. */
  readonly chainId: Felt;
  readonly nonce: bigint;
  readonly bounds: {
    readonly l1Gas: InvokeBound;
    readonly l2Gas: InvokeBound;
    readonly l1DataGas: InvokeBound;
    readonly tipFri: bigint;
  };
  /** Poseidon hash of the transaction's proof facts; null for a transaction without a proof. */
  readonly proofFactsHash?: bigint | null;
}

const NOTHING = poseidonOf([]);

/**
 * Returns the hash of a v3 invoke transaction without paymaster and deployment data, from the hash
 * of its calldata and of its proof facts. The cost does not depend on the calldata's length.
 * Source: Starknet documentation, v3 transaction hash.
 * @throws RangeError if an amount or tip is 2^64 or more, or a price is 2^128 or more
 * @throws InvalidFelt if a nonce or calldata hash is not a felt
 */
export function invokeHash({
  sender,
  calldataHash,
  chainId,
  nonce,
  bounds,
  proofFactsHash = null,
}: InvokeFields): bigint {
  const { l1Gas, l2Gas, l1DataGas, tipFri } = bounds;
  assertBelow(tipFri, U64_BOUND, 'tip');
  const fee = poseidonOf([
    tipFri,
    packed(RESOURCE.l1Gas, l1Gas),
    packed(RESOURCE.l2Gas, l2Gas),
    packed(RESOURCE.l1DataGas, l1DataGas),
  ]);
  const paymasterData = NOTHING;
  const accountDeploymentData = NOTHING;
  return poseidonOf([
    INVOKE_PREFIX,
    VERSION,
    BigInt(sender),
    fee,
    paymasterData,
    BigInt(chainId),
    nonce,
    DATA_AVAILABILITY_L1,
    accountDeploymentData,
    calldataHash,
    // The hash of a transaction without proof facts has one element less.
    ...(proofFactsHash === null ? [] : [proofFactsHash]),
  ]);
}

/** Packs a resource bound into one felt: the name, 64 bits of amount and 128 bits of price. */
function packed(name: bigint, { maxAmount, maxPriceFri }: InvokeBound): bigint {
  assertBelow(maxAmount, U64_BOUND, 'maximum amount');
  assertBelow(maxPriceFri, U128_BOUND, 'maximum price');
  return (name << 192n) + (maxAmount << 128n) + maxPriceFri;
}

function assertBelow(value: bigint, bound: bigint, what: string): void {
  if (value < 0n || value >= bound)
    throw new RangeError(`${what} must be from 0 to below ${bound}`);
}
