import type { Sites } from '../sites/sites.js';
import { showBridge } from './bridge.js';
import { showCurator } from './curator.js';
import type { KeeperFigures } from './keeper-figures.js';
import { showIdleFunds, showLane, showPurchase, showTurbo } from './keeper.js';
import { showYields } from './yields.js';

/** One line of what the service does besides withdrawals. */
export interface DomainLine {
  readonly name: string;
  readonly text: string;
  readonly succeeded: boolean;
  /** Of what the keeper did. */
  readonly figures: Partial<KeeperFigures>;
}

type Shown = Pick<DomainLine, 'text' | 'figures'>;
type Domain = readonly [name: string, show: (sites: Sites) => Promise<Shown>];

const DOMAINS: readonly Domain[] = [
  ['yields', async (sites) => ({ text: await showYields(sites), figures: {} })],
  ['curator run', async (sites) => ({ text: await showCurator(sites), figures: {} })],
  ['bridge transfer', async (sites) => ({ text: await showBridge(sites), figures: {} })],
];

/** What the service does without being asked. */
const KEEPER: readonly Domain[] = [
  ['idle funds', (sites) => showIdleFunds(sites)],
  ['purchase', (sites) => showPurchase(sites)],
  ['turbo', (sites) => showTurbo(sites)],
  ['lane', (sites) => showLane(sites)],
];

/**
 * The lines, one after the other as they are done. One that fails says why, and the next follows
 * all the same. The keeper works beside the others, as it mostly waits for blocks.
 */
export async function* showDomains(sites: Sites): AsyncGenerator<DomainLine> {
  const keeper = KEEPER.map((domain) => lineOf(domain, sites));
  for (const domain of DOMAINS) yield await lineOf(domain, sites);
  for (const line of keeper) yield await line;
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
