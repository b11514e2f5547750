import { HttpBridgeProtocol, OneClickBridgeProtocol } from '@sotto/adapter-http/bridge';
import {
  BridgeProtocol,
  GetTransferStatus,
  ListRoutes,
  QuoteTransfer,
  TransferStore,
} from '@sotto/bridge-core';
import { Clock, UpstreamBudget, type Felt } from '@sotto/kernel';
import { notRecipients } from '@sotto/network-profile';
import { MarketPrices } from '@sotto/market-core';
import type { BridgeSettings, Settings } from '../environment/settings.js';
import { BridgeDisabled } from '../errors.js';
import { BridgeClient } from './bindings.js';
import { AppModule } from './container.js';
import { Partners } from './partners.js';

/** Budget of requests to the bridge's protocol, shared by quotes and statuses. */
class BridgeBudget extends UpstreamBudget {}

/** Maximum number of requests to the bridge's protocol that callers may cause within 10 seconds. */
const MOST_REQUESTS = 100;

/**
 * Binds transfers to and from other chains. If the settings name no bridge, the use cases reject
 * every request.
 */
export const bridgeModule = ({
  bridge,
  network,
}: Pick<Settings, 'bridge' | 'network'>): AppModule =>
  bridge === null ? withoutBridge : withBridge(bridge, notRecipients(network));

const refuse = (): never => {
  throw new BridgeDisabled();
};

const withoutBridge = new AppModule(({ bind }) => {
  bind<Pick<QuoteTransfer, 'execute'>>(QuoteTransfer).toConstantValue({
    execute: async () => refuse(),
  });
  bind<Pick<GetTransferStatus, 'execute'>>(GetTransferStatus).toConstantValue({
    execute: async () => refuse(),
  });
  bind<Pick<ListRoutes, 'execute'>>(ListRoutes).toConstantValue({ execute: refuse });
});

const withBridge = (
  { url, protocol, token }: BridgeSettings,
  contracts: readonly Felt[],
): AppModule =>
  new AppModule(({ bind, provide }) => {
    bind(BridgeClient)
      .toResolvedValue(
        (clock, partners) => {
          const headers = token === null ? {} : { Authorization: `Bearer ${token.reveal()}` };
          const upstream = { url: url.reveal(), headers, findings: partners.of('bridge') };
          return protocol === 'oneclick'
            ? new OneClickBridgeProtocol(upstream, clock)
            : new HttpBridgeProtocol(upstream);
        },
        [Clock, Partners],
      )
      .inSingletonScope()
      .onDeactivation((client) => client.close());
    bind(BridgeProtocol).toResolvedValue((client) => client, [BridgeClient]);
    bind(BridgeBudget).toResolvedValue((clock) => new BridgeBudget(MOST_REQUESTS, clock), [Clock]);
    bind(QuoteTransfer).toResolvedValue(
      (client, store, clock, budget, prices) =>
        new QuoteTransfer(client, store, clock, {
          budget,
          contracts,
          marketValue: (from, amount, to) => prices.worthOf(from, amount, to),
        }),
      [BridgeProtocol, TransferStore, Clock, BridgeBudget, MarketPrices],
    );
    provide(GetTransferStatus, [BridgeProtocol, TransferStore, Clock, BridgeBudget]);
    bind(ListRoutes).toConstantValue(new ListRoutes());
  });
