import type { Sites } from '../sites/sites.js';
import { showBridge } from './bridge.js';
import type { KeeperFigures } from './keeper-figures.js';
import { showIdleFunds, showLane, showPurchase, showTurbo } from './keeper.js';
import { showPrivateTransfer, showPrivateWithdrawal } from './private-actions.js';
import { showYields } from './yields.js';
import { z } from 'zod';
import { say } from '../console.js';
import { postJson } from '../json-request.js';

const Run = z.discriminatedUnion('status', [
  z.object({ status: z.literal('deployed'), tx: z.string(), amount: z.string() }),
  z.object({ status: z.literal('no_idle_funds') }),
]);

const VAULT = 'sentinel';
const IDLE_SATS = 1_250_000n;

/**
 * Mints WBTC to a vault and makes the service deploy it, in two curator runs.
 * @throws Error unless the first run deploys all idle funds and the second run finds none
 */
async function showCurator({
  baseUrl,
  curatorToken,
  keeperAll,
  world,
  mintWbtc,
}: Sites): Promise<string> {
  say(`leaving ${IDLE_SATS} sats idle in the vault ${VAULT}, and requesting two curator runs`);
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
    throw new Error('the curator did not deploy the idle sats');
  const second = await run();
  if (second.status !== 'no_idle_funds') throw new Error('the curator deployed twice');
  return `${VAULT}: deployed ${first.amount} sats in ${first.tx}; a second run: no idle funds`;
}

/** Printed line about one feature of the service other than withdrawals. */
export interface DomainLine {
  readonly name: string;
  readonly text: string;
  readonly succeeded: boolean;
  /** Results of the keeper's actions in this line, for the JSON line. */
  readonly figures: Partial<KeeperFigures>;
}

type Shown = Pick<DomainLine, 'text' | 'figures'>;
type Domain = readonly [name: string, show: (sites: Sites) => Promise<Shown>];

const DOMAINS: readonly Domain[] = [
  ['yields', async (sites) => ({ text: await showYields(sites), figures: {} })],
  ['curator run', async (sites) => ({ text: await showCurator(sites), figures: {} })],
  ['bridge transfer', async (sites) => ({ text: await showBridge(sites), figures: {} })],
];

/** Demonstrations of the keeper's automatic work. */
const KEEPER: readonly Domain[] = [
  ['idle funds', (sites) => showIdleFunds(sites)],
  ['purchase', (sites) => showPurchase(sites)],
  ['turbo', (sites) => showTurbo(sites)],
  ['lane', (sites) => showLane(sites)],
];

/** Demonstrations of private actions, on a chain that has the network's own privacy pool. */
const PRIVATE: readonly Domain[] = [
  ['private transfer', async (sites) => ({ text: await showPrivateTransfer(sites), figures: {} })],
  ['private payment', async (sites) => ({ text: await showPrivateWithdrawal(sites), figures: {} })],
];

/**
 * Yields the lines in order, as they complete. A line that reports a failure contains the reason,
 * and the next line follows. The demonstrations of private actions and of the keeper run in
 * parallel, because they mostly wait for blocks.
 */
export async function* showDomains(sites: Sites): AsyncGenerator<DomainLine> {
  const hasPrivacyPool = sites.world.privacyPool !== undefined;
  const parallel = [...(hasPrivacyPool ? PRIVATE : []), ...KEEPER].map((domain) =>
    lineOf(domain, sites),
  );
  for (const domain of DOMAINS) yield await lineOf(domain, sites);
  for (const line of parallel) yield await line;
}

async function lineOf([name, show]: Domain, sites: Sites): Promise<DomainLine> {
  try {
    return { name, ...(await show(sites)), succeeded: true };
  } catch (error) {
    return {
      name,
      text: `failed: ${error instanceof Error ? error.message : String(error)}`,
      succeeded: false,
      figures: {},
    };
  }
}
