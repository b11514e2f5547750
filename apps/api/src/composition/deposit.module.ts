import { StarknetConsentCheck, StarknetDepositReader, StarknetPoolDeposits, type NodeClient } from '@sotto/adapter-starknet';
import type { OpenedStore } from '@sotto/adapter-store';
import { Clock } from '@sotto/kernel';
import {
  CallSimulator,
  ConsentCheck,
  DepositFunds,
  DepositOutcomes,
  DepositReader,
  DepositRevalidator,
  NetworkRations,
  PoolDeposits,
  PoolReader,
  PoolTraffic,
  Revalidators,
  RelayDeposit,
  TrafficBook,
  WithdrawalRevalidator,
  type PoolCircuitBreaker,
  type SpentNotes,
} from '@sotto/relayer-core';
import { Ledger, Revalidator, Submissions } from '@sotto/submission-core';
import type { Settings } from '../config/settings.js';
import {
  DepositFundsToken,
  DepositOutcomesToken,
  GetPoolStatusToken,
  NodeClientToken,
  OpenedStoreToken,
  PoolCircuitBreakerToken,
  PoolTrafficToken,
  RelayDepositToken,
  SpentNotesToken,
  type GetsPoolStatus,
} from './bindings.js';
import { AppModule } from './container.js';
import { servedPools } from './served-pools.js';

/** Deposits, and what keeps them and withdrawals out of one another's way. */
export const depositModule = ({ network, relay, guards }: Pick<Settings, 'network' | 'relay' | 'guards'>): AppModule =>
  new AppModule(({ bind }) => {
    const pools = servedPools(network);
    const { chainId } = network;
    const { deposits: rations } = guards;

    bind(DepositReader).toResolvedValue(
      (client: NodeClient) => new StarknetDepositReader(client, network.entrypoints.pool),
      [NodeClientToken],
    );
    bind(ConsentCheck).toResolvedValue(
      (client: NodeClient) => new StarknetConsentCheck(client, network.legacyAccountClasses),
      [NodeClientToken],
    );
    bind(PoolDeposits).toResolvedValue((client: NodeClient) => new StarknetPoolDeposits(client), [NodeClientToken]);
    bind(TrafficBook).toResolvedValue((opened: OpenedStore) => opened.traffic, [OpenedStoreToken]);
    bind(PoolTrafficToken).toResolvedValue(
      (book: TrafficBook, ledger: Ledger, clock: Clock) => new PoolTraffic(book, ledger, clock),
      [TrafficBook, Ledger, Clock],
    );
    bind(DepositFundsToken).toResolvedValue(
      (getPoolStatus: GetsPoolStatus) => new DepositFunds(getPoolStatus, pools),
      [GetPoolStatusToken],
    );
    bind(DepositOutcomesToken).toResolvedValue(
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
      [PoolReader, SpentNotesToken, PoolTrafficToken, Clock, DepositReader, Ledger, DepositFundsToken],
    );
    bind(RelayDepositToken).toResolvedValue(
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
        if (account === undefined) throw new Error('the settings let an empty list of accounts through');
        const networks = new NetworkRations(clock, rations.perNetwork);
        return new RelayDeposit({ reader, consents, simulator, submissions, clock }, { guard, traffic, funds, networks }, outcomes, {
          chainId,
          pools,
          relayAccount: account.address,
          rations,
        });
      },
      [
        ...([DepositReader, ConsentCheck, CallSimulator, Submissions, Clock] as const),
        ...([PoolCircuitBreakerToken, PoolTrafficToken, DepositFundsToken, DepositOutcomesToken] as const),
      ],
    );
  });
