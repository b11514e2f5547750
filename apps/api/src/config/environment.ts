import { hostname } from 'node:os';
import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { VARIABLES } from './variables.js';

type Name = keyof typeof VARIABLES;

/** A rule over several variables that is checked as soon as these are fine by themselves, whatever the others are. */
const once = (...names: readonly Name[]) => ({
  path: names.slice(-1),
  when: ({ issues }: z.core.ParsePayload): boolean => issues.every(({ path }) => !names.some((name) => name === path?.[0])),
});

interface MaybeUrl {
  reveal(): string;
}
const isHttps = (url: MaybeUrl | undefined): boolean => url === undefined || new URL(url.reveal()).protocol === 'https:';
const NO_PLAIN_HTTP = 'must be an https URL in production';
const NO_SAMPLE_KEY = 'a sample key stands here: in production every key must be your own';

/** The variables, parsed one by one, and the rules over several of them. The last variable of a rule is the one that is blamed. */
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
  .refine(({ MODE, FEE_ADDRESS }) => MODE !== 'production' || FEE_ADDRESS !== undefined, {
    message: 'is required in production',
    ...once('MODE', 'FEE_ADDRESS'),
  })
  .refine(({ MODE, PRICE_API_URL }) => MODE !== 'production' || PRICE_API_URL !== undefined, {
    message: 'is required in production',
    ...once('MODE', 'PRICE_API_URL'),
  })
  .refine(({ MODE, RELAY_ACCOUNTS }) => MODE !== 'production' || RELAY_ACCOUNTS.every(({ isSample }) => !isSample), {
    message: NO_SAMPLE_KEY,
    ...once('MODE', 'RELAY_ACCOUNTS'),
  })
  .refine(({ MODE, SWAP_OWNER_ACCOUNT }) => MODE !== 'production' || SWAP_OWNER_ACCOUNT?.isSample !== true, {
    message: NO_SAMPLE_KEY,
    ...once('MODE', 'SWAP_OWNER_ACCOUNT'),
  })
  .refine(({ MODE, SOTTO_CRASH_AT }) => MODE !== 'production' || SOTTO_CRASH_AT === undefined, {
    message: 'is for development only',
    ...once('MODE', 'SOTTO_CRASH_AT'),
  })
  .refine(({ AGGREGATOR_URL, SWAP_OWNER_ACCOUNT }) => AGGREGATOR_URL === undefined || SWAP_OWNER_ACCOUNT !== undefined, {
    message: 'is required with AGGREGATOR_URL',
    ...once('AGGREGATOR_URL', 'SWAP_OWNER_ACCOUNT'),
  })
  .refine(({ AGGREGATOR_URL, SWAP_OWNER_ACCOUNT }) => SWAP_OWNER_ACCOUNT === undefined || AGGREGATOR_URL !== undefined, {
    message: 'is required with SWAP_OWNER_ACCOUNT',
    ...once('SWAP_OWNER_ACCOUNT', 'AGGREGATOR_URL'),
  })
  .refine(({ RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT }) => RELAY_ACCOUNTS.every(({ address }) => address !== SWAP_OWNER_ACCOUNT?.address), {
    message: 'must be none of RELAY_ACCOUNTS: one account has one sequence of nonces',
    ...once('RELAY_ACCOUNTS', 'SWAP_OWNER_ACCOUNT'),
  })
  .refine(({ PRICE_API_URL, PRICE_QUORUM = 1 }) => PRICE_QUORUM === 1 || PRICE_API_URL !== undefined, {
    message: 'is above the number of sources: PRICE_API_URL names the second',
    ...once('PRICE_API_URL', 'PRICE_QUORUM'),
  })
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
