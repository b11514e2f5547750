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
  StarknetPoolHistory,
  StarknetTypedDataSigner,
  StarknetSpentNullifiers,
  StarknetSwapLeaves,
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
  PoolHistory,
  PoolReader,
  TypedDataSigner,
  SpentNullifiers,
  SwapLeaves,
} from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { accountKeys } from './account-keys.js';
import { OraclePrices } from './bindings.js';
import { AppModule, assemble, every } from './container.js';
import {
  accountHistory,
  accountSigner,
  nodeClient,
  oraclePrices,
  poolReader,
} from './factories.js';
import { workerThreads } from './worker-threads.js';

type StarknetModuleSettings = Pick<
  Settings,
  'node' | 'network' | 'relay' | 'lanes' | 'signer' | 'prices'
>;

/** Everything that is asked of, or sent to, the Starknet node. */
export const starknetModule = ({
  node,
  network,
  relay,
  lanes,
  signer,
  prices,
}: StarknetModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
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
    bind(UntrustedNode)
      .toResolvedValue(
        (nodes) =>
          new UntrustedNode(
            node.endpoints.map(({ name, url }) => ({ name, url: url.reveal() })),
            { inUse: () => nodes.nodeForSend(null) },
          ),
        [NodeSet],
      )
      .inSingletonScope()
      .onDeactivation((untrusted) => untrusted.close());
    bind(StarknetNode).toResolvedValue((nodes) => nodes, [NodeSet]);
    bind(NodeDirectory).toResolvedValue((nodes) => nodes, [NodeSet]);
    bind(NodeHealthCheck).toResolvedValue(
      (client) => new StarknetNodeHealthCheck(client),
      [StarknetNode],
    );
    bind(Broadcaster).toResolvedValue((client) => new StarknetBroadcaster(client), [NodeSet]);
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
    bind(ChainEvents)
      .toResolvedValue(
        (clock, logger) =>
          new StarknetChainEvents(
            node.push.map(({ name, url }) => ({ name, url: url.reveal() })),
            { chainId: network.chainId, clock, logger },
          ),
        [Clock, Logger],
      )
      .inSingletonScope();
    bind(NonceHistory).toResolvedValue(
      (client) => new StarknetNonceHistory(client),
      [StarknetNode],
    );
    bind(AccountHistory).toResolvedValue(
      (client) => accountHistory(client, network),
      [StarknetNode],
    );
    bind(SpentNullifiers).toResolvedValue(
      (client) =>
        new StarknetSpentNullifiers(client, {
          deployedAt: deploymentBlocks(network),
          swapPool: network.swapPool?.address ?? null,
        }),
      [StarknetNode],
    );
    bind(PoolHistory).toResolvedValue(
      (client) =>
        new StarknetPoolHistory(client, {
          deployedAt: new Map(
            network.pools.map(({ address, deployedAt }) => [address, deployedAt]),
          ),
        }),
      [StarknetNode],
    );
    bind(AccountCheck).toResolvedValue(
      (client, keys) => new StarknetAccountCheck(client, keys),
      [StarknetNode, AccountKeys],
    );
    bind(PoolReader).toResolvedValue((client) => poolReader(client, network), [StarknetNode]);
    bind(SwapLeaves).toResolvedValue((client) => new StarknetSwapLeaves(client), [StarknetNode]);
    bind(CallSimulator).toResolvedValue(
      (client) => new StarknetCallSimulator(client, seenNonces),
      [StarknetNode],
    );
    bind(LatestBlock).toResolvedValue(
      (client, clock) => new StarknetLatestBlock(client, clock),
      [StarknetNode, Clock],
    );
    bind(OraclePrices).toResolvedValue(
      (client) => oraclePrices(client, { network, prices }),
      [StarknetNode],
    );
    bind(AccountKeys)
      .toDynamicValue(() => accountKeys({ signer, lanes, network }))
      .inSingletonScope()
      .onDeactivation((keys) => keys.close());
    bind(TypedDataSigner).toResolvedValue(
      (keys) => new StarknetTypedDataSigner(keys, relay.firstAccount.address),
      [AccountKeys],
    );
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

function endpointsOf({ endpoints, ...timeouts }: Settings['node']) {
  return endpoints.map(({ name, url }) => ({ name, client: nodeClient(url.reveal(), timeouts) }));
}
