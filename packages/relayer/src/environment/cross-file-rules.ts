import { orderIdOf } from '@sotto/dca-core';
import type { TaskName } from '@sotto/facts';
import {
  convertedTokens,
  leveragedVaults,
  poolsToDeploy,
  profilePools,
  type NetworkProfile,
} from '@sotto/network-profile';
import { feesSubject, fundedLanes } from '@sotto/relayer-core';
import type { LaneRole } from '@sotto/submission-core';
import { ACCOUNT_VARIABLES, lanesOf, type AccountVariables } from './settings.js';
import type { Environment } from './variables.js';

type Variable = keyof Environment;
type Field = keyof NetworkProfile;

/**
 * Rule across several variables and fields of the profile, each of which is valid if checked
 * separately. A rule is checked if the variables and fields that it names are valid, even if others
 * are invalid.
 */
interface CrossFileRule {
  readonly variables: readonly Variable[];
  readonly fields: readonly Field[];
  readonly problems: (env: Environment, network: NetworkProfile) => readonly string[];
}

/** Creates a rule. The check receives only the variables and fields that the rule names. */
const rule = <const V extends Variable, const F extends Field>(
  variables: readonly V[],
  fields: readonly F[],
  problems: (env: Pick<Environment, V>, network: Pick<NetworkProfile, F>) => readonly string[],
): CrossFileRule => ({ variables, fields, problems });

/** Creates a rule that reports one fixed sentence if its condition is false. */
const holding = <const V extends Variable, const F extends Field>(
  variables: readonly V[],
  fields: readonly F[],
  problem: string,
  holds: (env: Pick<Environment, V>, network: Pick<NetworkProfile, F>) => boolean,
): CrossFileRule =>
  rule(variables, fields, (env, network) => (holds(env, network) ? [] : [problem]));

/** Returns a problem for each task of the keeper for which the profile names no contracts. */
function tasksWithoutContracts(
  { KEEPER_TASKS = [] }: Pick<Environment, 'KEEPER_TASKS'>,
  { vaults, purchases }: Pick<NetworkProfile, 'vaults' | 'purchases'>,
): readonly string[] {
  const missing: Partial<Record<TaskName, string>> = {
    ...(vaults.length > 0 ? {} : { curator: 'vaults' }),
    ...(purchases !== undefined ? {} : { purchases: 'purchases, the contract of orders,' }),
    ...(vaults.some(({ leverage }) => leverage !== undefined)
      ? {}
      : { leverage: 'a vault with leverage' }),
  };
  return KEEPER_TASKS.flatMap((task) =>
    missing[task] === undefined
      ? []
      : [`KEEPER_TASKS: ${task} needs ${missing[task]} in the network profile`],
  );
}

type Subjects = AccountVariables &
  Pick<
    Environment,
    'KEEPER_TASKS' | 'KEEPER_SUBJECTS' | 'TREASURY_FLOORS' | 'TREASURY_CONVERSIONS'
  >;
type Subjected = Pick<NetworkProfile, 'vaults' | 'pools' | 'tokens'>;

/**
 * Returns a problem for each configured subject that its task never checks. With such a subject, a
 * task would do nothing, and no error would show this.
 */
function unknownSubjects(env: Subjects, network: Subjected): readonly string[] {
  const { KEEPER_TASKS = [], KEEPER_SUBJECTS = new Map<TaskName, readonly string[]>() } = env;
  return KEEPER_TASKS.flatMap((task) => {
    const named = KEEPER_SUBJECTS.get(task) ?? [];
    const known = task === 'purchases' ? null : subjectsOf(task, env, network);
    const unknown = named.filter((subject) =>
      known === null ? orderIdOf(subject) === null : !known.includes(subject),
    );
    if (unknown.length === 0) return [];
    const allowed = known === null ? 'ids of orders, in decimal' : known.join(', ');
    const shown = unknown.map((subject) => JSON.stringify(subject)).join(', ');
    return [
      `KEEPER_SUBJECTS: ${task} does not check ${shown}, but checks: ${allowed || 'nothing'}`,
    ];
  });
}

/**
 * Returns all subjects that a task checks. The task `purchases` is excluded, because its subjects
 * (purchase orders) change.
 */
function subjectsOf(
  task: Exclude<TaskName, 'purchases'>,
  env: Subjects,
  network: Subjected,
): readonly string[] {
  const { TREASURY_FLOORS = new Map(), TREASURY_CONVERSIONS = new Map() } = env;
  switch (task) {
    case 'curator':
      return network.vaults.map(({ id }) => id);
    case 'batches':
      return poolsToDeploy(network).map(({ key }) => key);
    case 'leverage':
      return leveragedVaults(network).map(({ id }) => id);
    case 'treasury':
      return [
        ...fundedLanes(lanesOf(env), TREASURY_FLOORS).map(({ name }) => name),
        ...convertedTokens(network, TREASURY_CONVERSIONS).map(({ token }) => feesSubject(token)),
      ];
  }
}

