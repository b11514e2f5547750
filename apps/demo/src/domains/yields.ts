import { z } from 'zod';
import { getJson } from '../json-request.js';
import type { Sites } from '../sites/sites.js';

const Pools = z
  .array(
    z.object({
      name: z.string(),
      supplyApy: z.number(),
      btcFiApr: z.number(),
      totalApy: z.number(),
    }),
  )
  .min(1);

/** What lending WBTC earns, by pool. @throws Error when the service does not report it */
export async function showYields({ baseUrl }: Pick<Sites, 'baseUrl'>): Promise<string> {
  return describeYields(Pools.parse((await getJson(`${baseUrl}/api/staking`)).body));
}

/** Percentages as the service has them, with two decimals. */
export function describeYields(pools: z.output<typeof Pools>): string {
  return pools
    .map(({ name, totalApy, supplyApy, btcFiApr }) => {
      const [total, supply, rewards] = [totalApy, supplyApy, btcFiApr].map((percent) =>
        percent.toFixed(2),
      );
      return `${name} ${total} % (${supply} % interest, ${rewards} % rewards)`;
    })
    .join('; ');
}
