export type { RungReport } from './application/admission/ladder.js';
export { WithdrawalAdmission, type AdmissionPolicy, type AdmissionPorts } from './application/admission/withdrawal-admission.js';
export { GetSubmission } from './application/get-submission.js';
export { MarketPrices, type MarketPricesSettings } from './application/market-prices.js';
export {
  SubmitWithdrawal,
  WITHDRAWAL_LIMITS,
  type DryRunReport,
  type SubmitWithdrawalInput,
  type SubmittedWithdrawal,
  type WithdrawalInput,
} from './application/submit-withdrawal.js';
export { WithdrawalReadmission } from './application/withdrawal-readmission.js';
export { CYCLE_GAS, type CycleGas, type FeeTokenPrices } from './domain/fee.js';
export type { PriceLimits } from './domain/market-price.js';
export type { PoolToken, ServedPool } from './domain/pool.js';
export { parseWithdrawalKey, withdrawalKey } from './domain/withdrawal.js';
export {
  BatchOutOfBounds,
  FeeAbovePoolMaximum,
  FeeTooLow,
  NullifierSpent,
  PoolNotSupported,
  PriceUnavailable,
  ProofInvalid,
  PublicInputOutOfRange,
  RecipientInvalid,
  RelayerMismatch,
  RootUnknown,
  SimulationReverted,
  SubmissionExpired,
  SubmissionNotFound,
  SubmissionRefused,
  WithdrawalInProgress,
  WithdrawalUnprofitable,
  relayerFaults,
  type FaultEntry,
} from './errors.js';
export { CallSimulator, type SimulatedCall, type SimulationResult } from './ports/call-simulator.port.js';
export { GasPriceSource } from './ports/gas-price-source.port.js';
export { PoolReader, type WithdrawalFacts } from './ports/pool-reader.port.js';
export { PriceSources, type PriceObservation, type PriceSource, type PricedAsset } from './ports/price-source.port.js';
export { ProofVerifier } from './ports/proof-verifier.port.js';
