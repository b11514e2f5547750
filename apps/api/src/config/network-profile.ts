import { z } from 'zod';
import { Address, ChainId, EntrypointName } from './values.js';

const Key = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and underscores')
  .max(40);

const Token = z.strictObject({ address: Address, decimals: z.int().min(0).max(30) });

const Pool = z.strictObject({
  /** Name of the pool for people and settings. */
  key: Key,
  address: Address,
  /** What is deposited. */
  token: z.enum(['WBTC', 'USDC']),
  kind: z.enum(['v4']),
});

/** Views of a pool contract. Defaults: facts of the V4 contracts. */
const PoolEntrypoints = z.strictObject({
  maxFee: EntrypointName.default('max_fee'),
  nextIndex: EntrypointName.default('get_next_index'),
  undeployedCount: EntrypointName.default('undeployed_count'),
  isKnownRoot: EntrypointName.default('is_known_root'),
  isSpent: EntrypointName.default('is_spent'),
});

/**
 * What is deployed on one network: a redeployment is a change of this file and of no code.
 * `verificationKey` is a path relative to the file, to snarkjs' JSON of the pools' verification key.
 */
export const NetworkProfile = z
  .strictObject({
    name: Key,
    chainId: ChainId,
    tokens: z.strictObject({ STRK: Token, WBTC: Token, USDC: Token.optional() }),
    oracle: z.strictObject({ kind: z.enum(['pragma']), address: Address }),
    verificationKey: z.string().min(1).max(500),
    pools: z.array(Pool).min(1).max(100),
    entrypoints: z.strictObject({ pool: PoolEntrypoints.prefault({}) }).prefault({}),
  })
  .refine(({ pools }) => unique(pools.map(({ address }) => address)), { path: ['pools'], message: 'an address stands here twice' })
  .refine(({ pools }) => unique(pools.map(({ key }) => key)), { path: ['pools'], message: 'a key stands here twice' })
  .refine(({ pools, tokens }) => pools.every(({ token }) => tokens[token] !== undefined), {
    path: ['tokens'],
    message: "a pool's token is missing",
  });
export type NetworkProfile = z.output<typeof NetworkProfile>;

function unique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
