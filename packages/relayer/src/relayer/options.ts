import type { Logger } from '@sotto/kernel';
import type { WebhookEvents } from '@sotto/webhook-core';
import type { QuoteStore } from '@sotto/relayer-core';
import { InvalidConfiguration, readVariables, type Secret, type SettingsOf } from '@sotto/settings';
import { REMOVED_OPTIONS, removedSettings } from '../environment/constants.js';
import { checkSettings } from '../environment/load-config.js';
import { RULES } from '../environment/rules.js';
import type { Settings } from '../environment/settings.js';
import { VARIABLES, type Environment } from '../environment/variables.js';

/** Account that signs: its address and its private key, as hex or decimal text. */
export interface AccountOption {
  readonly address: string;
  /** Private key; omitted if a signer holds the key. */
  readonly privateKey?: string | undefined;
}

type Placed = SettingsOf<typeof VARIABLES>;
/**
 * Group of options, each with a default. Options have the types of the settings, except that
 * secrets are text.
 */
type Some<T> = { readonly [Name in keyof T]?: Option<NonNullable<T[Name]>> | undefined };
type Option<T> = T extends Secret
  ? string
  : T extends number | bigint | boolean | string
    ? T
    : Some<T>;
/** Type of a present variable that has no path in the settings. */
type Given<Name extends keyof Environment> = NonNullable<Environment[Name]>;

/**
 * Options of a relayer. Each option corresponds to a variable of the environment. If an option is
 * omitted, the variable's default is used. If it is supplied, the variable's limits apply.
 * docs/reference/configuration.md lists the variable of each option.
 */
export interface RelayerOptions {
  /**
   * Mode of the relayer. `production` rejects sample keys, plain HTTP, a missing fee address and a
   * missing second source of prices.
   * @default production
   */
  readonly mode?: Placed['mode'] | undefined;
  /** Starknet nodes, by their JSON-RPC addresses. */
  readonly node: Some<Placed['node']> & {
    readonly maxHeadAgeMs?: number | undefined;
    /** WebSocket addresses of the nodes, each as `name=wss://…` or as an address without a name. */
    readonly wsUrls?: readonly string[] | undefined;
  } & (
      | { readonly url: string }
      /** Several nodes, each as `name=https://…` or as an address alone. */
      | { readonly urls: readonly string[] }
    );
  /** Store of all durable state: a SQLite file or a PostgreSQL database. */
  readonly store?:
    | ((
        | { readonly path?: string | undefined }
        | { readonly url: string; readonly poolSize?: number | undefined }
      ) & {
        /**
         * Store of fee quotes. If it is supplied, fee quotes are not stored in the file or
         * database.
         */
        readonly quotes?: QuoteStore | undefined;
      })
    | undefined;
  readonly accounts: {
    /**
     * Accounts that sign and pay; each account is one lane. The first account simulates and signs
     * quotes.
     */
    readonly relay: readonly AccountOption[];
    /**
     * Account of the swap pool's owner. Private swaps need this option and `swaps.aggregatorUrl`.
     */
    readonly swapOwner?: AccountOption | undefined;
    /** Account of the vaults' curator; it enables the deployment of idle funds. */
    readonly curator?: AccountOption | undefined;
    readonly keeper?: readonly AccountOption[] | undefined;
    readonly treasury?: AccountOption | undefined;
    /** Addresses of accounts that are being retired and get no new calls. */
    readonly retiring?: readonly string[] | undefined;
  };
  /** Signer process that holds the keys of all accounts. Certificates and keys are PEM texts. */
  readonly signer?:
    | {
        readonly url: string;
        readonly clientCert?: string | undefined;
        readonly clientKey?: string | undefined;
        readonly ca?: string | undefined;
      }
    | undefined;
  /** Contracts on the network, as the JSON of a network profile. */
  readonly profile: unknown;
  /** Verification key of the pools' proofs, as the JSON of snarkjs. */
  readonly verificationKey: unknown;
  /**
   * Address that receives the fees. Each proof must contain this address. Required in production.
   */
  readonly feeAddress?: string | undefined;
  /** Sources of market prices; the second source is required in production. */
  readonly prices?: (Some<Placed['prices']> & { readonly quorum?: number | undefined }) | undefined;
  /** Limits of spending and load. */
  readonly guards?:
    | (Omit<Some<Placed['guards']>, 'partialBatches'> & {
        readonly partialBatches?:
          | (Some<Placed['guards']['partialBatches']> & {
              readonly mode?: Given<'PARTIAL_BATCHES'> | undefined;
            })
          | undefined;
        /** Reasons for pauses of pools, by the pool's key. */
        readonly pausedPools?: Readonly<Record<string, string>> | undefined;
      })
    | undefined;
  readonly swaps?:
    | {
        readonly aggregatorUrl?: string | undefined;
        readonly aggregatorProtocol?: Given<'AGGREGATOR_PROTOCOL'> | undefined;
        readonly maxPriceImpactBps?: number | undefined;
        readonly minSlippageBps?: number | undefined;
      }
    | undefined;
  readonly bridge?:
    | {
        readonly url: string;
        readonly protocol?: Given<'BRIDGE_PROTOCOL'> | undefined;
        readonly token?: string | undefined;
      }
    | undefined;
  /** Settings of fees and quotes. */
  readonly relay?: Omit<Some<Placed['relay']>, 'waitForConfirmationMs'> | undefined;
  /** Sponsors who pay the gas of private actions, by name. */
  readonly sponsors?:
    | Readonly<
        Record<
          string,
          {
            readonly key: string;
            readonly budgetPerDayFri: bigint;
            /** @default a quarter of the budget */
            readonly budgetPerNetworkFri?: bigint;
          }
        >
      >
    | undefined;
  readonly staking?: Some<Placed['staking']> | undefined;
  /** Settings of the machine that puts each call on chain exactly once. */
  readonly engine?:
    | (Omit<Some<Placed['engine']>, 'crashAt' | 'crashAfter'> & {
        /** Name under which lanes and tasks are leased. */
        readonly instance?: string | undefined;
        /** Accepted accounts of an empty ledger, as printed by `npm run accept-ledger`. */
        readonly acceptEmptyLedger?: string | undefined;
      })
    | undefined;
  readonly gas?: Some<Placed['gas']> | undefined;
  readonly audit?: Some<Placed['audit']> | undefined;
  /** Webhook endpoints, by name. */
  readonly webhooks?:
    | (Some<Placed['webhooks']> & {
        readonly endpoints?:
          | Readonly<
              Record<
                string,
                {
                  readonly url: string;
                  readonly secrets: readonly string[];
                  readonly events: WebhookEvents;
                }
              >
            >
          | undefined;
      })
    | undefined;
  readonly retention?: Some<Placed['retention']> | undefined;
  /** Settings of automatic tasks. */
  readonly keeper?:
    | (Omit<Some<Placed['keeper']>, 'purchases' | 'treasury'> & {
        readonly tasks?: Given<'KEEPER_TASKS'> | undefined;
        /** For each restricted task, the subjects that the task checks. */
        readonly subjects?: Readonly<Record<string, readonly string[]>> | undefined;
        readonly purchases?:
          | (Some<Placed['keeper']['purchases']> & {
              readonly closesUrls?: readonly string[] | undefined;
            })
          | undefined;
        readonly treasury?:
          | (Some<Placed['keeper']['treasury']> & {
              readonly floors?: Readonly<Record<string, Amounts>> | undefined;
              readonly conversions?: Readonly<Record<string, Amounts>> | undefined;
            })
          | undefined;
      })
    | undefined;
  /** Logger of the relayer. @default lines of JSON on standard output */
  readonly logger?: Logger | undefined;
  /** Level of the default log on standard output. */
  readonly logLevel?: Placed['logLevel'] | undefined;
}

