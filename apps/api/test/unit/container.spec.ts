import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BridgeProtocol, TransferStore } from '@sotto/bridge-core';
import { VaultFunds } from '@sotto/curator-core';
import { Clock, Logger } from '@sotto/kernel';
import {
  BlockClock,
  CallSimulator,
  PoolHistory,
  SubmissionLocks,
  ContractClasses,
  GasBook,
  GasPriceSource,
  GasReceipts,
  SettlementHistory,
  PoolControls,
  PoolReader,
  PoolStatusReader,
  PriceSources,
  ProofVerifier,
  QuoteStore,
  QuoteSigner,
  SpentNullifiers,
  StatusSigner,
  SwapDeposits,
  SwapLeaves,
  ConsentCheck,
  DepositReader,
  PoolDeposits,
  TrafficBook,
  SwapPins,
  SwapRecords,
  SwapVerdicts,
} from '@sotto/relayer-core';
import { BtcPriceSource, LendingPoolReader, RewardProgramme } from '@sotto/staking-core';
import {
  AccountCheck,
  AccountHistory,
  Broadcaster,
  CallReader,
  ChainReader,
  InstanceBus,
  Ledger,
  LedgerUnavailable,
  NonceHistory,
  Revalidator,
  Submissions,
  TransactionSigner,
} from '@sotto/submission-core';
import { appModules } from '../../src/composition/app-modules.js';
import {
  AccountSignerToken,
  AdmissionToken,
  AggregatorToken,
  AuditorToken,
  BackgroundTaskToken,
  BridgeClientToken,
  ChangesToken,
  FailpointHookToken,
  MetricsToken,
  ControlLanesToken,
  ControlPoolsToken,
  CuratedCallsToken,
  CuratorTokensToken,
  DeployBatchToken,
  DeployIdleFundsToken,
  GetOperatorStatusToken,
  GetServiceStatusToken,
  EngineToken,
  EstimateFeeToken,
  ExclusiveClaimsToken,
  DepositFundsToken,
  DepositOutcomesToken,
  ExecutePrivateSwapToken,
  FairValuesToken,
  FillSwapPinsToken,
  GetPoolCrowdToken,
  GetPoolStatusToken,
  GetSubmissionToken,
  GetTransferStatusToken,
  HttpPolicyToken,
  ConnectionsToken,
  InFlightToken,
  InspectContractsToken,
  IssueQuoteToken,
  LookUpSubmissionToken,
  ListBridgeRoutesToken,
  LearnGasToken,
  ListPoolsToken,
  ListStakingPoolsToken,
  MarketPricesToken,
  SettlementWindowToken,
  NodeClientToken,
  NodeHealthCheckToken,
  OpenApiDocumentToken,
  OpenedStoreToken,
  OperatorTokensToken,
  OraclePricesToken,
  PoolCircuitBreakerToken,
  PriceApiToken,
  QuoteRedemptionToken,
  QuoteTransferToken,
  ReadinessToken,
  RelayedCallsToken,
  RewardsApiToken,
  RouteToken,
  SlotsToken,
  SpentNotesToken,
  PoolTrafficToken,
  RelayDepositToken,
  SubmitWithdrawalToken,
  MachineToken,
  SwapOutcomesToken,
  SwapTriesToken,
  SwapperToken,
  WorkerVerifierToken,
  type Bindings,
} from '../../src/composition/bindings.js';
import { createContainer, type AppContainer } from '../../src/composition/container.js';
import { ROUTES } from '../../src/http/routes.js';
import { loadConfig } from '../../src/config/load-config.js';
import { environment, files } from './environment-fixture.js';

