import { hostname } from 'node:os';
import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { VARIABLES } from './variables.js';

type Name = keyof typeof VARIABLES;

/**
 * A rule over several variables that is checked as soon as these are fine by themselves, whatever
 * the others are.
 */
const once = (...names: readonly Name[]) => ({
  path: names.slice(-1),
  when: ({ issues }: z.core.ParsePayload): boolean =>
    issues.every(({ path }) => !names.some((name) => name === path?.[0])),
});

interface Revealed {
  reveal(): string;
}
/** Of a bearer token in production: 32 characters of base64 are 192 bits. */
const MIN_TOKEN_LENGTH = 32;
const isHttps = (url: Revealed | undefined): boolean =>
  url === undefined || new URL(url.reveal()).protocol === 'https:';
const NO_PLAIN_HTTP = 'must be an https URL in production';
const isLong = (token: Revealed | undefined): boolean =>
  token === undefined || token.reveal().length >= MIN_TOKEN_LENGTH;
const TOO_SHORT = `must have ${MIN_TOKEN_LENGTH} characters or more in production`;
const OTHER_ROLE = 'must be none of RELAY_ACCOUNTS: one account has one sequence of nonces';
interface Signing {
  readonly RELAY_ACCOUNTS: readonly { readonly address: Felt }[];
  readonly SWAP_OWNER_ACCOUNT?: { readonly address: Felt } | undefined;
  readonly CURATOR_ACCOUNT?: { readonly address: Felt } | undefined;
}
const isAmong =
  ({ RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT, CURATOR_ACCOUNT }: Signing) =>
  (account: Felt): boolean =>
    [...RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT, CURATOR_ACCOUNT].some(
      (signing) => signing?.address === account,
    );
const NOT_SIGNING =
  'names an account that is not among those that sign: RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT, CURATOR_ACCOUNT';
const NO_SAMPLE_KEY = 'a sample key stands here: in production every key must be your own';

/**
 * The variables, parsed one by one, and the rules over several of them. The last variable of a rule
 * is the one that is blamed.
 */
