import { availableParallelism } from 'node:os';
import { WorkerProofVerifier } from '@sotto/groth16';
import { Clock, Logger } from '@sotto/kernel';
import {
  CYCLE_GAS,
  CallSimulator,
  GasPriceSource,
  GetSubmission,
  MarketPrices,
  PoolReader,
  PriceSources,
  ProofVerifier,
  SubmitWithdrawal,
  WithdrawalAdmission,
  WithdrawalReadmission,
  type PriceSource,
  type PricedAsset,
  type ServedPool,
} from '@sotto/relayer-core';
import { Readmission, Submissions } from '@sotto/submission-core';
import type { NetworkProfile } from '../config/network-profile.js';
import type { Settings } from '../config/settings.js';
import { AdmissionToken, GetSubmissionToken, MarketPricesToken, SubmitWithdrawalToken, WorkerVerifierToken } from './bindings.js';
import { AppModule } from './container.js';

/** Prices are asked for again after so long; their own age is judged apart from this. */
const PRICES_TTL_MS = 5_000;
/** One check takes about 6 ms of one core, and other work needs cores too. */
const MAX_VERIFIER_THREADS = 4;

type RelayerModuleSettings = Pick<Settings, 'network' | 'relay' | 'prices' | 'verificationKey'>;

/** Withdrawals: admission and the use cases. */
export const relayerModule = ({ network, relay, prices, verificationKey }: RelayerModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const pools = servedPools(network);
    bind(WorkerVerifierToken)
      .toResolvedValue((logger: Logger) => WorkerProofVerifier.start({ verificationKey, threads: verifierThreads(), logger }), [Logger])
      .inSingletonScope()
      .onDeactivation((verifier) => verifier.close());
    bind(ProofVerifier).toResolvedValue((verifier: WorkerProofVerifier) => verifier, [WorkerVerifierToken]);
    bind(MarketPricesToken).toResolvedValue(
      (sources: readonly PriceSource[], clock: Clock) =>
        new MarketPrices(sources, clock, {
          assets: pricedAssets(pools),
          limits: {
            maxAgeMs: prices.maxAgeMs,
            minPublishers: prices.minPublishers,
            maxDeviationBps: prices.maxDeviationBps,
            quorum: sources.length,
          },
          ttlMs: PRICES_TTL_MS,
        }),
      [PriceSources, Clock],
    );
    bind(AdmissionToken).toResolvedValue(
      (
        poolReader: PoolReader,
        proofVerifier: ProofVerifier,
        simulator: CallSimulator,
        gasPrices: GasPriceSource,
        marketPrices: MarketPrices,
      ) =>
        new WithdrawalAdmission(
          { poolReader, proofVerifier, simulator, gasPrices, marketPrices },
          { chainId: network.chainId, feeAddress: relay.feeAddress, pools, cycleGas: CYCLE_GAS },
        ),
      [PoolReader, ProofVerifier, CallSimulator, GasPriceSource, MarketPricesToken],
    );
    bind(Readmission).toResolvedValue((poolReader: PoolReader) => new WithdrawalReadmission(poolReader), [PoolReader]);
    bind(SubmitWithdrawalToken).toResolvedValue(
      (admission: WithdrawalAdmission, submissions: Submissions) => new SubmitWithdrawal(admission, submissions),
      [AdmissionToken, Submissions],
    );
    bind(GetSubmissionToken).toResolvedValue((submissions: Submissions) => new GetSubmission(submissions), [Submissions]);
  });

function servedPools({ pools, tokens }: NetworkProfile): readonly ServedPool[] {
  return pools.map(({ key, address, token: symbol }) => {
    const token = tokens[symbol];
    if (token === undefined) throw new Error('the profile schema let a pool without its token through');
    return { key, address, token: { symbol, ...token } };
  });
}

function pricedAssets(pools: readonly ServedPool[]): readonly PricedAsset[] {
  return [...new Set<PricedAsset>(['STRK', ...pools.map(({ token }) => token.symbol)])];
}

function verifierThreads(): number {
  return Math.min(MAX_VERIFIER_THREADS, Math.max(1, availableParallelism() - 1));
}
