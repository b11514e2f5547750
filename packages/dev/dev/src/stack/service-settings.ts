import { toFelt } from '@sotto/kernel';
import {
  keeperVariables,
  keyed,
  neighbourVariables,
  serviceEnvironment as environmentOf,
  type KeyedAccount,
  type Variables,
} from '@sotto/process-kit';
import { VARIABLES } from '@sotto/relayer';
import { environmentNames } from '@sotto/settings';
import type { ServiceAccount } from '../existing-chain.js';
import type { Environment, Tokens } from './tokens.js';

/** Chain and external services that the service uses. */
export interface Below {
  readonly world: { readonly accounts: Readonly<Record<ServiceAccount, KeyedAccount>> };
  readonly rpcUrl: string;
  /** Path of the service's network profile. */
  readonly networkProfile: string;
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  readonly rewardsUrl: string;
}

export interface ServiceOptions extends Below {
  readonly host: string;
  readonly port: number;
  readonly tokens: Tokens;
  /**
   * True if the keeper performs all its tasks. False if it performs only the tasks that the
   * demonstration shows.
   */
  readonly keeperAll: boolean;
  readonly verificationKeyFile: string;
  readonly databaseFile: string;
}

export interface ServiceSettings {
  /** Environment variables of the service. */
  readonly variables: Variables;
  /** Names of the caller's variables that the stack overrides. */
  readonly unused: readonly string[];
}

/** All environment variables that the service reads, each with its setting. */
const NAMES = [...environmentNames(VARIABLES)].map(([name, setting]) => ({ name, setting }));

/** Ration of deposits that no developer uses up. */
const UNLIMITED = '1000000';

/**
 * Settings for development. The chain is fast, so it is polled often. Pages of any origin may read
 * responses. A developer deposits any number of times. A shutdown does not wait for callers that
 * continue to send requests. The young generation is as small as in production, which saves memory.
 */
const FOR_DEVELOPMENT = {
  NODE_OPTIONS: '--max-semi-space-size=4',
  POLL_INTERVAL_MS: '100',
  IDLE_INTERVAL_MS: '1000',
  CORS_ORIGINS: '*',
  DEPOSITS_PER_HOUR_PER_POOL: UNLIMITED,
  DEPOSITS_PER_HOUR_PER_DEPOSITOR: UNLIMITED,
  DEPOSITS_PER_HOUR_PER_NETWORK: UNLIMITED,
  SHUTDOWN_DRAIN_MS: '0',
  SHUTDOWN_GRACE_MS: '3000',
};

/**
 * Returns the service's environment with all features enabled. The caller's settings are passed to
 * the service, except the settings that the stack provides.
 */
export function serviceSettings(options: ServiceOptions, given: Environment): ServiceSettings {
  const own = ownVariables(options);
  const set = NAMES.filter(({ name }) => (given[name] ?? '') !== '');
  const passedOn = set.filter(({ setting }) => !Object.hasOwn(own, setting));
  return {
    variables: {
      ...FOR_DEVELOPMENT,
      ...madeTokens(options.tokens),
      ...Object.fromEntries(passedOn.map(({ name }) => [name, given[name] ?? ''])),
      ...own,
    },
    // Do not report PORT as unused: the stack listens on the port that the caller has set.
    unused: set
      .filter(({ name, setting }) => Object.hasOwn(own, setting) && name !== 'PORT')
      .map(({ name }) => name),
  };
}

/** Returns a sentence about the caller's unused settings, or null if all settings are used. */
export function describeUnused(names: readonly string[]): string | null {
  const [last] = names.slice(-1);
  if (last === undefined) return null;
  if (names.length === 1)
    return `${last} is set, and not used: the development stack makes it itself`;
  return `${names.slice(0, -1).join(', ')} and ${last} are set, and not used: the development stack makes them itself`;
}

/**
 * Returns the settings for chain, accounts, store and addresses. A setting with an empty text is
 * treated as unset.
 */
function ownVariables(options: ServiceOptions): Variables {
  const { host, port, aggregatorUrl, world } = options;
  const { lane1, swapOwner, curator, feeCollector } = world.accounts;
  const settings = {
    ...options,
    lanes: [lane1],
    feeAddress: toFelt(feeCollector.address),
    instanceId: 'dev',
  };
  return environmentOf(settings, {
    HOST: host,
    PORT: String(port),
    SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(swapOwner)),
    CURATOR_ACCOUNT: JSON.stringify(keyed(curator)),
    ...neighbourVariables(options),
    BRIDGE_PROTOCOL: 'spec',
    BRIDGE_API_TOKEN: '',
    // The store is a new file, and its accounts have sent no transactions.
    DATABASE_URL: '',
    ACCEPT_EMPTY_LEDGER: '',
    RETIRING_ACCOUNTS: '',
    ...keeperVariables({ accounts: world.accounts, aggregatorUrl }, options.keeperAll),
    // Disable conversions: they require that the fee address is the treasury's address.
    TREASURY_CONVERSIONS: '',
  });
}

const named = (token: string): string => JSON.stringify({ default: token });

function madeTokens({ curator, operator }: Tokens): Variables {
  return {
    ...(curator.isGiven ? {} : { CURATOR_API_TOKENS: named(curator.value) }),
    ...(operator.isGiven ? {} : { OPERATOR_API_TOKENS: named(operator.value) }),
  };
}
