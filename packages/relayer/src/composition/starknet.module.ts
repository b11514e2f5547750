import {
  AccountKeys,
  CALLED_ENTRYPOINTS,
  LeadingCalls,
  NodeClient,
  NodeSet,
  PragmaPriceSource,
  SeenNonces,
  StarknetAccountCheck,
  StarknetAccountHistory,
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
  StarknetPoolReader,
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
import { NodeDirectory, PoolEvents, PoolReader, TypedDataSigner } from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { accountKeys } from './account-keys.js';
import { OraclePrices } from './bindings.js';
import { AppModule, assemble, every } from './container.js';
import { guardCallsOf } from './guard-calls.js';
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
      (client) =>
        new StarknetAccountHistory(client, {
          entrypoints: calledEntrypoints(network),
          // A guard that is not used any more may stand in blocks that are still read.
          guardCalls: guardCallsOf(network),
        }),
      [StarknetNode],
    );
    bind(PoolEvents).toResolvedValue(
      (client) =>
        new StarknetPoolEvents(client, {
          deployedAt: deploymentBlocks(network),
          swapPool: network.swapPool?.address ?? null,
        }),
      [StarknetNode],
    );
    bind(AccountCheck).toResolvedValue(
      (client, keys) => new StarknetAccountCheck(client, keys),
      [StarknetNode, AccountKeys],
    );
    bind(PoolReader).toResolvedValue(
      (client) =>
        new StarknetPoolReader(client, network.entrypoints.pool, network.swapPool?.address ?? null),
      [StarknetNode],
    );
    bind(CallSimulator).toResolvedValue(
      (client) => new StarknetCallSimulator(client, seenNonces),
      [StarknetNode],
    );
    bind(LatestBlock).toResolvedValue(
      (client, clock) => new StarknetLatestBlock(client, clock),
      [StarknetNode, Clock],
    );
    bind(OraclePrices).toResolvedValue(
      (client) => {
        const { address: oracle, pairs } = network.oracle;
        return new PragmaPriceSource(client, {
          oracle,
          pairs,
          minPublishers: prices.minPublishers,
        });
      },
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
        const accountSigner = new StarknetAccountSigner({
          chainId: network.chainId,
          keys,
          threads: workerThreads(),
          ...(leadingCalls === undefined ? {} : { leadingCalls }),
        });
        await accountSigner.warmUp();
        return accountSigner;
      },
    )
      .inSingletonScope()
      .onDeactivation((accountSigner) => accountSigner.close());
    bind(TransactionSigner).toResolvedValue(
      (accountSigner) => accountSigner,
      [StarknetAccountSigner],
    );
  });

function endpointsOf({ endpoints, readTimeoutMs, sendTimeoutMs }: Settings['node']) {
  return endpoints.map(({ name, url }) => ({
    name,
    client: new NodeClient({ url: url.reveal(), readTimeoutMs, sendTimeoutMs }),
  }));
}

/**
 * Calls that a transaction of ours may hold; a profile may name a vault's entry point otherwise
 * than the specification does.
 */
function calledEntrypoints({ vaults }: Settings['network']): readonly string[] {
  return [
    ...new Set([...CALLED_ENTRYPOINTS, ...vaults.flatMap(({ entrypoint }) => entrypoint ?? [])]),
  ];
}
