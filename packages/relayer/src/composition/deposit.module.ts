import { StarknetNode, StarknetConsentCheck, UntrustedNode } from '@sotto/adapter-starknet';
import { PurchaseRevalidator } from '@sotto/dca-core';
import { Clock } from '@sotto/kernel';
import {
  CallSimulator,
  LatestBlock,
  Ledger,
  Revalidator,
  Submissions,
} from '@sotto/submission-core';
import {
  ConsentCheck,
  DepositFunds,
  DepositLosses,
  DepositOutcomes,
  DepositRevalidator,
  GetPoolStatus,
  NetworkRations,
  PoolCircuitBreaker,
  PoolEvents,
  PoolReader,
  PoolTraffic,
  PrivateActionRevalidator,
  RelayDeposit,
  Revalidators,
  SettlementWindow,
  SpentNotes,
  TrafficStore,
  WithdrawalRevalidator,
} from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { SwapRevalidation } from './bindings.js';
import { AppModule, assemble, every } from './container.js';
import { servedPools } from '@sotto/network-profile';

/**
 * Time in ms for which the simulation of a purchase's execution remains valid before its
 * submission.
 */
const EXECUTION_FRESH_MS = 5_000;

/**
 * Binds deposits. Also binds the rules that prevent deposits from blocking withdrawals and
 * withdrawals from blocking deposits.
 */
export const depositModule = ({
  network,
  relay,
  guards,
  keeper,
}: Pick<Settings, 'network' | 'relay' | 'guards' | 'keeper'>): AppModule =>
  new AppModule(({ bind, provide }) => {
    const pools = servedPools(network);
    const { chainId } = network;
    const { deposits: rations } = guards;
    const [keepersAccount] = keeper.accounts;

    provide.as(
      ConsentCheck,
      StarknetConsentCheck,
      [StarknetNode, UntrustedNode],
      network.legacyAccountClasses,
    );
    provide(PoolTraffic, [TrafficStore, Ledger, Clock]);
    provide(DepositFunds, [GetPoolStatus], pools);
    provide(DepositOutcomes, [PoolEvents, Clock]);
    assemble(
      bind(Revalidator),
      {
        poolReader: PoolReader,
        spentNotes: SpentNotes,
        traffic: PoolTraffic,
        clock: Clock,
        ledger: Ledger,
        funds: DepositFunds,
        simulator: CallSimulator,
        swaps: SwapRevalidation,
        privateActions: every(PrivateActionRevalidator),
      },
      ({
        poolReader,
        spentNotes,
        traffic,
        clock,
        ledger,
        funds,
        simulator,
        swaps,
        privateActions,
      }) =>
        new Revalidators([
          new WithdrawalRevalidator(poolReader, spentNotes, traffic, clock),
          swaps,
          new DepositRevalidator(poolReader, ledger, traffic, funds, pools),
          ...privateActions,
          ...(keepersAccount === undefined
            ? []
            : [
                new PurchaseRevalidator(
                  { ledger, simulator, clock },
                  { account: keepersAccount.address, freshMs: EXECUTION_FRESH_MS },
                ),
              ]),
        ]),
    );
    assemble(
      bind(RelayDeposit),
      {
        reader: PoolReader,
        consents: ConsentCheck,
        simulator: CallSimulator,
        latestBlock: LatestBlock,
        submissions: Submissions,
        clock: Clock,
        guard: PoolCircuitBreaker,
        traffic: PoolTraffic,
        funds: DepositFunds,
        outcomes: DepositOutcomes,
        view: SettlementWindow,
      },
      ({ guard, traffic, funds, outcomes, view, ...ports }) => {
        const networks = new NetworkRations(ports.clock, rations);
        const losses = new DepositLosses(view, networks, ports.clock, guards.limits);
        return new RelayDeposit(ports, { guard, traffic, funds, networks, losses }, outcomes, {
          chainId,
          pools,
          relayAccount: relay.firstAccount.address,
          rations,
          knownAccountClasses: network.knownAccountClasses,
        });
      },
    );
  });
