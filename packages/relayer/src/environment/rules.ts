import type { Felt } from '@sotto/kernel';
import { rulesOver, type NamedToken, type Secret } from '@sotto/settings';
import { priceSourcesOf, pushOf } from './settings.js';
import type { VARIABLES } from './variables.js';

/** Minimum length of a bearer token in production: 32 characters of base64 are 192 bits. */
const MIN_TOKEN_LENGTH = 32;
const TOO_SHORT = `must have ${MIN_TOKEN_LENGTH} characters or more in production`;
const NO_PLAIN_HTTP = 'must be an https URL in production';
const NO_SAMPLE_KEY = 'a sample key is set here: in production every key must be your own';
const OTHER_ROLE = 'must be none of RELAY_ACCOUNTS: one account has one sequence of nonces';
const REQUIRED = 'is required in production';

type Mode = 'production' | 'development';
const areLong = (tokens: readonly NamedToken[] = []): boolean =>
  tokens.every(({ token }) => token.reveal().length >= MIN_TOKEN_LENGTH);
const isHttps = (url: Secret | undefined): boolean =>
  url === undefined || new URL(url.reveal()).protocol === 'https:';

interface Addressed {
  readonly address: Felt;
  readonly privateKey: Secret | null;
}
interface Signing {
  readonly RELAY_ACCOUNTS: readonly Addressed[];
  readonly SWAP_OWNER_ACCOUNT: Addressed | undefined;
  readonly CURATOR_ACCOUNT: Addressed | undefined;
  readonly KEEPER_ACCOUNTS: readonly Addressed[] | undefined;
  readonly TREASURY_ACCOUNT: Addressed | undefined;
}
/** Variables that contain signing accounts. */
const SIGNING = [
  'RELAY_ACCOUNTS',
  'SWAP_OWNER_ACCOUNT',
  'CURATOR_ACCOUNT',
  'KEEPER_ACCOUNTS',
  'TREASURY_ACCOUNT',
] as const satisfies readonly (keyof Signing)[];
const NOT_SIGNING = `names an account that is not among those that sign: ${SIGNING.join(', ')}`;
const addressesIn = (accounts: readonly Addressed[] | Addressed | undefined): readonly Felt[] =>
  [accounts ?? []].flat().map(({ address }) => address);
const isAmong =
  (signing: Signing) =>
  (account: Felt): boolean =>
    SIGNING.some((name) => addressesIn(signing[name]).includes(account));

/** Variable that each task requires. */
const TASK_NEEDS = [
  ['curator', 'CURATOR_ACCOUNT'],
  ['purchases', 'KEEPER_ACCOUNTS'],
  ['purchases', 'AGGREGATOR_URL'],
  ['purchases', 'PRICE_API_URL'],
  ['leverage', 'CURATOR_ACCOUNT'],
  ['leverage', 'AGGREGATOR_URL'],
  ['leverage', 'PRICE_API_URL'],
  ['treasury', 'TREASURY_ACCOUNT'],
  ['treasury', 'TREASURY_FLOORS'],
] as const;

const KEY_MISSING = 'needs a privateKey, unless a signer at SIGNER_URL holds it';
const KEY_LEFT = 'must have no privateKey: the signer at SIGNER_URL holds it';
const areHeldWhere =
  (isHere: boolean) =>
  (accounts: readonly Addressed[] | Addressed | undefined): boolean =>
    [accounts ?? []].flat().every(({ privateKey }) => (privateKey !== null) === isHere);

const rule = rulesOver<typeof VARIABLES>();
const isDevelopment = (mode: Mode): boolean => mode === 'development';

