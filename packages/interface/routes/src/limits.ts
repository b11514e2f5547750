// Limits of the core packages that the definitions repeat. Tests of the service compare each limit
// with the limit in the core package.

/** Reasons why a pool accepts no withdrawals now. */
export const PAUSED_FOR = [
  'operator',
  'configuration',
  'reverts',
  'losses',
  'upstream',
  'budget',
] as const;

/** Maximum tolerance of a private swap, and the default tolerance, as fractions. */
export const MAX_SLIPPAGE = 0.15;
export const DEFAULT_SLIPPAGE = 0.01;

/** Maximum number of felts in the signature of a depositor's account. */
export const MAX_SIGNATURE_FELTS = 128;

/** Steps of a bridge transfer, in the sequence in which they are performed. */
export const STEP_NAMES = [
  'deposit_detected',
  'swap_source_token',
  'bridge_to_destination',
  'swap_destination_token',
  'send_to_recipient',
] as const;

/** Codes of the audit's findings, most serious first. */
export const FINDING_CODES = [
  'ATTEMPT_PAID_TWICE',
  'ENDED_BUT_INCLUDED',
  'TOLD_BUT_NOT_ON_CHAIN',
  'OUTCOME_DIFFERS',
  'CARRIES_ANOTHER_CALL',
  'SETTLED_OTHERWISE',
  'NOT_IN_LEDGER',
  'FOREIGN',
  'NOT_SETTLED',
] as const;
