import type { Sites } from '../sites/sites.js';
import { showBridge } from './bridge.js';
import { showCurator } from './curator.js';
import { showYields } from './yields.js';

/** One line of what the service does besides withdrawals. */
export interface DomainLine {
  readonly name: string;
  readonly text: string;
  readonly succeeded: boolean;
}

const DOMAINS: readonly (readonly [name: string, show: (sites: Sites) => Promise<string>])[] = [
  ['yields', showYields],
  ['curator run', showCurator],
  ['bridge transfer', showBridge],
];

/**
 * The lines, one after the other as they are done. One that fails says why, and the next follows
 * all the same.
 */
export async function* showDomains(sites: Sites): AsyncGenerator<DomainLine> {
  for (const [name, show] of DOMAINS) {
    try {
      yield { name, text: await show(sites), succeeded: true };
    } catch (error) {
      yield {
        name,
        text: `failed: ${error instanceof Error ? error.message : String(error)}`,
        succeeded: false,
      };
    }
  }
}