/** Rules over several variables. A violation is reported for the rule's last variable. */
export const RULES = [
  ...(
    ['PRICE_API_URL', 'EXCHANGE_PRICES_URL', 'AGGREGATOR_URL', 'REWARDS_URL', 'BRIDGE_URL'] as const
  ).map((name) =>
    rule(
      ['MODE', name],
      NO_PLAIN_HTTP,
      ({ MODE, [name]: url }) => isDevelopment(MODE) || isHttps(url),
    ),
  ),
  rule(
    ['MODE', 'STARKNET_RPC_URLS'],
    NO_PLAIN_HTTP,
    ({ MODE, STARKNET_RPC_URLS }) =>
      isDevelopment(MODE) || STARKNET_RPC_URLS.every(({ url }) => isHttps(url)),
  ),
  rule(
    ['MODE', 'STARKNET_WS_URL'],
    'must be wss URLs in production',
    ({ MODE, STARKNET_WS_URL = [] }) =>
      isDevelopment(MODE) ||
      STARKNET_WS_URL.every(({ url }) => new URL(url.reveal()).protocol === 'wss:'),
  ),
  rule(
    ['STARKNET_RPC_URLS', 'STARKNET_WS_URL'],
    'must have at most one address for each node of STARKNET_RPC_URLS, by its name or its place',
    (values) =>
      new Set(pushOf(values).map(({ name }) => name)).size ===
      (values.STARKNET_WS_URL ?? []).length,
  ),
  ...(['FEE_ADDRESS', 'PRICE_API_URL'] as const).map((name) =>
    rule(
      ['MODE', name],
      REQUIRED,
      ({ MODE, [name]: value }) => isDevelopment(MODE) || value !== undefined,
    ),
  ),
  rule(
    ['MODE', 'RELAY_ACCOUNTS'],
    NO_SAMPLE_KEY,
    ({ MODE, RELAY_ACCOUNTS }) =>
      isDevelopment(MODE) || RELAY_ACCOUNTS.every(({ isSample }) => !isSample),
  ),
  rule(
    ['MODE', 'KEEPER_ACCOUNTS'],
    NO_SAMPLE_KEY,
    ({ MODE, KEEPER_ACCOUNTS = [] }) =>
      isDevelopment(MODE) || KEEPER_ACCOUNTS.every(({ isSample }) => !isSample),
  ),
  ...(['SWAP_OWNER_ACCOUNT', 'CURATOR_ACCOUNT', 'TREASURY_ACCOUNT'] as const).map((name) =>
    rule(
      ['MODE', name],
      NO_SAMPLE_KEY,
      ({ MODE, [name]: account }) => isDevelopment(MODE) || account?.isSample !== true,
    ),
  ),
  ...(['SIGNER_CLIENT_CERT', 'SIGNER_CLIENT_KEY', 'SIGNER_CA'] as const).map((name) =>
    rule(
      ['SIGNER_URL', name],
      'is required with an https SIGNER_URL',
      ({ SIGNER_URL: url, [name]: value }) =>
        value !== undefined || !/^https:/i.test(url?.reveal() ?? ''),
    ),
  ),
  ...SIGNING.flatMap((name) => [
    rule(
      ['SIGNER_URL', name],
      KEY_MISSING,
      ({ SIGNER_URL: url, [name]: accounts }) => url !== undefined || areHeldWhere(true)(accounts),
    ),
    rule(
      ['SIGNER_URL', name],
      KEY_LEFT,
      ({ SIGNER_URL: url, [name]: accounts }) => url === undefined || areHeldWhere(false)(accounts),
    ),
  ]),
  ...(['SOTTO_FAILPOINT', 'WALLET_PAGE'] as const).map((name) =>
    rule(
      ['MODE', name],
      'is for development only',
      ({ MODE, [name]: value }) => isDevelopment(MODE) || value === undefined,
    ),
  ),
  rule(
    ['AGGREGATOR_URL', 'KEEPER_TASKS', 'TREASURY_CONVERSIONS', 'SWAP_OWNER_ACCOUNT'],
    'is required with AGGREGATOR_URL',
    ({ AGGREGATOR_URL, KEEPER_TASKS = [], TREASURY_CONVERSIONS, SWAP_OWNER_ACCOUNT }) =>
      AGGREGATOR_URL === undefined ||
      SWAP_OWNER_ACCOUNT !== undefined ||
      TREASURY_CONVERSIONS !== undefined ||
      TASK_NEEDS.some(([task, name]) => name === 'AGGREGATOR_URL' && KEEPER_TASKS.includes(task)),
  ),
  rule(
    ['MODE', 'PARTIAL_BATCHES'],
    'must be aged or operator in production: else a stranger makes crowds of one',
    ({ MODE, PARTIAL_BATCHES }) => isDevelopment(MODE) || PARTIAL_BATCHES !== 'anyone',
  ),
  rule(
    ['MODE', 'BATCH_PARTIAL_AFTER_SECONDS'],
    'must not be 0 in production: the keeper would deploy every pair of deposits at once',
    ({ MODE, BATCH_PARTIAL_AFTER_SECONDS: seconds }) => isDevelopment(MODE) || seconds !== 0,
  ),
  rule(
    ['MODE', 'WEBHOOK_ALLOW_PRIVATE'],
    'is for development only',
    ({ MODE, WEBHOOK_ALLOW_PRIVATE }) => isDevelopment(MODE) || !WEBHOOK_ALLOW_PRIVATE,
  ),
  rule(
    ['WEBHOOK_ALLOW_PRIVATE', 'WEBHOOK_ENDPOINTS'],
    'must have https URLs only, unless WEBHOOK_ALLOW_PRIVATE is true',
    ({ WEBHOOK_ALLOW_PRIVATE, WEBHOOK_ENDPOINTS = [] }) =>
      WEBHOOK_ALLOW_PRIVATE || WEBHOOK_ENDPOINTS.every(({ url }) => isHttps(url)),
  ),
  rule(
    ['MODE', 'DAILY_CLOSES_URLS'],
    NO_PLAIN_HTTP,
    ({ MODE, DAILY_CLOSES_URLS = [] }) => isDevelopment(MODE) || DAILY_CLOSES_URLS.every(isHttps),
  ),
  rule(
    ['SWAP_OWNER_ACCOUNT', 'AGGREGATOR_URL'],
    'is required with SWAP_OWNER_ACCOUNT',
    ({ AGGREGATOR_URL, SWAP_OWNER_ACCOUNT }) =>
      SWAP_OWNER_ACCOUNT === undefined || AGGREGATOR_URL !== undefined,
  ),
  ...(['SWAP_OWNER_ACCOUNT', 'CURATOR_ACCOUNT'] as const).map((name) =>
    rule(['RELAY_ACCOUNTS', name], OTHER_ROLE, ({ RELAY_ACCOUNTS, [name]: account }) =>
      RELAY_ACCOUNTS.every(({ address }) => address !== account?.address),
    ),
  ),
  rule(
    ['SWAP_OWNER_ACCOUNT', 'CURATOR_ACCOUNT'],
    'must not be SWAP_OWNER_ACCOUNT: one account has one sequence of nonces',
    ({ SWAP_OWNER_ACCOUNT, CURATOR_ACCOUNT }) =>
      CURATOR_ACCOUNT === undefined || CURATOR_ACCOUNT.address !== SWAP_OWNER_ACCOUNT?.address,
  ),
  ...(['KEEPER_ACCOUNTS', 'TREASURY_ACCOUNT'] as const).map((name) =>
    rule(
      [...SIGNING, name],
      'must be none of the other accounts that sign: one account has one sequence of nonces',
      (signing) =>
        addressesIn(signing[name]).every((address) =>
          SIGNING.every(
            (other) => other === name || !addressesIn(signing[other]).includes(address),
          ),
        ),
    ),
  ),
  ...TASK_NEEDS.map(([task, name]) =>
    rule(
      ['KEEPER_TASKS', name],
      `is required where KEEPER_TASKS has ${task}`,
      ({ KEEPER_TASKS = [], [name]: value }) => !KEEPER_TASKS.includes(task) || value !== undefined,
    ),
  ),
  ...(['TREASURY_ACCOUNT', 'AGGREGATOR_URL', 'PRICE_API_URL'] as const).map((name) =>
    rule(
      ['TREASURY_CONVERSIONS', name],
      'is required with TREASURY_CONVERSIONS',
      ({ TREASURY_CONVERSIONS, [name]: value }) =>
        TREASURY_CONVERSIONS === undefined || value !== undefined,
    ),
  ),
  rule(
    ['LEVERAGE_REPAY_PER_DAY_USDC', 'TREASURY_ACCOUNT'],
    'is required with LEVERAGE_REPAY_PER_DAY_USDC',
    ({ LEVERAGE_REPAY_PER_DAY_USDC, TREASURY_ACCOUNT }) =>
      LEVERAGE_REPAY_PER_DAY_USDC === undefined || TREASURY_ACCOUNT !== undefined,
  ),
  rule(
    ['FEE_ADDRESS', 'TREASURY_ACCOUNT', 'TREASURY_CONVERSIONS'],
    'needs FEE_ADDRESS to be the address of TREASURY_ACCOUNT: fees are swapped from where they are paid to',
    ({ FEE_ADDRESS, TREASURY_ACCOUNT, TREASURY_CONVERSIONS }) =>
      TREASURY_CONVERSIONS === undefined ||
      TREASURY_ACCOUNT === undefined ||
      FEE_ADDRESS === TREASURY_ACCOUNT.address,
  ),
  rule(
    ['KEEPER_GAS_PER_DAY_FRI', 'KEEPER_GAS_PER_HOUR_FRI'],
    'must be at most KEEPER_GAS_PER_DAY_FRI',
    ({ KEEPER_GAS_PER_DAY_FRI, KEEPER_GAS_PER_HOUR_FRI }) =>
      KEEPER_GAS_PER_HOUR_FRI <= KEEPER_GAS_PER_DAY_FRI,
  ),
  rule(
    ['LEVERAGE_MIN_ROUND_USDC', 'LEVERAGE_MAX_ROUND_USDC'],
    'must be at least LEVERAGE_MIN_ROUND_USDC',
    ({ LEVERAGE_MIN_ROUND_USDC, LEVERAGE_MAX_ROUND_USDC }) =>
      LEVERAGE_MAX_ROUND_USDC >= LEVERAGE_MIN_ROUND_USDC,
  ),
  // An account without API tokens is valid. Then no caller is authorized, and only submissions that
  // the account sent earlier are settled.
  rule(
    ['CURATOR_API_TOKENS', 'CURATOR_ACCOUNT'],
    'is required with CURATOR_API_TOKENS',
    ({ CURATOR_ACCOUNT, CURATOR_API_TOKENS }) =>
      CURATOR_ACCOUNT !== undefined || CURATOR_API_TOKENS === undefined,
  ),
  ...(['CURATOR_API_TOKENS', 'OPERATOR_API_TOKENS'] as const).map((name) =>
    rule(
      ['MODE', name],
      TOO_SHORT,
      ({ MODE, [name]: tokens }) => isDevelopment(MODE) || areLong(tokens),
    ),
  ),
  rule(
    ['OPERATOR_API_TOKENS', 'CONSOLE'],
    'needs OPERATOR_API_TOKENS, which sign in to it',
    ({ CONSOLE, OPERATOR_API_TOKENS }) => !CONSOLE || OPERATOR_API_TOKENS !== undefined,
  ),
  rule(
    ['BRIDGE_API_TOKEN', 'BRIDGE_URL'],
    'is required with BRIDGE_API_TOKEN',
    ({ BRIDGE_URL, BRIDGE_API_TOKEN }) =>
      BRIDGE_API_TOKEN === undefined || BRIDGE_URL !== undefined,
  ),
  rule(
    ['RESEND_AFTER_MS', 'ATTENTION_AFTER_MS'],
    'must be above RESEND_AFTER_MS: before that nothing is wrong with a nonce',
    ({ RESEND_AFTER_MS, ATTENTION_AFTER_MS }) => ATTENTION_AFTER_MS > RESEND_AFTER_MS,
  ),
  rule(
    ['MAX_IN_FLIGHT_PER_LANE', 'NONCE_WINDOW'],
    'must be at least MAX_IN_FLIGHT_PER_LANE',
    ({ MAX_IN_FLIGHT_PER_LANE, NONCE_WINDOW }) => NONCE_WINDOW >= MAX_IN_FLIGHT_PER_LANE,
  ),
  rule([...SIGNING, 'RETIRING_ACCOUNTS'], NOT_SIGNING, ({ RETIRING_ACCOUNTS = [], ...signing }) =>
    RETIRING_ACCOUNTS.every(isAmong(signing)),
  ),
  rule([...SIGNING, 'ACCEPT_EMPTY_LEDGER'], NOT_SIGNING, ({ ACCEPT_EMPTY_LEDGER, ...signing }) =>
    [...(ACCEPT_EMPTY_LEDGER?.nonces.keys() ?? [])].every(isAmong(signing)),
  ),
  // With a shorter lease, one of several instances would lose its lanes between two polls. The rule
  // does not apply to a single instance, because it can lease its lanes again at once.
  rule(
    ['DATABASE_URL', 'IDLE_INTERVAL_MS', 'LEASE_TTL_MS'],
    'must be above IDLE_INTERVAL_MS, which is how often leases are renewed',
    ({ DATABASE_URL, IDLE_INTERVAL_MS, LEASE_TTL_MS }) =>
      DATABASE_URL === undefined || LEASE_TTL_MS > IDLE_INTERVAL_MS,
  ),
  rule(
    ['DATABASE_PATH', 'DATABASE_URL'],
    'give either DATABASE_PATH or DATABASE_URL, not both',
    ({ DATABASE_PATH, DATABASE_URL }) => DATABASE_PATH === undefined || DATABASE_URL === undefined,
  ),
  rule(
    ['MIN_SLIPPAGE_BPS', 'MAX_PRICE_IMPACT_BPS'],
    'must be above MIN_SLIPPAGE_BPS: otherwise no swap could be accepted',
    ({ MIN_SLIPPAGE_BPS, MAX_PRICE_IMPACT_BPS }) => MAX_PRICE_IMPACT_BPS > MIN_SLIPPAGE_BPS,
  ),
  rule(
    ['PRICE_API_URL', 'EXCHANGE_PRICES_URL', 'PRICE_QUORUM'],
    'is above the number of sources: PRICE_API_URL names the second, EXCHANGE_PRICES_URL the third',
    ({ PRICE_QUORUM = 1, ...sources }) => PRICE_QUORUM <= priceSourcesOf(sources),
  ),
];
