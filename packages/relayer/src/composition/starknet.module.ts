import {
  CALLED_ENTRYPOINTS,
  NodeClient,
  PragmaPriceSource,
  SeenNonces,
  StarknetAccountCheck,
  StarknetAccountHistory,
  StarknetAccountSigner,
  StarknetBroadcaster,
  StarknetCallSimulator,
  StarknetChainReader,
  StarknetLatestBlock,
  StarknetNodeHealthCheck,
  StarknetNonceHistory,
  StarknetPoolHistory,
  StarknetPoolReader,
  StarknetTypedDataSigner,
  StarknetSpentNullifiers,
  StarknetSwapLeaves,
} from '@sotto/adapter-starknet';
import { Clock } from '@sotto/kernel';
import { deploymentBlocks } from '@sotto/network-profile';
import {
  CallSimulator,
  LatestBlock,
  PoolHistory,
  PoolReader,
  TypedDataSigner,
  SpentNullifiers,
  SwapLeaves,
} from '@sotto/relayer-core';
import {
  AccountCheck,
  AccountHistory,
  Broadcaster,
  ChainReader,
  NodeHealthCheck,
  NonceHistory,
  TransactionSigner,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { OraclePrices } from './bindings.js';
import { AppModule } from './container.js';

type StarknetModuleSettings = Pick<Settings, 'node' | 'network' | 'relay' | 'lanes' | 'prices'>;

/** Everything that is asked of, or sent to, the Starknet node. */
export const starknetModule = ({
  node,
  network,
  relay,
  lanes,
  prices,
}: StarknetModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const signing = lanes.map(({ address, privateKey }) => ({
      address,
      privateKey: privateKey.reveal(),
    }));
    const seenNonces = new SeenNonces();
    bind(NodeClient)
      .toDynamicValue(
        () =>
          new NodeClient({
            url: node.url.reveal(),
            readTimeoutMs: node.readTimeoutMs,
            sendTimeoutMs: node.sendTimeoutMs,
          }),
      )
      .inSingletonScope()
      .onDeactivation((client) => client.close());
    bind(NodeHealthCheck).toResolvedValue(
      (client) => new StarknetNodeHealthCheck(client),
      [NodeClient],
    );
    bind(Broadcaster).toResolvedValue((client) => new StarknetBroadcaster(client), [NodeClient]);
    bind(ChainReader).toResolvedValue(
      (client, clock) =>
        new StarknetChainReader(client, {
          feeToken: network.tokens.STRK.address,
          seenNonces,
          clock,
        }),
      [NodeClient, Clock],
    );
    bind(NonceHistory).toResolvedValue((client) => new StarknetNonceHistory(client), [NodeClient]);
    bind(AccountHistory).toResolvedValue(
      (client) => new StarknetAccountHistory(client, { entrypoints: calledEntrypoints(network) }),
      [NodeClient],
    );
    bind(SpentNullifiers).toResolvedValue(
      (client) =>
        new StarknetSpentNullifiers(client, {
          deployedAt: deploymentBlocks(network),
          swapPool: network.swapPool?.address ?? null,
        }),
      [NodeClient],
    );
    bind(PoolHistory).toResolvedValue(
      (client) =>
        new StarknetPoolHistory(client, {
          deployedAt: new Map(
            network.pools.map(({ address, deployedAt }) => [address, deployedAt]),
          ),
        }),
      [NodeClient],
    );
    bind(AccountCheck).toResolvedValue(
      (client) => new StarknetAccountCheck(client, signing),
      [NodeClient],
    );
    bind(PoolReader).toResolvedValue(
      (client) =>
        new StarknetPoolReader(client, network.entrypoints.pool, network.swapPool?.address ?? null),
      [NodeClient],
    );
    bind(SwapLeaves).toResolvedValue((client) => new StarknetSwapLeaves(client), [NodeClient]);
    bind(CallSimulator).toResolvedValue(
      (client) => new StarknetCallSimulator(client, seenNonces),
      [NodeClient],
    );
    bind(LatestBlock).toResolvedValue(
      (client, clock) => new StarknetLatestBlock(client, clock),
      [NodeClient, Clock],
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
      [NodeClient],
    );
    bind(TypedDataSigner).toDynamicValue(() => {
      const { address, privateKey } = relay.firstAccount;
      return new StarknetTypedDataSigner({ address, privateKey: privateKey.reveal() });
    });
    bind(StarknetAccountSigner)
      .toDynamicValue(async () => {
        const signer = new StarknetAccountSigner({ chainId: network.chainId, accounts: signing });
        await signer.warmUp();
        return signer;
      })
      .inSingletonScope()
      .onDeactivation((signer) => signer.close());
    bind(TransactionSigner).toResolvedValue((signer) => signer, [StarknetAccountSigner]);
  });

/**
 * Calls that a transaction of ours may hold; a profile may name a vault's entry point otherwise
 * than the specification does.
 */
function calledEntrypoints({ vaults }: Settings['network']): readonly string[] {
  return [
    ...new Set([...CALLED_ENTRYPOINTS, ...vaults.flatMap(({ entrypoint }) => entrypoint ?? [])]),
  ];
}
