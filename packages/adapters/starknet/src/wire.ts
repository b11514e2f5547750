import { InvalidFelt, toFelt, u256FromHalves, type Felt } from '@sotto/kernel';
import { z } from 'zod';

/** Block tag of most reads: the newest block with status ACCEPTED_ON_L2. */
export const LATEST = 'latest';

const U32_BOUND = 2n ** 32n;
const U64_BOUND = 2n ** 64n;
const U128_BOUND = 2n ** 128n;
/**
 * Maximum number of felts in a result, far above every result that this package reads. A contract
 * may return any number of felts.
 */
const MAX_RETURNED_FELTS = 64;

/**
 * Felt in wire format, converted to canonical form. Nodes differ in letter case and leading zeros.
 */
export const WireFelt = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text, context): Felt => {
    try {
      return toFelt(text);
    } catch (error) {
      if (!(error instanceof InvalidFelt)) throw error;
      context.addIssue({ code: 'custom', message: 'outside the field' });
      return z.NEVER;
    }
  });

export const WireNumber = WireFelt.transform((felt) => BigInt(felt));
export const WireU32 = WireNumber.refine((value) => value < U32_BOUND).transform(Number);
export const WireU64 = WireNumber.refine((value) => value < U64_BOUND);
export const WireU128 = WireNumber.refine((value) => value < U128_BOUND);
/**
 * Schema of a block height. The maximum is so high that a chain with one block per second does not
 * reach it within a century.
 */
export const BlockNumber = z
  .int()
  .nonnegative()
  .lt(2 ** 32);
/** Block timestamp in seconds since the epoch. */
export const BlockTimestamp = z
  .int()
  .nonnegative()
  .lt(2 ** 34);
/** Exclusive maximum of nonces. Nonces grow by one, so no nonce ever reaches it. */
export const NONCE_BOUND = U64_BOUND;

/** Result of a view, as a list of numbers. */
export const Returned = z.array(WireNumber).max(MAX_RETURNED_FELTS);

/** Result of a view that returns a u256. */
export const ReturnedU256 = z
  .tuple([WireU128, WireU128])
  .transform(([low, high]) => u256FromHalves(low, high));

/** Result of a view that returns a u32. */
export const ReturnedU32 = z.tuple([WireU32]).transform(([value]) => value);

/** Result of a view that returns a bool. */
export const ReturnedBool = z
  .tuple([WireNumber.refine((value) => value < 2n)])
  .transform(([value]) => value === 1n);

export const ExecutionStatusText = z.enum(['SUCCEEDED', 'REVERTED']);

/**
 * Status of an accepted block. A pre-confirmed block is rejected, because the next block can
 * replace it.
 */
export const AcceptedBlockStatus = z.enum(['ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']);

/** Field that a node may omit or set to null. Both cases become undefined. */
export function omittable<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}
