import { absentAsNull } from '@sotto/http-client';
import { InvalidFelt, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';

/** Maximum number of assets in a response, far more than a pool has. */
const MAX_ASSETS = 200;
const RATE_DECIMALS = 18;
/** Maximum number of decimals of a rate; rates with more decimals are rejected. */
const MAX_DECIMALS = 36;
/** Maximum rate per year (100,000 %). Higher rates are errors of the sender and are rejected. */
const MAX_RATE_E18 = 1_000n * 10n ** 18n;

/**
 * Schema of an address, converted to canonical form: upstreams differ in case and leading zeros.
 */
const WireAddress = z
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

/**
 * Schema of a rate: an integer with its number of decimals, converted to an integer of which 1e18
 * is 100 %. Digits beyond 18 decimals are truncated.
 */
const Rate = z
  .object({ value: z.string().regex(/^[0-9]{1,60}$/), decimals: z.int().min(0).max(MAX_DECIMALS) })
  .transform(
    ({ value, decimals }) =>
      (BigInt(value) * 10n ** BigInt(RATE_DECIMALS)) / 10n ** BigInt(decimals),
  )
  .refine((rateE18) => rateE18 <= MAX_RATE_E18);

/**
 * Schema of an asset. Null, `{ value: null }` and an absent rate are equivalent: the programme does
 * not pay or has ended.
 */
export const Asset = z.object({
  address: WireAddress,
  stats: z.object({
    btcFiSupplyApr: z.preprocess(absentAsNull, Rate.nullable()).default(null),
  }),
});

/**
 * Response for a pool. Each asset is parsed separately, so that an unrelated malformed asset cannot
 * invalidate the whole response.
 */
export const PoolAnswer = z.object({
  data: z.object({ id: WireAddress, assets: z.array(z.unknown()).max(MAX_ASSETS) }),
});
/** Address of an asset, which identifies the asset. */
export const AssetAddress = z.object({ address: WireAddress });
