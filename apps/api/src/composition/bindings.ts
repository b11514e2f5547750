import type { NodeClient, StarknetAccountSigner, StarknetNodeProbe } from '@sotto/adapter-starknet';
import type { OpenedLedger } from '@sotto/adapter-store';
import type { WorkerProofVerifier } from '@sotto/groth16';
import type { Clock, Logger } from '@sotto/kernel';
import type {
  CallSimulator,
  GasPriceSource,
  GetSubmission,
  MarketPrices,
  PoolReader,
  PriceSource,
  PriceSources,
  ProofVerifier,
  SubmitWithdrawal,
  WithdrawalAdmission,
} from '@sotto/relayer-core';
import type {
  Broadcaster,
  ChainReader,
  Changes,
  CheckpointHook,
  Ledger,
  NonceHistory,
  Readmission,
  SubmissionEngine,
  Submissions,
  TransactionSigner,
} from '@sotto/submission-core';
import type { Readiness } from '../readiness/readiness.js';

// Tokens of what is no port; ports bring their own.
export const NodeClientToken: unique symbol = Symbol.for('@sotto/api/NodeClient');
export const NodeProbeToken: unique symbol = Symbol.for('@sotto/api/NodeProbe');
export const AccountSignerToken: unique symbol = Symbol.for('@sotto/api/AccountSigner');
export const OpenedLedgerToken: unique symbol = Symbol.for('@sotto/api/OpenedLedger');
export const WorkerVerifierToken: unique symbol = Symbol.for('@sotto/api/WorkerVerifier');
export const CheckpointHookToken: unique symbol = Symbol.for('@sotto/api/CheckpointHook');
export const ChangesToken: unique symbol = Symbol.for('@sotto/api/Changes');
export const EngineToken: unique symbol = Symbol.for('@sotto/api/SubmissionEngine');
export const MarketPricesToken: unique symbol = Symbol.for('@sotto/api/MarketPrices');
export const AdmissionToken: unique symbol = Symbol.for('@sotto/api/WithdrawalAdmission');
export const SubmitWithdrawalToken: unique symbol = Symbol.for('@sotto/api/SubmitWithdrawal');
export const GetSubmissionToken: unique symbol = Symbol.for('@sotto/api/GetSubmission');
export const ReadinessToken: unique symbol = Symbol.for('@sotto/api/Readiness');

/** Every service the container can hand out. The typed container checks each binding against this map. */
export interface Bindings {
  [Clock]: Clock;
  [Logger]: Logger;
  [NodeClientToken]: NodeClient;
  [NodeProbeToken]: Pick<StarknetNodeProbe, 'probe'>;
  [Broadcaster]: Broadcaster;
  [ChainReader]: ChainReader;
  [NonceHistory]: NonceHistory;
  [AccountSignerToken]: StarknetAccountSigner;
  [TransactionSigner]: TransactionSigner;
  [PoolReader]: PoolReader;
  [CallSimulator]: CallSimulator;
  [GasPriceSource]: GasPriceSource;
  [PriceSources]: readonly PriceSource[];
  [OpenedLedgerToken]: OpenedLedger;
  [Ledger]: Ledger;
  [WorkerVerifierToken]: WorkerProofVerifier;
  [ProofVerifier]: ProofVerifier;
  [CheckpointHookToken]: CheckpointHook;
  [ChangesToken]: Changes;
  [Readmission]: Readmission;
  [EngineToken]: SubmissionEngine;
  [Submissions]: Submissions;
  [MarketPricesToken]: MarketPrices;
  [AdmissionToken]: WithdrawalAdmission;
  [SubmitWithdrawalToken]: SubmitWithdrawal;
  [GetSubmissionToken]: GetSubmission;
  [ReadinessToken]: Readiness;
}
