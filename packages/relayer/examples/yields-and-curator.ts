import { createRelayer, type RelayerOptions } from '@sotto/relayer';
import { stakingPoolReply } from '@sotto/staking-core';
import { Cron } from 'croner';

/**
 * Prints yields and deploys idle funds of vaults on a schedule. @returns a function that ends both
 * jobs
 */
export async function startJobs(
  options: RelayerOptions,
  vaults: readonly string[],
  print: (line: string) => void,
  schedule = '*/5 * * * *',
): Promise<() => Promise<void>> {
  const relayer = await createRelayer(options);
  await relayer.start();
  const stopping = new AbortController();
  // A job starts only after its previous execution has ended, and a failed execution does not stop
  // later ones.
  const settings = { protect: true, catch: (error: unknown) => print(String(error)) };
  const yields = new Cron(schedule, settings, async () => {
    for (const pool of await relayer.listStakingPools.execute()) {
      const { name, totalApy } = stakingPoolReply(pool);
      print(`${name}: ${totalApy.toFixed(2)} % a year`);
    }
  });
  const curator = new Cron(schedule, settings, async () => {
    for (const vaultId of vaults) {
      const input = { vaultId, waitMs: 60_000, signal: stopping.signal };
      print(`${vaultId}: ${(await relayer.deployIdleFunds.execute(input)).status}`);
    }
  });
  return async () => {
    for (const job of [yields, curator]) job.stop();
    stopping.abort();
    await relayer.stop();
  };
}
