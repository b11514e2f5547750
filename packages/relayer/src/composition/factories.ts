import {
  CALLED_ENTRYPOINTS,
  NodeClient,
  PragmaPriceSource,
  StarknetAccountHistory,
  StarknetAccountSigner,
  StarknetPoolReader,
  type AccountSignerSettings,
  type StarknetNode,
} from '@sotto/adapter-starknet';
import { openPostgresStore, openSqliteStore, type OpenedStore } from '@sotto/adapter-store';
import type { Logger } from '@sotto/kernel';
import type { NetworkProfile } from '@sotto/network-profile';
import type { Settings, StoreSettings } from '../environment/settings.js';
import { guardCallsOf } from './guard-calls.js';

/** Factories of objects that both the service and an operator's command build. */

export type NodeTimeouts = Pick<Settings['node'], 'readTimeoutMs' | 'sendTimeoutMs'>;
type Sources = Pick<Settings, 'network' | 'prices'>;

export const nodeClient = (
  url: string,
  { readTimeoutMs, sendTimeoutMs }: NodeTimeouts,
): NodeClient => new NodeClient({ url, readTimeoutMs, sendTimeoutMs });

export const poolReader = (client: StarknetNode, network: NetworkProfile): StarknetPoolReader =>
  new StarknetPoolReader(client, network.entrypoints.pool, network.swapPool?.address ?? null);

/**
 * Creates the reader of an account's history. @param network null if no profile defines the calls
 * that a transaction may contain
 */
export const accountHistory = (
  client: StarknetNode,
  network: NetworkProfile | null,
): StarknetAccountHistory =>
  network === null
    ? new StarknetAccountHistory(client)
    : new StarknetAccountHistory(client, {
        entrypoints: calledEntrypoints(network),
        // A guard contract that is no longer used may still appear in blocks of the history.
        guardCalls: guardCallsOf(network),
        strkToken: network.tokens.STRK.address,
      });

/**
 * Returns the names of the calls that our transactions may contain. In a profile, a vault's entry
 * point may have a different name than in the specification.
 */
function calledEntrypoints({ vaults }: NetworkProfile): readonly string[] {
  return [
    ...new Set([...CALLED_ENTRYPOINTS, ...vaults.flatMap(({ entrypoint }) => entrypoint ?? [])]),
  ];
}

export const accountSigner = (settings: AccountSignerSettings): StarknetAccountSigner =>
  new StarknetAccountSigner(settings);

export function oraclePrices(client: StarknetNode, { network, prices }: Sources) {
  const { address: oracle, pairs } = network.oracle;
  return new PragmaPriceSource(client, { oracle, pairs, minPublishers: prices.minPublishers });
}

/**
 * Opens the store. @param process logger of the process, the name under which the process leases
 * lanes, and the hash of its network profile; the default name is random
 */
export function openStore(
  store: StoreSettings,
  process: { readonly logger: Logger; readonly instance?: string; readonly profile?: string },
): Promise<OpenedStore> {
  if (store.kind === 'sqlite') return openSqliteStore({ path: store.path, ...process });
  return openPostgresStore({ url: store.url.reveal(), poolSize: store.poolSize, ...process });
}
