import { WorkerProofVerifier } from '@sotto/groth16';
import { Clock, Logger, type Felt, unguessableId } from '@sotto/kernel';
import {
  BatchRule,
  DeployBatch,
  EstimateFee,
  FairSemaphore,
  GetPoolCrowd,
  GetPoolStatus,
  GetSubmission,
  IssueQuote,
  LearnGas,
  KnownLeaves,
  ListPools,
  LookUpSubmission,
  OutstandingQuotes,
  PoolCircuitBreaker,
  PoolTraffic,
  PoolEvents,
  PoolReader,
  ProofVerifier,
  QuoteRedemption,
  TypedDataSigner,
  QuoteStore,
  SpentNotes,
  SubmitWithdrawal,
  WithdrawalAdmission,
} from '@sotto/relayer-core';
import { CallSimulator, LatestBlock, Submissions, withTimeout } from '@sotto/submission-core';
import { MarketPrices } from '@sotto/market-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';
import {
  notRecipients,
  cycleGas,
  notePools,
  servedPools,
  swapCycleGas,
  swapOutputPool,
} from '@sotto/network-profile';
import { SWEEP_INTERVAL_MS } from './sweep.module.js';
import { workerThreads } from './worker-threads.js';

type RelayerModuleSettings = Pick<Settings, 'network' | 'relay' | 'verification' | 'guards'>;

/** Binds withdrawals, their pools and their fees. */
export const relayerModule = ({
  network,
  relay,
  verification,
  guards,
}: RelayerModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const pools = notePools(network);
    const { chainId } = network;
    const { feeAddress, firstAccount } = relay;
    // The sweep task runs once per interval, and stores expired quotes for one more interval.
    const quoteKeptMs = relay.quoteTtlMs + 2 * SWEEP_INTERVAL_MS;
    const wbtc = { symbol: 'WBTC', ...network.tokens.WBTC } as const;
    const gas = { cycleGas: cycleGas(network), swapCycleGas: swapCycleGas(network) };
    const feePolicy = {
      chainId,
      feeAddress,
      pools,
      wbtc,
      marginPercent: relay.feeMarginPercent,
      ...gas,
    };
    const admissionPolicy = {
      ...feePolicy,
      notRecipients: notRecipients(network),
      triedAs: firstAccount.address,
    };

    bind(WorkerProofVerifier)
      .toResolvedValue(
        (logger) =>
          WorkerProofVerifier.start({
            verificationKey: verification.key,
            threads: workerThreads(),
            logger,
          }),
        [Logger],
      )
      .inSingletonScope()
      .onDeactivation((verifier) => verifier.close());
    bind(ProofVerifier).toResolvedValue((verifier) => verifier, [WorkerProofVerifier]);
    assemble(
      bind(WithdrawalAdmission),
      {
        poolReader: PoolReader,
        proofVerifier: ProofVerifier,
        simulator: CallSimulator,
        latestBlock: LatestBlock,
        marketPrices: MarketPrices,
        learnGas: LearnGas,
        roots: PoolTraffic,
      },
      ({ learnGas, roots, ...ports }) => {
        const learntGas = (pool: Felt) => learnGas.figureOf(pool, 'withdraw');
        return new WithdrawalAdmission(ports, { ...admissionPolicy, learntGas, roots });
      },
    );
    provide(QuoteRedemption, [QuoteStore, Clock]);
    assemble(
      bind(SubmitWithdrawal),
      {
        admission: WithdrawalAdmission,
        submissions: Submissions,
        quotes: QuoteRedemption,
        guard: PoolCircuitBreaker,
        slots: FairSemaphore,
        spentNotes: SpentNotes,
      },
      ({ admission, submissions, quotes, guard, slots, spentNotes }) => {
        const { withdrawalBounds } = network.limits;
        const relayGuards = { guard, slots, spentNotes };
        return new SubmitWithdrawal(
          admission,
          submissions,
          quotes,
          relayGuards,
          withdrawalBounds,
          guards.smallBatchBelow,
        );
      },
    );
    provide(GetSubmission, [Submissions]);
    provide(LookUpSubmission, [WithdrawalAdmission, Submissions, FairSemaphore]);

    provide(GetPoolStatus, [PoolReader, LatestBlock], pools);
    provide(GetPoolCrowd, [PoolEvents, Clock], pools, guards.smallBatchBelow);
    assemble(
      bind(EstimateFee),
      {
        latestBlock: LatestBlock,
        marketPrices: MarketPrices,
        getPoolStatus: GetPoolStatus,
        leaves: PoolReader,
        learnGas: LearnGas,
        clock: Clock,
      },
      ({ latestBlock, marketPrices, getPoolStatus, leaves, learnGas, clock }) => {
        const knownLeaves = new KnownLeaves(leaves, latestBlock, clock);
        return new EstimateFee(latestBlock, marketPrices, getPoolStatus, knownLeaves, {
          ...feePolicy,
          gas: learnGas,
        });
      },
    );
    assemble(
      bind(IssueQuote),
      {
        estimateFee: EstimateFee,
        signer: TypedDataSigner,
        store: QuoteStore,
        guard: PoolCircuitBreaker,
        clock: Clock,
      },
      ({ estimateFee, signer, store, guard, clock }) =>
        new IssueQuote(
          estimateFee,
          signer,
          store,
          guard,
          new OutstandingQuotes(relay.quotes, quoteKeptMs, clock),
          clock,
          {
            ...feePolicy,
            ttlMs: relay.quoteTtlMs,
            newId: unguessableId,
          },
        ),
    );
    assemble(
      bind(ListPools),
      {
        latestBlock: LatestBlock,
        marketPrices: MarketPrices,
        getPoolStatus: GetPoolStatus,
        leaves: PoolReader,
        guard: PoolCircuitBreaker,
        traffic: PoolTraffic,
        learnGas: LearnGas,
        clock: Clock,
      },
      ({ latestBlock, marketPrices, getPoolStatus, leaves, guard, traffic, learnGas, clock }) => {
        const hasty = { pools: () => withTimeout(guard.pools(), clock) };
        const rations = {
          rationLeft: (perPool: number) => withTimeout(traffic.rationLeft(perPool), clock),
        };
        const listed = { pools: servedPools(network), swapPool: swapOutputPool(network) };
        return new ListPools(latestBlock, marketPrices, getPoolStatus, leaves, hasty, rations, {
          ...feePolicy,
          ...listed,
          depositsPerHour: guards.deposits.perPool,
          gas: learnGas,
        });
      },
    );
    provide(BatchRule, [PoolEvents, Clock], guards.partialBatches);
    provide(
      DeployBatch,
      [PoolReader, CallSimulator, Submissions, PoolCircuitBreaker, BatchRule, Clock],
      { chainId, pools, relayAccount: firstAccount.address },
    );
  });
