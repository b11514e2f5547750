// What the definitions say of the domains. The service checks each against what the domain does.

/** Why a pool takes no withdrawals now. */
export const PAUSED_FOR = [
  'operator',
  'configuration',
  'reverts',
  'losses',
  'upstream',
  'budget',
] as const;

/** Largest tolerance of a private swap, and that of requests that name none, as fractions. */
export const MAX_SLIPPAGE = 0.15;
export const DEFAULT_SLIPPAGE = 0.01;

/** Felts in the signature of a depositor's account. */
export const MAX_SIGNATURE_FELTS = 128;

/** Steps of a bridge transfer, in the order in which they run. */
export const STEP_NAMES = [
  'deposit_detected',
  'swap_source_token',
  'bridge_to_destination',
  'swap_destination_token',
  'send_to_recipient',
] as const;

/** What the audit finds, the gravest first. */
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
