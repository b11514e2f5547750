export { conversionCalls, type ConversionCallsPolicy } from './application/conversion-calls.js';
export {
  ConvertFees,
  FEE_SWAP_LIMITS,
  feesSubject,
  type ConvertedToken,
  type FeeConversionPolicy,
  type FeeConversionPorts,
} from './application/convert-fees.js';
export { KeepTreasury } from './application/keep-treasury.js';
export { topUpCalls, type TopUpCallsPolicy } from './application/top-up-calls.js';
export {
  TopUpLanes,
  fundedLanes,
  type FundedLane,
  type FundedRole,
  type TopUpPolicy,
  type TopUpPorts,
} from './application/top-up-lanes.js';
export type { FundingLevels } from './domain/top-up.js';
export { TopUpStore, type PaidTopUp } from './ports/top-up-store.port.js';
