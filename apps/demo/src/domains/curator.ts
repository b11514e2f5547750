import { z } from 'zod';
import { say } from '../console.js';
import { postJson } from '../json-request.js';
import type { Sites } from '../sites/sites.js';

const Run = z.discriminatedUnion('status', [
  z.object({ status: z.literal('deployed'), tx: z.string(), amount: z.string() }),
  z.object({ status: z.literal('no_idle_funds') }),
]);

const VAULT = 'sentinel';
const IDLE_SATS = 1_250_000n;

/**
 * Makes WBTC lie idle in a vault and lets the service deploy it, twice.
 * @throws Error unless the first run deploys all and the second nothing
 */
export async function showCurator({
  baseUrl,
  curatorToken,
  keeperAll,
  world,
  mintWbtc,
}: Sites): Promise<string> {
  say(
    `leaving ${IDLE_SATS} sats idle in the vault ${VAULT}, and asking the curator to deploy them, twice`,
  );
  await mintWbtc(world.vaults[VAULT].address, IDLE_SATS);
  const run = async (): Promise<z.output<typeof Run>> =>
    Run.parse(
      (
        await postJson(
          `${baseUrl}/api/curator`,
          { vaultId: VAULT },
          { authorization: `Bearer ${curatorToken}` },
        )
      ).body,
    );
  const first = await run();
  if (first.status === 'no_idle_funds' && keeperAll)
    return `${VAULT}: the keeper was faster; no idle funds`;
  if (first.status !== 'deployed' || first.amount !== String(IDLE_SATS))
    throw new Error('the curator did not deploy what lay idle');
  const second = await run();
  if (second.status !== 'no_idle_funds') throw new Error('the curator deployed twice');
  return `${VAULT}: deployed ${first.amount} sats in ${first.tx}; a second run: no idle funds`;
}
