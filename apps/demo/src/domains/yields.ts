import { z } from 'zod';
import { getJson } from '../json-request.js';
import type { Sites } from '../sites/sites.js';

const Pools = z
  .array(
    z.object({
      name: z.string(),
      supplyApy: z.number(),
      rewardsApr: z.number().nullable(),
      totalApy: z.number(),
    }),
  )
  .min(1);

/**
 * Returns the yield of lending WBTC in each pool. @throws Error if the service does not report the
 * yields
 */
export async function showYields({ baseUrl }: Pick<Sites, 'baseUrl'>): Promise<string> {
  return describeYields(Pools.parse((await getJson(`${baseUrl}/api/staking`)).body));
}

/** Formats the yields that the service reports, as percentages with two decimals. */
export function describeYields(pools: z.output<typeof Pools>): string {
  return pools
    .map(({ name, totalApy, supplyApy, rewardsApr }) => {
      const [total, supply] = [totalApy, supplyApy].map((percent) => percent.toFixed(2));
      const rewards = rewardsApr === null ? 'unknown' : `${rewardsApr.toFixed(2)} %`;
      const least = rewardsApr === null ? 'at least ' : '';
      return `${name} ${least}${total} % (${supply} % interest, ${rewards} rewards)`;
    })
    .join('; ');
}
