import { toFelt } from '@sotto/kernel';
import { z } from 'zod';

const Estimate = z.object({
  withdrawGas: z.object({ l2Gas: z.int().positive(), source: z.enum(['profile', 'receipts']) }),
});
const TIMEOUT_MS = 10_000;

/**
 * Returns the L2 gas of a withdrawal for the most expensive of these pools, as a running service
 * has learnt it from receipts. Returns null if the service has seen no withdrawal.
 * @throws Error if the service's response does not match the interface
 */
export async function learntGas(
  serviceUrl: string,
  pools: readonly { readonly address: bigint }[],
): Promise<number | null> {
  const figures = await Promise.all(
    pools.map(async ({ address }) => {
      const url = new URL(`/api/relayer/fee-estimate?pool=${toFelt(address)}`, serviceUrl);
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok)
        throw new Error(`${serviceUrl} answers a fee estimate with ${response.status}`);
      const { withdrawGas } = Estimate.parse(await response.json());
      return withdrawGas.source === 'receipts' ? withdrawGas.l2Gas : 0;
    }),
  );
  const dearest = Math.max(0, ...figures);
  return dearest === 0 ? null : dearest;
}
