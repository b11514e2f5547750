import { WorkerProofVerifier } from '@sotto/groth16';
import {
  Clock,
  Logger,
  quarterOf,
  unguessableId,
  type Felt,
  type ShareLimits,
} from '@sotto/kernel';
import {
  BatchRule,
  DeployBatch,
  DepositOutcomes,
  EstimateFee,
  FairSemaphore,
  FollowSubmission,
  GetPoolCrowd,
  GetPoolDeposits,
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
  PrivacyPoolReader,
  ProofVerifier,
  QuoteRedemption,
  TypedDataSigner,
  QuoteStore,
  RecipientGasBudget,
  SpentNotes,
  SubmitWithdrawal,
  SwapOutcomes,
  WithdrawalAdmission,
} from '@sotto/relayer-core';
import {
  CallSimulator,
  LatestBlock,
  SubmissionNotifier,
  Submissions,
  withTimeout,
} from '@sotto/submission-core';
import { MarketPrices } from '@sotto/market-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';
import {
  notRecipients,
  cycleGas,
  notePools,
  privacyPools,
  servedPools,
  swapCycleGas,
  swapOutputPool,
} from '@sotto/network-profile';
import { SWEEP_INTERVAL_MS } from './sweep.module.js';
import { workerThreads } from './worker-threads.js';

/** Followed submissions are read again after this time without a notification, in ms. */
const WAITS = { rereadMs: 5_000, maxStreamMs: 600_000 };
/** Denominator of the part of an address's connections that may wait for submissions. */
const WAITING_PART = 8;

/**
 * Returns the limits of requests and streams that wait for submissions. The connection of such a
 * request can't be evicted, so most connections remain for other requests.
 */
const waitLimits = ({ inAll, perClient }: ShareLimits): ShareLimits => ({
  inAll: quarterOf(inAll),
  perClient: Math.ceil(perClient / WAITING_PART),
});

type RelayerModuleSettings = Pick<
  Settings,
  'network' | 'relay' | 'verification' | 'guards' | 'http'
>;

/** Binds withdrawals, their pools and their fees. */
export const relayerModule = ({
  network,
  relay,
  verification,
  guards,
  http,
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
      recipientGas: { maxFri: relay.recipientGasMaxFri, token: network.tokens.STRK.address },
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
        clock: Clock,
      },
      ({ admission, submissions, quotes, guard, slots, spentNotes, clock }) => {
        const { withdrawalBounds } = network.limits;
        const relayGuards = { guard, slots, spentNotes };
        return new SubmitWithdrawal(
          admission,
          submissions,
          quotes,
          relayGuards,
          withdrawalBounds,
          guards.smallBatchBelow,
          new RecipientGasBudget(clock),
        );
      },
    );
    provide(GetSubmission, [Submissions]);
    provide(
      FollowSubmission,
      {
        getSubmission: GetSubmission,
        swapOutcomes: SwapOutcomes,
        depositOutcomes: DepositOutcomes,
        changes: SubmissionNotifier,
        clock: Clock,
      },
      { ...WAITS, limits: waitLimits(http.connections) },
    );
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
    provide(GetPoolDeposits, [PoolTraffic, PoolCircuitBreaker, Clock], guards.deposits);
    assemble(
      bind(ListPools),
      {
        latestBlock: LatestBlock,
        marketPrices: MarketPrices,
        getPoolStatus: GetPoolStatus,
        leaves: PoolReader,
        privacyReader: PrivacyPoolReader,
        guard: PoolCircuitBreaker,
        poolDeposits: GetPoolDeposits,
        learnGas: LearnGas,
        clock: Clock,
      },
      ({
        latestBlock,
        marketPrices,
        getPoolStatus,
        leaves,
        privacyReader,
        guard,
        poolDeposits,
        learnGas,
        clock,
      }) => {
        const hasty = { pools: () => withTimeout(guard.pools(), clock) };
        const deposits = { execute: () => withTimeout(poolDeposits.execute(), clock) };
        const ports = [latestBlock, marketPrices, getPoolStatus, leaves, privacyReader] as const;
        return new ListPools(...ports, hasty, deposits, {
          ...feePolicy,
          pools: servedPools(network),
          swapPool: swapOutputPool(network),
          privacyPools: privacyPools(network),
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
