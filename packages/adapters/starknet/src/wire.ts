import { InvalidFelt, toFelt, u256FromHalves, type Felt } from '@sotto/kernel';
import { z } from 'zod';

/** The block that reads are made at: the newest one at ACCEPTED_ON_L2. */
export const LATEST = 'latest';

const U32_BOUND = 2n ** 32n;
const U64_BOUND = 2n ** 64n;
const U128_BOUND = 2n ** 128n;
/** Far above every answer read here; a contract may return as much as it likes. */
const MAX_RETURNED_FELTS = 64;

/** A felt on the wire, made canonical: nodes differ in case and leading zeros. */
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
/** A block each second reaches neither bound in a century. */
export const BlockNumber = z
  .int()
  .nonnegative()
  .lt(2 ** 32);
/** Seconds since the epoch. */
export const BlockTimestamp = z
  .int()
  .nonnegative()
  .lt(2 ** 34);
/** Nonces grow by one, so none ever gets there. */
export const NONCE_BOUND = U64_BOUND;

/** What a view returns, as numbers. */
export const Returned = z.array(WireNumber).max(MAX_RETURNED_FELTS);

/** A view's u256. */
export const ReturnedU256 = z
  .tuple([WireU128, WireU128])
  .transform(([low, high]) => u256FromHalves(low, high));

/** A view's u32. */
export const ReturnedU32 = z.tuple([WireU32]).transform(([value]) => value);

/** A view's bool. */
export const ReturnedBool = z
  .tuple([WireNumber.refine((value) => value < 2n)])
  .transform(([value]) => value === 1n);

export const ExecutionStatusText = z.enum(['SUCCEEDED', 'REVERTED']);

/** A block that can't be undone by the next one: a pre-confirmed one is refused. */
export const AcceptedBlockStatus = z.enum(['ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']);

/** A field that a node may leave out or give as null: the same thing. */
export function omittable<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}