/** The compiler refuses this when a key of Bindings is missing. */
const EVERY_TOKEN = {
  [Clock]: true,
  [Logger]: true,
  [Broadcaster]: true,
  [ChainReader]: true,
  [NonceHistory]: true,
  [AccountHistory]: true,
  [AccountCheck]: true,
  [CallReader]: true,
  [TransactionSigner]: true,
  [PoolReader]: true,
  [PoolStatusReader]: true,
  [BlockClock]: true,
  [CallSimulator]: true,
  [PoolHistory]: true,
  [GasBook]: true,
  [GasPriceSource]: true,
  [GasReceipts]: true,
  [LearnGasToken]: true,
  [ContractClasses]: true,
  [PriceSources]: true,
  [InstanceBus]: true,
  [Ledger]: true,
  [QuoteStore]: true,
  [QuoteSigner]: true,
  [SpentNullifiers]: true,
  [CuratedCallsToken]: true,
  [AuditorToken]: true,
  [RelayedCallsToken]: true,
  [SpentNotesToken]: true,
  [SwapDeposits]: true,
  [SwapLeaves]: true,
  [ProofVerifier]: true,
  [Revalidator]: true,
  [Submissions]: true,
  [BridgeProtocol]: true,
  [TransferStore]: true,
  [VaultFunds]: true,
  [BtcPriceSource]: true,
  [LendingPoolReader]: true,
  [RewardProgramme]: true,
  [SubmissionLocks]: true,
  [SwapPins]: true,
  [SwapRecords]: true,
  [SwapVerdicts]: true,
  [SwapTriesToken]: true,
  [SwapperToken]: true,
  [MachineToken]: true,
  [FillSwapPinsToken]: true,
  [SettlementHistory]: true,
  [PoolControls]: true,
  [StatusSigner]: true,
  [ControlLanesToken]: true,
  [ControlPoolsToken]: true,
  [GetOperatorStatusToken]: true,
  [GetServiceStatusToken]: true,
  [ExclusiveClaimsToken]: true,
  [ConnectionsToken]: true,
  [InFlightToken]: true,
  [SettlementWindowToken]: true,
  [OperatorTokensToken]: true,
  [PoolCircuitBreakerToken]: true,
  [SlotsToken]: true,
  [AccountSignerToken]: true,
  [AdmissionToken]: true,
  [AggregatorToken]: true,
  [BackgroundTaskToken]: true,
  [BridgeClientToken]: true,
  [ChangesToken]: true,
  [FailpointHookToken]: true,
  [MetricsToken]: true,
  [CuratorTokensToken]: true,
  [DeployBatchToken]: true,
  [DeployIdleFundsToken]: true,
  [EngineToken]: true,
  [EstimateFeeToken]: true,
  [DepositReader]: true,
  [ConsentCheck]: true,
  [PoolDeposits]: true,
  [TrafficBook]: true,
  [PoolTrafficToken]: true,
  [DepositFundsToken]: true,
  [DepositOutcomesToken]: true,
  [RelayDepositToken]: true,
  [ExecutePrivateSwapToken]: true,
  [FairValuesToken]: true,
  [GetPoolCrowdToken]: true,
  [GetPoolStatusToken]: true,
  [GetSubmissionToken]: true,
  [GetTransferStatusToken]: true,
  [HttpPolicyToken]: true,
  [InspectContractsToken]: true,
  [IssueQuoteToken]: true,
  [LookUpSubmissionToken]: true,
  [ListBridgeRoutesToken]: true,
  [ListPoolsToken]: true,
  [ListStakingPoolsToken]: true,
  [MarketPricesToken]: true,
  [NodeClientToken]: true,
  [NodeHealthCheckToken]: true,
  [OpenApiDocumentToken]: true,
  [OpenedStoreToken]: true,
  [OraclePricesToken]: true,
  [PriceApiToken]: true,
  [QuoteRedemptionToken]: true,
  [QuoteTransferToken]: true,
  [ReadinessToken]: true,
  [RewardsApiToken]: true,
  [RouteToken]: true,
  [SubmitWithdrawalToken]: true,
  [SwapOutcomesToken]: true,
  [WorkerVerifierToken]: true,
} satisfies Record<keyof Bindings, true>;

/** How often what is bound more than once is bound: yields are refreshed, what is old is swept, and the ledger is audited. */
const COUNTS = new Map<keyof Bindings, number>([
  [RouteToken, ROUTES.length],
  [BackgroundTaskToken, 7],
]);

describe('the container', () => {
  let folder: string;
  let container: AppContainer;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-'));
    const env = { ...environment, DATABASE_PATH: join(folder, 'ledger.sqlite'), LOG_LEVEL: 'silent' };
    container = createContainer(...appModules(loadConfig({ env, readFile: files() })));
  });
  afterEach(async () => {
    await container.unbindAllAsync();
    rmSync(folder, { recursive: true });
  });

  it('resolves every binding, once', async () => {
    for (const token of Object.getOwnPropertySymbols(EVERY_TOKEN)) {
      // CAST: getOwnPropertySymbols forgets which symbols they are; EVERY_TOKEN has no others.
      const key = token as keyof Bindings;
      const all: readonly unknown[] = await container.getAllAsync(key);
      const expected = COUNTS.get(key) ?? 1;
      expect({ token: token.description, bindings: all.length }).toEqual({ token: token.description, bindings: expected });
      const [service] = all;
      expect({ token: token.description, found: typeof service }).toEqual({
        token: token.description,
        found: expect.stringMatching(/object|function/),
      });
      expect((await container.getAllAsync(key))[0]).toBe(service);
    }
  });

  it('closes what it opened', async () => {
    const [ledger, verifier] = [await container.getAsync(Ledger), await container.getAsync(ProofVerifier)];
    expect(await ledger.attemptById('none')).toBeNull();
    await container.unbindAllAsync();
    await expect(ledger.attemptById('none')).rejects.toBeInstanceOf(LedgerUnavailable);
    const point = { x: 0n, y: 0n };
    await expect(verifier.holds({ a: point, b: { x: [0n, 0n], y: [0n, 0n] }, c: point, publicInputs: [] })).rejects.toMatchObject({
      code: 'VERIFIER_FAILED',
    });
  });
});
