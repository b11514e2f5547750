import {
  NodeClient,
  StarknetConsentCheck,
  StarknetDepositReader,
  StarknetPoolDeposits,
} from '@sotto/adapter-starknet';
import { OpenedStore } from '@sotto/adapter-store';
import { Clock } from '@sotto/kernel';
import {
  CallSimulator,
  ConsentCheck,
  DepositFunds,
  DepositOutcomes,
  DepositReader,
  DepositRevalidator,
  GetPoolStatus,
  NetworkRations,
  PoolCircuitBreaker,
  PoolDeposits,
  PoolReader,
  PoolTraffic,
  RelayDeposit,
  Revalidators,
  SpentNotes,
  TrafficBook,
  WithdrawalRevalidator,
} from '@sotto/relayer-core';
import { Ledger, Revalidator, Submissions } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';
import { servedPools } from '@sotto/network-profile';

/** Deposits, and what keeps them and withdrawals out of one another's way. */
export const depositModule = ({
  network,
  relay,
  guards,
}: Pick<Settings, 'network' | 'relay' | 'guards'>): AppModule =>
  new AppModule(({ bind }) => {
    const pools = servedPools(network);
    const { chainId } = network;
    const { deposits: rations } = guards;

    bind(DepositReader).toResolvedValue(
      (client: NodeClient) => new StarknetDepositReader(client, network.entrypoints.pool),
      [NodeClient],
    );
    bind(ConsentCheck).toResolvedValue(
      (client: NodeClient) => new StarknetConsentCheck(client, network.legacyAccountClasses),
      [NodeClient],
    );
    bind(PoolDeposits).toResolvedValue(
      (client: NodeClient) => new StarknetPoolDeposits(client),
      [NodeClient],
    );
    bind(TrafficBook).toResolvedValue((opened: OpenedStore) => opened.traffic, [OpenedStore]);
    bind(PoolTraffic).toResolvedValue(
      (book: TrafficBook, ledger: Ledger, clock: Clock) => new PoolTraffic(book, ledger, clock),
      [TrafficBook, Ledger, Clock],
    );
    bind(DepositFunds).toResolvedValue(
      (getPoolStatus: GetPoolStatus) => new DepositFunds(getPoolStatus, pools),
      [GetPoolStatus],
    );
    bind(DepositOutcomes).toResolvedValue(
      (deposits: PoolDeposits, clock: Clock) => new DepositOutcomes(deposits, clock),
      [PoolDeposits, Clock],
    );
    bind(Revalidator).toResolvedValue(
      (
        poolReader: PoolReader,
        spentNotes: SpentNotes,
        traffic: PoolTraffic,
        clock: Clock,
        reader: DepositReader,
        ledger: Ledger,
        funds: DepositFunds,
      ) =>
        new Revalidators([
          new WithdrawalRevalidator(poolReader, spentNotes, traffic, clock),
          new DepositRevalidator(reader, ledger, traffic, funds, pools),
        ]),
      [PoolReader, SpentNotes, PoolTraffic, Clock, DepositReader, Ledger, DepositFunds],
    );
    bind(RelayDeposit).toResolvedValue(
      (
        reader: DepositReader,
        consents: ConsentCheck,
        simulator: CallSimulator,
        submissions: Submissions,
        clock: Clock,
        guard: PoolCircuitBreaker,
        traffic: PoolTraffic,
        funds: DepositFunds,
        outcomes: DepositOutcomes,
      ) => {
        const [account] = relay.accounts;
        if (account === undefined)
          throw new Error('the settings let an empty list of accounts through');
        const networks = new NetworkRations(clock, rations.perNetwork);
        return new RelayDeposit(
          { reader, consents, simulator, submissions, clock },
          { guard, traffic, funds, networks },
          outcomes,
          {
            chainId,
            pools,
            relayAccount: account.address,
            rations,
          },
        );
      },
      [
        ...([DepositReader, ConsentCheck, CallSimulator, Submissions, Clock] as const),
        ...([PoolCircuitBreaker, PoolTraffic, DepositFunds, DepositOutcomes] as const),
      ],
    );
  });
