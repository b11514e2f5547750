import {
  AccountKeys,
  LeadingCalls,
  NodeSet,
  SeenNonces,
  StarknetAccountCheck,
  StarknetAccountSigner,
  StarknetBroadcaster,
  StarknetCallSimulator,
  StarknetChainEvents,
  StarknetChainReader,
  StarknetLatestBlock,
  StarknetNode,
  StarknetNodeHealthCheck,
  StarknetNonceHistory,
  StarknetPoolEvents,
  StarknetPrivacyPoolReader,
  StarknetTypedDataSigner,
  UntrustedNode,
} from '@sotto/adapter-starknet';
import { Clock, Logger } from '@sotto/kernel';
import { deploymentBlocks } from '@sotto/network-profile';
import {
  CallSimulator,
  LatestBlock,
  AccountCheck,
  AccountHistory,
  Broadcaster,
  ChainEvents,
  ChainReader,
  NodeHealthCheck,
  NonceHistory,
  TransactionSigner,
} from '@sotto/submission-core';
import {
  NodeDirectory,
  PoolEvents,
  PoolReader,
  PrivacyPoolReader,
  TypedDataSigner,
} from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { accountKeys } from './account-keys.js';
import { OraclePrices, UntrustedSimulations } from './bindings.js';
import { AppModule, assemble, every } from './container.js';
import {
  accountHistory,
  accountSigner,
  nodeClient,
  oraclePrices,
  poolReader,
} from './factories.js';
import { workerThreads } from './worker-threads.js';

type UntrustedLimits = Omit<ConstructorParameters<typeof UntrustedNode>[1], 'inUse'>;
/**
 * Returns the limits of a simulation that runs contracts which the caller chose. The deadline is
 * half of the deadline of a read, because such contracts may be slow. A trace of private actions
 * has some hundred kilobytes.
 */
const simulationLimits = ({ readTimeoutMs }: Settings['node']): UntrustedLimits => ({
  deadlineMs: readTimeoutMs / 2,
  maxResponseBytes: 4 * 2 ** 20,
});

type StarknetModuleSettings = Pick<
  Settings,
  'node' | 'network' | 'relay' | 'lanes' | 'signer' | 'prices'
>;

/** Binds the Starknet node: its reads and the sending of transactions. */
export const starknetModule = ({
  node,
  network,
  relay,
  lanes,
  signer,
  prices,
}: StarknetModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const seenNonces = new SeenNonces();
    bind(NodeSet)
      .toResolvedValue(
        (clock, logger) =>
          new NodeSet(endpointsOf(node), {
            chainId: network.chainId,
            accounts: lanes.map(({ address }) => address),
            clock,
            logger,
          }),
        [Clock, Logger],
      )
      .inSingletonScope()
      .onDeactivation((nodes) => nodes.close());
    const { endpoints } = node;
    bind(UntrustedNode)
      .toResolvedValue((nodes) => untrustedNode(endpoints, nodes), [NodeSet])
      .inSingletonScope()
      .onDeactivation((untrusted) => untrusted.close());
    bind(UntrustedSimulations)
      .toResolvedValue(
        (nodes) => untrustedNode(endpoints, nodes, simulationLimits(node)),
        [NodeSet],
      )
      .inSingletonScope()
      .onDeactivation((simulations) => simulations.close());
    bind(StarknetNode).toResolvedValue((nodes) => nodes, [NodeSet]);
    bind(NodeDirectory).toResolvedValue((nodes) => nodes, [NodeSet]);
    provide.as(NodeHealthCheck, StarknetNodeHealthCheck, [StarknetNode]);
    provide.as(Broadcaster, StarknetBroadcaster, [NodeSet]);
    bind(ChainReader).toResolvedValue(
      (nodes, clock) =>
        new StarknetChainReader(nodes, {
          otherNode: (name) => nodes.other(name),
          nodes: () => nodes.working(),
          feeToken: network.tokens.STRK.address,
          seenNonces,
          clock,
        }),
      [NodeSet, Clock],
    );
    bind(ChainEvents).toResolvedValue(
      (clock, logger) =>
        new StarknetChainEvents(
          node.push.map(({ name, url }) => ({ name, url: url.reveal() })),
          { chainId: network.chainId, clock, logger },
        ),
      [Clock, Logger],
    );
    provide.as(NonceHistory, StarknetNonceHistory, [StarknetNode]);
    bind(AccountHistory).toResolvedValue(
      (client) => accountHistory(client, network),
      [StarknetNode],
    );
    provide.as(PoolEvents, StarknetPoolEvents, [StarknetNode], {
      deployedAt: deploymentBlocks(network),
      swapPool: network.swapPool?.address ?? null,
    });
    provide.as(AccountCheck, StarknetAccountCheck, [StarknetNode, AccountKeys]);
    bind(PoolReader).toResolvedValue((client) => poolReader(client, network), [StarknetNode]);
    provide.as(PrivacyPoolReader, StarknetPrivacyPoolReader, [StarknetNode]);
    provide.as(CallSimulator, StarknetCallSimulator, [StarknetNode], seenNonces);
    provide.as(LatestBlock, StarknetLatestBlock, [StarknetNode, Clock]);
    bind(OraclePrices).toResolvedValue(
      (client) => oraclePrices(client, { network, prices }),
      [StarknetNode],
    );
    bind(AccountKeys)
      .toDynamicValue(() => accountKeys({ signer, lanes, network }))
      .inSingletonScope()
      .onDeactivation((keys) => keys.close());
    provide.as(TypedDataSigner, StarknetTypedDataSigner, [AccountKeys], relay.firstAccount.address);
    assemble(
      bind(StarknetAccountSigner),
      { keys: AccountKeys, leading: every(LeadingCalls) },
      async ({ keys, leading: [leadingCalls] }) => {
        const signing = accountSigner({
          chainId: network.chainId,
          keys,
          threads: workerThreads(),
          ...(leadingCalls === undefined ? {} : { leadingCalls }),
        });
        await signing.warmUp();
        return signing;
      },
    )
      .inSingletonScope()
      .onDeactivation((signing) => signing.close());
    bind(TransactionSigner).toResolvedValue((signing) => signing, [StarknetAccountSigner]);
  });

/** Creates a client for calls of untrusted contracts. The client sends to the node in use. */
const untrustedNode = (
  endpoints: Settings['node']['endpoints'],
  nodes: NodeSet,
  limits: UntrustedLimits = {},
): UntrustedNode =>
  new UntrustedNode(
    endpoints.map(({ name, url }) => ({ name, url: url.reveal() })),
    { inUse: () => nodes.nodeForSend(null), ...limits },
  );

function endpointsOf({ endpoints, ...timeouts }: Settings['node']) {
  return endpoints.map(({ name, url }) => ({ name, client: nodeClient(url.reveal(), timeouts) }));
}
