/** Automatic tasks of the protocol. */
export const TASKS = {
  curator: 'Moves the idle funds of a vault into the vault’s strategy.',
  batches: 'Deploys the deposits that wait in a pool, in as large a batch as may be.',
  purchases: 'Executes recurring purchases of WBTC that are due.',
  leverage: 'Leads a vault to its target of leverage, round by round, and back.',
  treasury: 'Keeps the STRK of the signing accounts above their floor.',
} as const;

export type TaskName = keyof typeof TASKS;

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const TASK_NAMES = Object.keys(TASKS) as readonly TaskName[];

/** Reasons why a task did nothing for a subject that it checked. */
export const SKIP_REASONS = {
  PAUSED: 'An operator has paused it.',
  FAILED_TOO_OFTEN:
    'Its transactions have failed as often in a row as the setting allows; an operator resumes it.',
  BACKING_OFF: 'Its last transaction failed; the wait before the next one doubles each time.',
  BUDGET_EXHAUSTED: 'The gas of this task’s hour or day is spent.',
  IN_FLIGHT: 'Its last transaction is not settled yet.',
  PREVIOUS_NOT_FINAL: 'Its last transaction reverted in a block that can still be undone.',
  QUEUE_FULL: 'As many submissions wait for an account of its role as may.',
  READ_FAILED:
    'The data on which the decision depends could not be read; `details.code` is the cause.',
  LOOK_FAILED: 'The check ended with an unexpected error; the keeper’s log has it.',
  NODE_BEHIND: 'The node’s newest block is older than the one with the last transaction of this.',
  LASTING_FAILURE:
    'Checks have failed for half an hour; `details.because` is the reason for the last failure.',
  SIMULATION_REVERTED: 'The call reverts when it is simulated; `details.reason` has the words.',
  BELOW_THRESHOLD: 'The idle funds are less than the setting, or not worth the gas of the call.',
  NOT_SETTLED: 'The idle funds have not been in the vault for the whole settle time.',
  DAILY_LIMIT: 'The largest amount of a day is used up.',
  WAITING_FOR_CROWD: 'Too few deposits wait, or a larger batch may still come together.',
  NOT_DUE: 'Its time has not come.',
  EXECUTED_BY_ANOTHER: 'Another keeper has executed it.',
  ORDER_ENDED: 'The order was cancelled, or has had all of its executions.',
  ORDER_UNREADABLE: 'The order is not laid out as the network profile describes it.',
  TOKEN_UNPRICED: 'The token that the order sells does not have two independent prices.',
  SMART_ORDERS_OFF: 'Smart orders need two sources of daily closes; fewer are configured.',
  MAYER_UNKNOWN: 'Fewer than 195 of the last 200 daily closes are known and agreed on.',
  MAYER_DISPUTED: 'The contract’s Mayer Multiple differs from the one that the daily closes give.',
  NEAR_BAND_EDGE:
    'The contract’s Mayer Multiple is so little above the edge of a band that the contract may sell more than the minimum is made for.',
  PRICE_UNAVAILABLE: 'A price is missing, too old, or disagreed on by its sources.',
  PRICE_IMPACT_TOO_HIGH: 'The best quote is too far below the fair value.',
  NO_QUOTES: 'The aggregator has no route for the swap, or no usable one.',
  UNPROFITABLE: 'The fee for the execution is worth less than its gas and the margin.',
  ROUND_FULL: 'As many swaps as may be were quoted in this round: its turn comes in a later one.',
  AT_TARGET: 'The position is at its target.',
  NOTHING_SUPPLIED: 'The vault has supplied nothing and owes nothing, so no round is possible.',
  LEVERAGE_UNREACHABLE:
    'The vault’s limits do not reach the target; `details.limit` is the leverage that they allow.',
  DELEVERAGE_BLOCKED:
    'No collateral can be withdrawn at this loan-to-value; debt has to be repaid from outside.',
  LIQUIDITY_MISSING:
    'The lending pool has less to lend, or its debt cap leaves less, than the smallest round borrows.',
  HEALTH_BELOW_FLOOR:
    'The vault’s health factor is below its floor, and it is not led back; `details.because` is why.',
  TARGET_CHANGED: 'The operator has named another target since the check began.',
  RATE_AGAINST: 'The borrow rate is above the supply rate.',
  ABOVE_FLOOR: 'The account’s STRK balance is not below its floor.',
  TREASURY_EMPTY: 'The treasury has less STRK than the transfer needs.',
} as const;

export type SkipReason = keyof typeof SKIP_REASONS;

/** Reasons for skipping a subject that remain until an operator acts. */
export const ALERT_REASONS = [
  'FAILED_TOO_OFTEN',
  'BUDGET_EXHAUSTED',
  'LOOK_FAILED',
  'LASTING_FAILURE',
  'HEALTH_BELOW_FLOOR',
  'DELEVERAGE_BLOCKED',
  'TREASURY_EMPTY',
] as const satisfies readonly SkipReason[];

export type AlertReason = (typeof ALERT_REASONS)[number];

/** Alerts for an operator: reasons why a task skipped a subject, and problems of a whole task. */
export const ALERTS = {
  NOT_HELD:
    'A process once held the task, and no process holds it now: none of its work is checked or done.',
  FAILED_TOO_OFTEN: SKIP_REASONS.FAILED_TOO_OFTEN,
  BUDGET_EXHAUSTED: SKIP_REASONS.BUDGET_EXHAUSTED,
  LOOK_FAILED: SKIP_REASONS.LOOK_FAILED,
  LASTING_FAILURE: SKIP_REASONS.LASTING_FAILURE,
  HEALTH_BELOW_FLOOR: SKIP_REASONS.HEALTH_BELOW_FLOOR,
  DELEVERAGE_BLOCKED: SKIP_REASONS.DELEVERAGE_BLOCKED,
  TREASURY_EMPTY: SKIP_REASONS.TREASURY_EMPTY,
} as const satisfies Readonly<Record<AlertReason | 'NOT_HELD', string>>;

export type Alert = keyof typeof ALERTS;

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const ALERT_NAMES = Object.keys(ALERTS) as readonly Alert[];

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const SKIP_REASON_NAMES = Object.keys(SKIP_REASONS) as readonly SkipReason[];

/**
 * Maximum number of a task's subjects in the public status. In addition, the status contains at
 * most this number of subjects that need an operator's attention. The list is limited because any
 * caller may create purchase orders.
 */
export const MOST_SHOWN_SUBJECTS = 200;