/** Amounts by name, in the smallest unit. */
type Amounts = Readonly<Record<string, bigint>>;

type Unplaced = {
  [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name]['place'] extends null ? Name : never;
}[keyof typeof VARIABLES];

/**
 * Options of variables that have no path in the settings. Null if the variable belongs to a process
 * and no option exists for it.
 */
const OPTION_OF_UNPLACED: Readonly<Record<Unplaced, string | null>> = {
  NETWORK_PROFILE: 'profile',
  VERIFICATION_KEY_PATH: 'verificationKey',
  STARKNET_RPC_URLS: 'node.urls',
  STARKNET_WS_URL: 'node.wsUrls',
  RELAY_ACCOUNTS: 'accounts.relay',
  SWAP_OWNER_ACCOUNT: 'accounts.swapOwner',
  CURATOR_ACCOUNT: 'accounts.curator',
  KEEPER_ACCOUNTS: 'accounts.keeper',
  TREASURY_ACCOUNT: 'accounts.treasury',
  RETIRING_ACCOUNTS: 'accounts.retiring',
  SIGNER_URL: 'signer.url',
  SIGNER_CLIENT_CERT: 'signer.clientCert',
  SIGNER_CLIENT_KEY: 'signer.clientKey',
  SIGNER_CA: 'signer.ca',
  FEE_ADDRESS: 'feeAddress',
  HEAD_MAX_AGE_MS: 'node.maxHeadAgeMs',
  DATABASE_PATH: 'store.path',
  DATABASE_URL: 'store.url',
  DATABASE_POOL_SIZE: 'store.poolSize',
  INSTANCE_ID: 'engine.instance',
  ACCEPT_EMPTY_LEDGER: 'engine.acceptEmptyLedger',
  PRICE_QUORUM: 'prices.quorum',
  AGGREGATOR_URL: 'swaps.aggregatorUrl',
  AGGREGATOR_PROTOCOL: 'swaps.aggregatorProtocol',
  MAX_PRICE_IMPACT_BPS: 'swaps.maxPriceImpactBps',
  MIN_SLIPPAGE_BPS: 'swaps.minSlippageBps',
  BRIDGE_URL: 'bridge.url',
  BRIDGE_PROTOCOL: 'bridge.protocol',
  BRIDGE_API_TOKEN: 'bridge.token',
  WEBHOOK_ENDPOINTS: 'webhooks.endpoints',
  SPONSORS: 'sponsors',
  PAUSED_POOLS: 'guards.pausedPools',
  PARTIAL_BATCHES: 'guards.partialBatches.mode',
  KEEPER_TASKS: 'keeper.tasks',
  KEEPER_SUBJECTS: 'keeper.subjects',
  DAILY_CLOSES_URLS: 'keeper.purchases.closesUrls',
  TREASURY_FLOORS: 'keeper.treasury.floors',
  TREASURY_CONVERSIONS: 'keeper.treasury.conversions',
  CORS_ORIGINS: null,
  METRICS_HOST: null,
  METRICS_PORT: null,
  SHARED_HOST: null,
  SHARED_PORT: null,
  CURATOR_API_TOKENS: null,
  OPERATOR_API_TOKENS: null,
};

