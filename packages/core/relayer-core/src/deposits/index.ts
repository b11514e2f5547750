export type { DepositDryRunInput } from './application/deposit-dry-runs.js';
export { DepositFunds } from './application/deposit-funds.js';
export { DepositLosses } from './application/deposit-losses.js';
export { DepositOutcomes, type DepositOutcome } from './application/deposit-outcomes.js';
export { DepositRevalidator } from './application/deposit-revalidator.js';
export { NetworkRations } from './application/network-rations.js';
export {
  DEPOSIT_LIMITS,
  RelayDeposit,
  type RelayDepositInput,
  type RelayedDeposit,
} from './application/relay-deposit.js';
export {
  depositConsentTypedData,
  type DepositConsent,
  type DepositConsentTypedData,
} from './domain/deposit-consent.js';
export { ConsentCheck, type SignedConsent } from './ports/consent-check.port.js';
