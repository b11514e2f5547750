import {
  HeldKeys,
  StarknetAccountCheck,
  StarknetChainReader,
  StarknetContractClasses,
  StarknetContractOwner,
  StarknetNodeHealthCheck,
  type AccountKeys,
} from '@sotto/adapter-starknet';
import { silentLogger, systemClock } from '@sotto/kernel';
import type { NetworkProfile } from '@sotto/network-profile';
import { accountKeys } from '../composition/account-keys.js';
import {
  accountHistory,
  accountSigner,
  nodeClient,
  openStore,
  oraclePrices,
  poolReader,
  type NodeTimeouts,
} from '../composition/factories.js';
import { configuredPriceSources } from '../composition/price-sources.js';
import { workerThreads } from '../composition/worker-threads.js';
import type { Settings, StoreSettings } from '../environment/settings.js';
import { ledgerInspection } from './ledger-files.js';
import { pushProblem } from './push-problem.js';

/** Components of the service that an operator's command uses. */
export type Parts = ReturnType<typeof openParts>;
/** Components that read through one node. */
export type NodeParts = ReturnType<typeof nodePartsOf>;

/**
 * Opens components as the service does, with the same factories. Each component is built when its
 * function is called. So if one component is broken, only its own call fails, and the other
 * components remain usable.
 * @param timeouts replace the timeouts of the settings
 */
export function openParts(settings: Settings, timeouts: NodeTimeouts = settings.node) {
  const { node, network, store } = settings;
  return {
    /**
     * For each node, the components that read through this node, in the sequence of the settings.
     */
    nodes: () => node.endpoints.map(({ url }) => nodePartsOf(url.reveal(), timeouts, settings)),
    /** Keys of the accounts: keys of the signer, or keys in the settings. */
    keys: () => accountKeys(settings),
    /** Sources of market prices other than the oracle. */
    otherPrices: () => configuredPriceSources(settings).map(({ open }) => open(systemClock)),
    /** Returns the reason why a node does not push messages; null if it pushes. */
    pushProblem: (url: string, withinMs: number) => pushProblem(settings, url, withinMs),
    /** Reader of the ledger that changes nothing. */
    ledger: () => ledgerInspection(store),
    /** Starts the threads that hash calldata, and ends them, to test whether they work. */
    async tryHashWorkers() {
      const { chainId } = network;
      const signer = accountSigner({ chainId, keys: new HeldKeys([]), threads: workerThreads() });
      try {
        await signer.warmUp();
      } finally {
        await signer.close();
      }
    },
  };
}

function nodePartsOf(url: string, timeouts: NodeTimeouts, settings: Settings) {
  const client = nodeClient(url, timeouts);
  const { network } = settings;
  return {
    /** Address of the node; secret, because it may contain an access key. */
    url,
    health: () => new StarknetNodeHealthCheck(client),
    reader: () => new StarknetChainReader(client, { feeToken: network.tokens.STRK.address }),
    accountCheck: (keys: AccountKeys) => new StarknetAccountCheck(client, keys),
    pools: () => poolReader(client, network),
    classes: () => new StarknetContractClasses(client),
    owners: () => new StarknetContractOwner(client),
    oracle: () => oraclePrices(client, settings),
    close: () => client.close(),
  };
}

/** Subjects of an audit: one node, one ledger, and the network if the settings contain it. */
export interface AuditedPlace {
  readonly store: StoreSettings;
  readonly node: NodeTimeouts & { readonly url: string };
  readonly network: NetworkProfile | null;
}

/**
 * Creates the components that audit the ledger. The store has a random instance name and no log.
 */
export function auditParts({ store, node: { url, ...timeouts }, network }: AuditedPlace) {
  const client = nodeClient(url, timeouts);
  return {
    history: () => accountHistory(client, network),
    reader: () => new StarknetChainReader(client),
    openStore: () => openStore(store, { logger: silentLogger }),
    close: () => client.close(),
  };
}
