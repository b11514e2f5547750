import { z } from 'zod';
import { FIELD_PRIME } from '../engine/felt.js';
import { InvokeTransaction, type Network, type TransactionVersion } from '../engine/transaction.js';
import type { BlockId } from '../engine/view.js';

/**
 * Schemas of requests, as in the specification. The sandbox accepts felts with leading zeros, as
 * nodes do.
 */

const HEX = /^0x[0-9a-fA-F]{1,64}$/;

function hexBelow(limit: bigint, name: string): z.ZodType<bigint> {
  return z
    .string()
    .regex(HEX, `expected a ${name} as 0x-prefixed hex`)
    .transform(BigInt)
    .refine((value) => value < limit, `value is too large for a ${name}`);
}

/** Felt: an element of Starknet's field. */
export const Felt = hexBelow(FIELD_PRIME, 'felt');
/**
 * Array of felts, parsed by one schema. A withdrawal has two thousand felts. With one schema per
 * felt, parsing would be as slow as the rest of the withdrawal's simulation.
 */
const Felts = z
  .custom<readonly unknown[]>((value) => Array.isArray(value), 'expected an array of felts')
  .transform((texts, context): readonly bigint[] => {
    const felts: bigint[] = [];
    for (const [index, text] of texts.entries()) {
      const felt = typeof text === 'string' && HEX.test(text) ? BigInt(text) : FIELD_PRIME;
      if (felt >= FIELD_PRIME) {
        context.addIssue({ code: 'custom', path: [index], message: 'expected a felt' });
        return z.NEVER;
      }
      felts.push(felt);
    }
    return felts;
  });
const U64 = hexBelow(1n << 64n, 'u64');
const U128 = hexBelow(1n << 128n, 'u128');

/** Block id: a hash, a number or a tag. */
export const BlockIdParam: z.ZodType<BlockId> = z.union([
  z
    .strictObject({ block_hash: Felt })
    .transform(({ block_hash: hash }): BlockId => ({ by: 'hash', hash })),
  z
    .strictObject({ block_number: z.int().nonnegative() })
    .transform(({ block_number: number }): BlockId => ({ by: 'number', number })),
  z
    .enum(['latest', 'pre_confirmed', 'l1_accepted'])
    .transform((tag): BlockId => ({ by: 'tag', tag })),
]);

/** Flags that add members to replies with transactions. */
export const ResponseFlags = z.array(z.enum(['INCLUDE_PROOF_FACTS'])).default([]);

/** Contract, selector and calldata of a view call. */
export const FunctionCall = z.object({
  contract_address: Felt,
  entry_point_selector: Felt,
  calldata: Felts,
});

const Bounds = z
  .object({ max_amount: U64, max_price_per_unit: U128 })
  .transform(({ max_amount: maxAmount, max_price_per_unit: maxPricePerUnit }) => ({
    maxAmount,
    maxPricePerUnit,
  }));

const QUERY_VERSION: TransactionVersion = '0x100000000000000000000000000000003';

const Version = Felt.pipe(z.literal([3n, BigInt(QUERY_VERSION)])).transform(
  (version): TransactionVersion => (version === 3n ? '0x3' : QUERY_VERSION),
);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/;

const DataAvailability = z.enum(['L1', 'L2']);

const InvokeV3 = z.object({
  type: z.literal('INVOKE'),
  version: Version,
  sender_address: Felt,
  calldata: Felts,
  signature: Felts,
  nonce: Felt,
  resource_bounds: z.object({ l1_gas: Bounds, l1_data_gas: Bounds, l2_gas: Bounds }),
  tip: U64,
  paymaster_data: Felts,
  account_deployment_data: Felts,
  nonce_data_availability_mode: DataAvailability,
  fee_data_availability_mode: DataAvailability,
  proof_facts: Felts.default([]),
  proof: z.string().regex(BASE64, 'expected base64').default(''),
});

/** Schema of an INVOKE v3 transaction for the given chain. */
export function invokeParam(network: Network): z.ZodType<InvokeTransaction> {
  return InvokeV3.transform(
    (wire) =>
      new InvokeTransaction(
        {
          version: wire.version,
          sender: wire.sender_address,
          calldata: wire.calldata,
          signature: wire.signature,
          nonce: wire.nonce,
          bounds: {
            l1Gas: wire.resource_bounds.l1_gas,
            l1DataGas: wire.resource_bounds.l1_data_gas,
            l2Gas: wire.resource_bounds.l2_gas,
          },
          tip: wire.tip,
          paymasterData: wire.paymaster_data,
          accountDeploymentData: wire.account_deployment_data,
          nonceDataAvailabilityMode: wire.nonce_data_availability_mode,
          feeDataAvailabilityMode: wire.fee_data_availability_mode,
          proofFacts: wire.proof_facts,
          proof: wire.proof,
        },
        network,
      ),
  );
}

const SUPPORTED_VERSIONS: ReadonlySet<bigint> = new Set([3n, BigInt(QUERY_VERSION)]);

/**
 * INVOKE transaction of a version other than 3. Nodes return a special error for such a version.
 */
export const OtherInvoke = z.looseObject({
  type: z.literal('INVOKE'),
  version: Felt.refine((version) => !SUPPORTED_VERSIONS.has(version), 'not another version'),
});
