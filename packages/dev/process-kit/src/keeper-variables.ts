import type { Variables } from './child.js';
import { keyed, type KeyedAccount } from './stack.js';

/** Accounts and aggregator that the keeper's settings refer to. */
interface KeeperSurroundings {
  readonly accounts: { readonly keeper1: KeyedAccount; readonly treasury: KeyedAccount };
  /** URL of an aggregator that serves two histories of daily closes. */
  readonly aggregatorUrl: string;
}

/**
 * Subjects that each task handles in the demonstration: a vault, the first order, the leveraged
 * vault, and a lane.
 */
const SHOWN_SUBJECTS = {
  curator: ['apex'],
  purchases: ['1'],
  leverage: ['turbo'],
  treasury: ['keeper-0'],
} as const;

/**
 * Initial balance of each account in the development stacks, in fri. This balance is the lane's
 * floor, so any spent gas makes the lane fall below it.
 */
const FIRST_FRI = 1_000n * 10n ** 18n;
const ONE_STRK_FRI = 10n ** 18n;

/**
 * Returns the keeper's variables in the development stack: short intervals, and only the subjects
 * of the demonstration.
 * @param all true for every task with all of its subjects, not only {@link SHOWN_SUBJECTS}
 */
export function keeperVariables(
  { accounts: { keeper1, treasury }, aggregatorUrl }: KeeperSurroundings,
  all = false,
): Variables {
  const tasks = all ? [...Object.keys(SHOWN_SUBJECTS), 'batches'] : Object.keys(SHOWN_SUBJECTS);
  return {
    KEEPER_TASKS: tasks.join(','),
    ...(all ? {} : { KEEPER_SUBJECTS: JSON.stringify(SHOWN_SUBJECTS) }),
    KEEPER_ACCOUNTS: JSON.stringify([keyed(keeper1)]),
    KEEPER_INTERVAL_MS: '250',
    CURATOR_SETTLE_SECONDS: '0',
    DAILY_CLOSES_URLS: `${aggregatorUrl},${aggregatorUrl}/second`,
    TREASURY_ACCOUNT: JSON.stringify(keyed(treasury)),
    TREASURY_FLOORS: JSON.stringify({
      keeper: { floor: String(FIRST_FRI), ceiling: String(FIRST_FRI + ONE_STRK_FRI) },
    }),
  };
}