export const Environment = z
  .object(VARIABLES)
  .refine(({ MODE, STARKNET_RPC_URL }) => MODE !== 'production' || isHttps(STARKNET_RPC_URL), {
    message: NO_PLAIN_HTTP,
    ...once('MODE', 'STARKNET_RPC_URL'),
  })
  .refine(({ MODE, PRICE_API_URL }) => MODE !== 'production' || isHttps(PRICE_API_URL), {
    message: NO_PLAIN_HTTP,
    ...once('MODE', 'PRICE_API_URL'),
  })
  .refine(({ MODE, AGGREGATOR_URL }) => MODE !== 'production' || isHttps(AGGREGATOR_URL), {
    message: NO_PLAIN_HTTP,
    ...once('MODE', 'AGGREGATOR_URL'),
  })
  .refine(({ MODE, REWARDS_URL }) => MODE !== 'production' || isHttps(REWARDS_URL), {
    message: NO_PLAIN_HTTP,
    ...once('MODE', 'REWARDS_URL'),
  })
  .refine(({ MODE, BRIDGE_URL }) => MODE !== 'production' || isHttps(BRIDGE_URL), {
    message: NO_PLAIN_HTTP,
    ...once('MODE', 'BRIDGE_URL'),
  })
  .refine(({ MODE, FEE_ADDRESS }) => MODE !== 'production' || FEE_ADDRESS !== undefined, {
    message: 'is required in production',
    ...once('MODE', 'FEE_ADDRESS'),
  })
  .refine(({ MODE, PRICE_API_URL }) => MODE !== 'production' || PRICE_API_URL !== undefined, {
    message: 'is required in production',
    ...once('MODE', 'PRICE_API_URL'),
  })
  .refine(
    ({ MODE, RELAY_ACCOUNTS }) =>
      MODE !== 'production' || RELAY_ACCOUNTS.every(({ isSample }) => !isSample),
    {
      message: NO_SAMPLE_KEY,
      ...once('MODE', 'RELAY_ACCOUNTS'),
    },
  )
  .refine(
    ({ MODE, SWAP_OWNER_ACCOUNT }) =>
      MODE !== 'production' || SWAP_OWNER_ACCOUNT?.isSample !== true,
    {
      message: NO_SAMPLE_KEY,
      ...once('MODE', 'SWAP_OWNER_ACCOUNT'),
    },
  )
  .refine(
    ({ MODE, CURATOR_ACCOUNT }) => MODE !== 'production' || CURATOR_ACCOUNT?.isSample !== true,
    {
      message: NO_SAMPLE_KEY,
      ...once('MODE', 'CURATOR_ACCOUNT'),
    },
  )
  .refine(({ MODE, SOTTO_FAILPOINT }) => MODE !== 'production' || SOTTO_FAILPOINT === undefined, {
    message: 'is for development only',
    ...once('MODE', 'SOTTO_FAILPOINT'),
  })
  .refine(
    ({ AGGREGATOR_URL, SWAP_OWNER_ACCOUNT }) =>
      AGGREGATOR_URL === undefined || SWAP_OWNER_ACCOUNT !== undefined,
    {
      message: 'is required with AGGREGATOR_URL',
      ...once('AGGREGATOR_URL', 'SWAP_OWNER_ACCOUNT'),
    },
  )
  .refine(
    ({ AGGREGATOR_URL, SWAP_OWNER_ACCOUNT }) =>
      SWAP_OWNER_ACCOUNT === undefined || AGGREGATOR_URL !== undefined,
    {
      message: 'is required with SWAP_OWNER_ACCOUNT',
      ...once('SWAP_OWNER_ACCOUNT', 'AGGREGATOR_URL'),
    },
  )
  .refine(
    ({ RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT }) =>
      RELAY_ACCOUNTS.every(({ address }) => address !== SWAP_OWNER_ACCOUNT?.address),
    {
      message: OTHER_ROLE,
      ...once('RELAY_ACCOUNTS', 'SWAP_OWNER_ACCOUNT'),
    },
  )
  .refine(
    ({ RELAY_ACCOUNTS, CURATOR_ACCOUNT }) =>
      RELAY_ACCOUNTS.every(({ address }) => address !== CURATOR_ACCOUNT?.address),
    {
      message: OTHER_ROLE,
      ...once('RELAY_ACCOUNTS', 'CURATOR_ACCOUNT'),
    },
  )
  .refine(
    ({ SWAP_OWNER_ACCOUNT, CURATOR_ACCOUNT }) =>
      CURATOR_ACCOUNT === undefined || CURATOR_ACCOUNT.address !== SWAP_OWNER_ACCOUNT?.address,
    {
      message: 'must not be SWAP_OWNER_ACCOUNT: one account has one sequence of nonces',
      ...once('SWAP_OWNER_ACCOUNT', 'CURATOR_ACCOUNT'),
    },
  )
  // An account alone is fine: no caller is authorized then, and what the account sent before is
  // still settled.
  .refine(
    ({ CURATOR_ACCOUNT, CURATOR_API_TOKEN, CURATOR_API_TOKENS }) =>
      CURATOR_ACCOUNT !== undefined ||
      (CURATOR_API_TOKEN === undefined && CURATOR_API_TOKENS === undefined),
    {
      message: 'is required with CURATOR_API_TOKEN or CURATOR_API_TOKENS',
      ...once('CURATOR_API_TOKEN', 'CURATOR_API_TOKENS', 'CURATOR_ACCOUNT'),
    },
  )
  .refine(
    ({ CURATOR_API_TOKEN, CURATOR_API_TOKENS }) =>
      CURATOR_API_TOKEN === undefined || CURATOR_API_TOKENS === undefined,
    {
      message: 'give either CURATOR_API_TOKEN or CURATOR_API_TOKENS, not both',
      ...once('CURATOR_API_TOKENS', 'CURATOR_API_TOKEN'),
    },
  )
  .refine(({ MODE, CURATOR_API_TOKEN }) => MODE !== 'production' || isLong(CURATOR_API_TOKEN), {
    message: TOO_SHORT,
    ...once('MODE', 'CURATOR_API_TOKEN'),
  })
  .refine(
    ({ MODE, CURATOR_API_TOKENS = [] }) =>
      MODE !== 'production' || CURATOR_API_TOKENS.every(({ token }) => isLong(token)),
    {
      message: TOO_SHORT,
      ...once('MODE', 'CURATOR_API_TOKENS'),
    },
  )
  .refine(
    ({ OPERATOR_API_TOKEN, OPERATOR_API_TOKENS }) =>
      OPERATOR_API_TOKEN === undefined || OPERATOR_API_TOKENS === undefined,
    {
      message: 'give either OPERATOR_API_TOKEN or OPERATOR_API_TOKENS, not both',
      ...once('OPERATOR_API_TOKENS', 'OPERATOR_API_TOKEN'),
    },
  )
  .refine(({ MODE, OPERATOR_API_TOKEN }) => MODE !== 'production' || isLong(OPERATOR_API_TOKEN), {
    message: TOO_SHORT,
    ...once('MODE', 'OPERATOR_API_TOKEN'),
  })
  .refine(
    ({ MODE, OPERATOR_API_TOKENS = [] }) =>
      MODE !== 'production' || OPERATOR_API_TOKENS.every(({ token }) => isLong(token)),
    {
      message: TOO_SHORT,
      ...once('MODE', 'OPERATOR_API_TOKENS'),
    },
  )
  .refine(
    ({ BRIDGE_URL, BRIDGE_API_TOKEN }) =>
      BRIDGE_API_TOKEN === undefined || BRIDGE_URL !== undefined,
    {
      message: 'is required with BRIDGE_API_TOKEN',
      ...once('BRIDGE_API_TOKEN', 'BRIDGE_URL'),
    },
  )
  .refine(({ RESEND_AFTER_MS, ATTENTION_AFTER_MS }) => ATTENTION_AFTER_MS > RESEND_AFTER_MS, {
    message: 'must be above RESEND_AFTER_MS: before that nothing is wrong with a nonce',
    ...once('RESEND_AFTER_MS', 'ATTENTION_AFTER_MS'),
  })
  .refine(({ MAX_IN_FLIGHT_PER_LANE, NONCE_WINDOW }) => NONCE_WINDOW >= MAX_IN_FLIGHT_PER_LANE, {
    message: 'must be at least MAX_IN_FLIGHT_PER_LANE',
    ...once('MAX_IN_FLIGHT_PER_LANE', 'NONCE_WINDOW'),
  })
  .refine(({ RETIRING_ACCOUNTS = [], ...env }) => RETIRING_ACCOUNTS.every(isAmong(env)), {
    message: NOT_SIGNING,
    ...once('RELAY_ACCOUNTS', 'SWAP_OWNER_ACCOUNT', 'CURATOR_ACCOUNT', 'RETIRING_ACCOUNTS'),
  })
  .refine(
    ({ ACCEPT_EMPTY_LEDGER, ...env }) =>
      [...(ACCEPT_EMPTY_LEDGER?.nonces.keys() ?? [])].every(isAmong(env)),
    {
      message: NOT_SIGNING,
      ...once('RELAY_ACCOUNTS', 'SWAP_OWNER_ACCOUNT', 'CURATOR_ACCOUNT', 'ACCEPT_EMPTY_LEDGER'),
    },
  )
  // A single instance takes its lanes back at once; of several, each would lose them between two
  // looks.
  .refine(
    ({ DATABASE_URL, IDLE_INTERVAL_MS, LEASE_TTL_MS }) =>
      DATABASE_URL === undefined || LEASE_TTL_MS > IDLE_INTERVAL_MS,
    {
      message: 'must be above IDLE_INTERVAL_MS, which is how often leases are renewed',
      ...once('DATABASE_URL', 'IDLE_INTERVAL_MS', 'LEASE_TTL_MS'),
    },
  )
  .refine(
    ({ DATABASE_PATH, DATABASE_URL }) => DATABASE_PATH === undefined || DATABASE_URL === undefined,
    {
      message: 'give either DATABASE_PATH or DATABASE_URL, not both',
      ...once('DATABASE_PATH', 'DATABASE_URL'),
    },
  )
  .refine(({ MIN_SLIPPAGE_BPS, MAX_PRICE_IMPACT_BPS }) => MAX_PRICE_IMPACT_BPS > MIN_SLIPPAGE_BPS, {
    message: 'must be above MIN_SLIPPAGE_BPS: no swap could be taken otherwise',
    ...once('MIN_SLIPPAGE_BPS', 'MAX_PRICE_IMPACT_BPS'),
  })
  .refine(
    ({ PRICE_API_URL, PRICE_QUORUM = 1 }) => PRICE_QUORUM === 1 || PRICE_API_URL !== undefined,
    {
      message: 'is above the number of sources: PRICE_API_URL names the second',
      ...once('PRICE_API_URL', 'PRICE_QUORUM'),
    },
  )
  .transform((variables) => ({
    ...variables,
    FEE_ADDRESS: variables.FEE_ADDRESS ?? firstAddress(variables.RELAY_ACCOUNTS),
    INSTANCE_ID: variables.INSTANCE_ID ?? hostname(),
  }));
export type Environment = z.output<typeof Environment>;

function firstAddress([first]: readonly { readonly address: Felt }[]): Felt {
  if (first === undefined) throw new Error('the schema let an empty list of accounts through');
  return first.address;
}