/**
 * Paths of settings that have no option. These settings belong to a process with an HTTP interface,
 * or to tests that kill the process.
 */
const OF_A_PROCESS = /^(?:http\.|relay\.waitForConfirmationMs$|engine\.crash)/;
/** Options that have no variable. */
const PARTS = new Set(['profile', 'verificationKey', 'store.quotes', 'logger']);

/** Option of each variable that has an option. The sequence is that of the variables. */
export const OPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries(VARIABLES).flatMap(([name, { place }]) => {
    const unplaced: Readonly<Record<string, string | null>> = OPTION_OF_UNPLACED;
    const option = place ?? unplaced[name] ?? null;
    return option === null || OF_A_PROCESS.test(option) ? [] : [[name, option] as const];
  }),
);
/** Option for a single node, which can be used instead of `node.urls`. */
const ONE_NODE = { name: 'STARKNET_RPC_URL', option: 'node.url' };
const VARIABLE_OF = new Map([
  ...[...OPTIONS].map(([name, option]) => [option, name] as const),
  [ONE_NODE.option, ONE_NODE.name],
  ...REMOVED_OPTIONS,
]);
const OPTION_OF = new Map([...VARIABLE_OF].map(([option, name]) => [name, option] as const));

/**
 * Creates settings from options. The schemas, rules and defaults are those of the environment.
 * @throws InvalidConfiguration if options are invalid; all problems are listed, with the names of
 *   options
 */
export function settingsOfOptions({
  profile,
  verificationKey,
  ...options
}: RelayerOptions): Settings {
  const env: Record<string, string> = {};
  const unknown = [...textsOf(options, '', env)];
  const read = readVariables(VARIABLES, RULES, {
    // In the environment, the two files are given by paths. Here, their contents are options, so
    // these placeholders replace the paths.
    env: { ...env, NETWORK_PROFILE: 'profile', VERIFICATION_KEY_PATH: 'verificationKey' },
  });
  const removed = removedSettings(env);
  const problems = [...unknown, ...read.problems, ...removed.problems];
  try {
    return checkSettings({ ...read, problems }, removed.warnings.map(inOptions), {
      profile: { ok: true, value: profile },
      keyNamed: () =>
        verificationKey === undefined
          ? null
          : { source: 'VERIFICATION_KEY_PATH', json: { ok: true, value: verificationKey } },
    });
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    throw new InvalidConfiguration(error.problems.map(inOptions));
  }
}

/**
 * Adds the text of each option to `env`, under its variable. @returns a problem for each unknown
 * option
 */
function* textsOf(group: object, path: string, env: Record<string, string>): Iterable<string> {
  for (const [name, value] of Object.entries(group)) {
    const option = `${path}${name}`;
    const variable = VARIABLE_OF.get(option);
    if (value === undefined || value === null || PARTS.has(option)) continue;
    if (variable !== undefined) env[variable] = textOf(value);
    else if (typeof value === 'object' && isGroup(option)) yield* textsOf(value, `${option}.`, env);
    else yield `${option}: there is no such option`;
  }
}

const isGroup = (path: string): boolean =>
  [...VARIABLE_OF.keys()].some((option) => option.startsWith(`${path}.`));

/**
 * Formats a value as text, as it would be in the environment. A list of texts is separated by
 * commas; other lists and records are JSON.
 */
function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(',');
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value, amountAsText);
}

function amountAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

const VARIABLE_NAME = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)*\b/g;

/** Replaces names of variables in a problem by the names of their options. */
function inOptions(problem: string): string {
  return problem.replaceAll(VARIABLE_NAME, (name) => OPTION_OF.get(name) ?? name);
}
