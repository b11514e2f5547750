import {
  CALLED_ENTRYPOINTS,
  NodeClient,
  PragmaPriceSource,
  SeenNonces,
  StarknetAccountCheck,
  StarknetAccountHistory,
  StarknetAccountSigner,
  StarknetBlockClock,
  StarknetBroadcaster,
  StarknetCallSimulator,
  StarknetChainReader,
  StarknetPoolHistory,
  StarknetGasPriceSource,
  StarknetNodeHealthCheck,
  StarknetNonceHistory,
  StarknetPoolReader,
  StarknetPoolStatusReader,
  StarknetQuoteSigner,
  StarknetSpentNullifiers,
  StarknetSwapLeaves,
} from '@sotto/adapter-starknet';
import { Clock, type Felt } from '@sotto/kernel';
import {
  BlockClock,
  CallSimulator,
  PoolHistory,
  GasPriceSource,
  PoolReader,
  PoolStatusReader,
  QuoteSigner,
  SpentNullifiers,
  SwapLeaves,
} from '@sotto/relayer-core';
import { AccountCheck, AccountHistory, Broadcaster, ChainReader, NonceHistory, TransactionSigner } from '@sotto/submission-core';
import type { Settings } from '../config/settings.js';
import { AccountSignerToken, NodeClientToken, NodeHealthCheckToken, OraclePricesToken } from './bindings.js';
import { AppModule } from './container.js';
import { lanesOf } from './lanes.js';

type StarknetModuleSettings = Pick<Settings, 'node' | 'network' | 'relay' | 'swap' | 'curator' | 'prices'>;

/** Everything that is asked of, or sent to, the Starknet node. */
export const starknetModule = ({ node, network, relay, swap, curator, prices }: StarknetModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const signing = keysOf({ relay, swap, curator });
    const seenNonces = new SeenNonces();
    bind(NodeClientToken)
      .toDynamicValue(
        () => new NodeClient({ url: node.url.reveal(), readTimeoutMs: node.readTimeoutMs, sendTimeoutMs: node.sendTimeoutMs }),
      )
      .inSingletonScope()
      .onDeactivation((client) => client.close());
    bind(NodeHealthCheckToken).toResolvedValue((client: NodeClient) => new StarknetNodeHealthCheck(client), [NodeClientToken]);
    bind(Broadcaster).toResolvedValue((client: NodeClient) => new StarknetBroadcaster(client), [NodeClientToken]);
    bind(ChainReader).toResolvedValue(
      (client: NodeClient, clock: Clock) => new StarknetChainReader(client, { feeToken: network.tokens.STRK.address, seenNonces, clock }),
      [NodeClientToken, Clock],
    );
    bind(NonceHistory).toResolvedValue((client: NodeClient) => new StarknetNonceHistory(client), [NodeClientToken]);
    bind(AccountHistory).toResolvedValue(
      (client: NodeClient) => new StarknetAccountHistory(client, { entrypoints: calledEntrypoints(network) }),
      [NodeClientToken],
    );
    bind(SpentNullifiers).toResolvedValue(
      (client: NodeClient) =>
        new StarknetSpentNullifiers(client, { deployedAt: deploymentsOf(network), swapPool: network.swapPool?.address ?? null }),
      [NodeClientToken],
    );
    bind(PoolHistory).toResolvedValue(
      (client: NodeClient) =>
        new StarknetPoolHistory(client, { deployedAt: new Map(network.pools.map(({ address, deployedAt }) => [address, deployedAt])) }),
      [NodeClientToken],
    );
    bind(AccountCheck).toResolvedValue((client: NodeClient) => new StarknetAccountCheck(client, signing), [NodeClientToken]);
    bind(PoolReader).toResolvedValue(
      (client: NodeClient) => new StarknetPoolReader(client, network.entrypoints.pool, network.swapPool?.address ?? null),
      [NodeClientToken],
    );
    bind(SwapLeaves).toResolvedValue((client: NodeClient) => new StarknetSwapLeaves(client), [NodeClientToken]);
    bind(CallSimulator).toResolvedValue((client: NodeClient) => new StarknetCallSimulator(client, seenNonces), [NodeClientToken]);
    bind(GasPriceSource).toResolvedValue(
      (client: NodeClient, clock: Clock) => new StarknetGasPriceSource(client, { clock }),
      [NodeClientToken, Clock],
    );
    bind(PoolStatusReader).toResolvedValue(
      (client: NodeClient) => new StarknetPoolStatusReader(client, network.entrypoints.pool),
      [NodeClientToken],
    );
    bind(BlockClock).toResolvedValue(
      (client: NodeClient, clock: Clock) => new StarknetBlockClock(client, { clock }),
      [NodeClientToken, Clock],
    );
    bind(OraclePricesToken).toResolvedValue(
      (client: NodeClient) => {
        const { address: oracle, pairs } = network.oracle;
        return new PragmaPriceSource(client, { oracle, pairs, minPublishers: prices.minPublishers });
      },
      [NodeClientToken],
    );
    bind(QuoteSigner).toDynamicValue(() => {
      const [first] = relay.accounts;
      if (first === undefined) throw new Error('the settings let an empty list of accounts through');
      return new StarknetQuoteSigner({ address: first.address, privateKey: first.privateKey.reveal() });
    });
    bind(AccountSignerToken)
      .toDynamicValue(async () => {
        const signer = new StarknetAccountSigner({ chainId: network.chainId, accounts: signing });
        await signer.warmUp();
        return signer;
      })
      .inSingletonScope()
      .onDeactivation((signer) => signer.close());
    bind(TransactionSigner).toResolvedValue((signer: StarknetAccountSigner) => signer, [AccountSignerToken]);
  });

/** Calls that a transaction of ours may hold; a profile may name a vault's entry point otherwise than the specification does. */
function calledEntrypoints({ vaults }: Settings['network']): readonly string[] {
  return [...new Set([...CALLED_ENTRYPOINTS, ...vaults.flatMap(({ entrypoint }) => entrypoint ?? [])])];
}

/** Blocks in which pools were deployed. */
function deploymentsOf({ pools, swapPool }: Settings['network']): ReadonlyMap<Felt, number> {
  const all = [...pools, ...(swapPool === undefined ? [] : [swapPool])];
  return new Map(all.map(({ address, deployedAt }) => [address, deployedAt]));
}

/** Accounts with their keys. */
function keysOf(settings: Parameters<typeof lanesOf>[0]) {
  return lanesOf(settings).map(({ address, privateKey }) => ({ address, privateKey: privateKey.reveal() }));
}