/** Returns a problem for each lane role that has a floor (minimum balance) but no account. */
function floorsOfNoAccount(
  env: AccountVariables & Pick<Environment, 'KEEPER_TASKS' | 'TREASURY_FLOORS'>,
): readonly string[] {
  const { KEEPER_TASKS = [], TREASURY_FLOORS = new Map<LaneRole, unknown>() } = env;
  if (!KEEPER_TASKS.includes('treasury')) return [];
  const roles = new Set(lanesOf(env).map(({ role }) => role));
  return [...TREASURY_FLOORS.keys()].flatMap((role) =>
    roles.has(role) ? [] : [`TREASURY_FLOORS: no account has the role ${role}`],
  );
}

const RULES: readonly CrossFileRule[] = [
  holding(
    ['PAUSED_POOLS'],
    ['pools', 'swapPool'],
    // Without this rule, a misspelt pool name would pause no pool, and no error would show this.
    'PAUSED_POOLS: names a pool that is not in the network profile',
    ({ PAUSED_POOLS = new Map() }, network) => {
      const served = new Set(profilePools(network).map(({ key }) => key));
      return [...PAUSED_POOLS.keys()].every((key) => served.has(key));
    },
  ),
  holding(
    ['ACCEPT_EMPTY_LEDGER'],
    ['chainId'],
    'ACCEPT_EMPTY_LEDGER: names another chain than the network profile',
    ({ ACCEPT_EMPTY_LEDGER: accepted }, { chainId }) =>
      accepted === undefined || accepted.chainId === chainId,
  ),
  holding(
    ['AGGREGATOR_URL'],
    ['swapPool'],
    'AGGREGATOR_URL: private swaps need a swapPool in the network profile',
    ({ AGGREGATOR_URL }, { swapPool }) => AGGREGATOR_URL === undefined || swapPool !== undefined,
  ),
  holding(
    ['CURATOR_API_TOKENS'],
    ['vaults'],
    'CURATOR_API_TOKENS: vault deployments need vaults in the network profile',
    ({ CURATOR_API_TOKENS }, { vaults }) => CURATOR_API_TOKENS === undefined || vaults.length > 0,
  ),
  rule(['KEEPER_TASKS'], ['vaults', 'purchases'], tasksWithoutContracts),
  rule(
    [
      ...ACCOUNT_VARIABLES,
      'KEEPER_TASKS',
      'KEEPER_SUBJECTS',
      'TREASURY_FLOORS',
      'TREASURY_CONVERSIONS',
    ],
    ['vaults', 'pools', 'tokens'],
    unknownSubjects,
  ),
  rule([...ACCOUNT_VARIABLES, 'KEEPER_TASKS', 'TREASURY_FLOORS'], [], floorsOfNoAccount),
  rule(
    ['TREASURY_CONVERSIONS'],
    ['tokens'],
    ({ TREASURY_CONVERSIONS = new Map<string, unknown>() }, { tokens }) =>
      [...TREASURY_CONVERSIONS.keys()].flatMap((symbol) =>
        Object.hasOwn(tokens, symbol)
          ? []
          : [`TREASURY_CONVERSIONS: ${symbol} is no token of the network profile`],
      ),
  ),
  holding(
    ['SPONSORS'],
    ['privacyPool'],
    'SPONSORS: needs a privacyPool in the network profile',
    ({ SPONSORS }, { privacyPool }) => SPONSORS === undefined || privacyPool !== undefined,
  ),
  holding(
    ['MODE'],
    ['privacyPool'],
    'privacyPool.acceptsNoProof: must not be set in production',
    ({ MODE }, { privacyPool }) => MODE !== 'production' || privacyPool?.acceptsNoProof !== true,
  ),
  holding(
    ['MODE', 'REWARDS_URL'],
    ['lendingPools'],
    'REWARDS_URL: is required in production, because the network profile has lending pools',
    ({ MODE, REWARDS_URL }, { lendingPools }) =>
      MODE !== 'production' || REWARDS_URL !== undefined || lendingPools.length === 0,
  ),
];

/**
 * Returns inconsistencies between the valid variables and the valid fields of the network profile.
 */
export function crossFileProblems(
  env: Partial<Environment>,
  network: Partial<NetworkProfile>,
): readonly string[] {
  return RULES.flatMap(({ variables, fields, problems }) =>
    variables.every((name) => Object.hasOwn(env, name)) &&
    fields.every((name) => Object.hasOwn(network, name))
      ? // CAST: what is missing is not among what the rule names, and it sees no other.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        problems(env as Environment, network as NetworkProfile)
      : [],
  );
}
