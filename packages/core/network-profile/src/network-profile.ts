import { VAULT_IDS } from '@sotto/curator-core';
import { z } from 'zod';
import { Leverage, Purchases } from './keeper-schemas.js';
import { Address, ChainId, EntrypointName, GasAmount } from './values.js';

const Key = z
  .string()
  .regex(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, underscores and dashes')
  .max(40);

/**
 * Name of a token in this file. Only their addresses identify other tokens, since two tokens may
 * bear one symbol.
 */
const TokenSymbol = z
  .string()
  .regex(/^[A-Za-z][\w.-]*$/, 'must be the symbol of a token')
  .max(20);

const Token = z.strictObject({ address: Address, decimals: z.int().min(0).max(30) });

const POOL_KINDS = ['withdraw', 'swap_input', 'stable'] as const;

/** The interface states amounts of a pool's token as JSON numbers, exactly. */
const MAX_POOL_DECIMALS = 8;

/** Which verifier a pool asks: several may ask one. */
const VERIFIER = {
  verifier: Address.exactOptional().meta({
    description:
      'The contract that checks its proofs. Its class is compared at start, and each minute after, with `verifierClass` and the key’s `verifierClassHashes`.',
  }),
  verifierClass: Address.exactOptional().meta({
    description: 'The class hash that `verifier` must have.',
  }),
};

const Pool = z.strictObject({
  key: Key.meta({ description: 'Name of the pool for people and settings.' }),
  address: Address,
  token: TokenSymbol.meta({
    description:
      'What is deposited: a key of `tokens` that has at most 8 decimals, and a price in `oracle.pairs`.',
  }),
  kind: z.enum(POOL_KINDS, 'must be withdraw, swap_input or stable').meta({
    description:
      'What is done with its notes. `withdraw`: they are withdrawn. `stable`: the same for a stablecoin. `swap_input`: a WBTC pool whose notes are withdrawn or swapped privately; from the others a swap is refused. `swapPool` is the fourth kind, `swap_output`: its notes hold what a swap brought, and are withdrawn.',
  }),
  ...VERIFIER,
  batchSizes: z
    .array(z.int().min(1).max(1_024))
    .min(1)
    .max(10)
    .default([3, 5, 7])
    .meta({ description: 'Counts that `deploy_batch` takes.' }),
  deploysItself: z.boolean().default(false).meta({
    description:
      'Whether the contract deploys full batches by itself, in the deposit that completes one: the keeper’s task `batches` leaves the pool alone then. No view of a contract says so.',
  }),
  hashesBeforePayment: z.boolean().default(false).meta({
    description:
      'Whether `deposit` hashes the commitment into the tree before it takes the money. Relayed deposits into such a pool always go with the `guard`, since a depositor could take the allowance away at the last moment. No view of a contract says so.',
  }),
  denominationDivisor: z.int().min(1).default(1).meta({
    description:
      'The API divides the contract’s denomination by this and returns it as `denomination`: 10000 gives 6-decimal USDC in cents. It must divide without rest.',
  }),
  deployedAt: z.int().min(0).default(0).meta({
    description:
      'Block in which the pool was deployed: a spent note is looked up from there on, which costs the node less than the whole chain.',
  }),
});

const SwapPool = z.strictObject({
  key: Key.default('swap_pool').meta({
    description: 'Name of the pool for people and settings, as those of `pools`.',
  }),
  address: Address,
  ...VERIFIER,
  outputTokens: z.array(TokenSymbol).min(1).max(20).meta({
    description:
      'What may be swapped into: keys of `tokens`. One that has not two prices, of the oracle and of `PRICE_API_URL`, is not offered.',
  }),
  routers: z.array(Address).min(1).max(5).meta({
    description:
      'The aggregator’s routers. A swap that goes through any other contract is refused.',
  }),
  branchRoutes: z.boolean().default(false).meta({
    description:
      'Whether the contract can read `branch` routes; one compiled against the router’s older form can’t.',
  }),
  deployedAt: z
    .int()
    .min(0)
    .default(0)
    .meta({ description: 'Block in which the pool was deployed, as for `pools`.' }),
  payoutRule: z
    .enum(['denomination', 'even_share'], 'must be denomination or even_share')
    .default('denomination')
    .meta({
      description:
        'What an input pool pays out besides the fee: `denomination` counts on nothing more than the deposit, `even_share` adds an equal part of what the active deposits have earned.',
    }),
});

const Vault = z.strictObject({
  id: z.enum(VAULT_IDS, `must be one of ${VAULT_IDS.join(', ')}`),
  address: Address,
  entrypoint: EntrypointName.exactOptional().meta({
    description:
      'The method that deploys idle WBTC. Without it, the one that the interface’s specification names for the vault.',
  }),
  calldata: z
    .array(z.union([z.literal('amount'), z.int().min(0)], 'must be "amount" or a whole number'))
    .min(1)
    .max(10)
    .refine((recipe) => recipe.includes('amount'), 'must contain "amount"')
    .exactOptional()
    .meta({
      description:
        'Its arguments in order: `"amount"` is the idle balance as u256 (two felts), a number is that felt. Without it, `["amount"]`, and `["amount", 3]` for trident.',
    }),
  leverage: Leverage.exactOptional().meta({
    description:
      'How the vault borrows USDC against its WBTC and goes back. Without it the keeper leaves its leverage alone.',
  }),
});

const LendingPool = z.strictObject({
  slug: Key,
  name: z.string().min(1).max(60),
  address: Address,
  vaultToken: Address.meta({ description: 'The share token of WBTC in this pool.' }),
  vaultTokenSymbol: TokenSymbol,
  risk: z
    .strictObject({
      label: z.string().min(1).max(40),
      level: z.literal([1, 2, 3, 4, 5], 'must be a whole number from 1 to 5'),
    })
    .meta({ description: 'As the API returns it to users: 1 is the lowest.' }),
});

/** Views of a pool contract. Defaults: the V4 contracts. */
const PoolEntrypoints = z.strictObject({
  denomination: EntrypointName.default('denomination'),
  undeployedCount: EntrypointName.default('undeployed_count'),
  activeDeposits: EntrypointName.default('active_deposits'),
  totalDeposits: EntrypointName.default('total_deposits'),
  totalAssets: EntrypointName.default('total_assets'),
  maxFeeBps: EntrypointName.default('max_fee_bps'),
  maxFee: EntrypointName.default('max_fee'),
  nextIndex: EntrypointName.default('get_next_index'),
  isKnownRoot: EntrypointName.default('is_known_root'),
  isSpent: EntrypointName.default('is_spent'),
  isKnownCommitment: EntrypointName.default('is_known_commitment'),
  lastRoot: EntrypointName.default('get_last_root'),
});

const Pair = z
  .string()
  .regex(/^[A-Z0-9]+\/USD$/, 'must be a pair such as BTC/USD')
  .max(31);

const DEFAULT_PAIRS = {
  STRK: 'STRK/USD',
  WBTC: 'WBTC/USD',
  USDC: 'USDC/USD',
  ETH: 'ETH/USD',
} as const;

const Oracle = z.strictObject({
  kind: z.enum(['pragma'], 'must be pragma'),
  address: Address,
  pairs: z
    .object({
      STRK: Pair.default(DEFAULT_PAIRS.STRK),
      WBTC: Pair.default(DEFAULT_PAIRS.WBTC),
      USDC: Pair.default(DEFAULT_PAIRS.USDC),
      ETH: Pair.default(DEFAULT_PAIRS.ETH),
    })
    .catchall(Pair)
    .prefault({})
    .meta({
      description:
        'The oracle’s names of the prices, by key of `tokens`. A token without one can’t be swapped into.',
    }),
});

/**
 * Defaults: the table of limits in the interface's specification; data gas as in the protocol's fee
 * formula.
 */
const Limits = z.strictObject({
  depositL2Gas: GasAmount.prefault(800_000).meta({ description: 'Estimate of one deposit.' }),
  deployBatchL2Gas: GasAmount.prefault(1_200_000).meta({ description: 'Estimate of one batch.' }),
  depositsPerBatch: GasAmount.prefault(3).meta({
    description: 'Deposits that share the cost of a batch.',
  }),
  withdrawL2Gas: GasAmount.prefault(35_000_000).meta({
    description: 'Estimate of one withdrawal, until receipts of the pool say what one uses.',
  }),
  privateSwapL2Gas: GasAmount.prefault(40_000_000).meta({
    description: 'Estimate of one private swap, until receipts say what one uses.',
  }),
  l1DataGasPerStep: GasAmount.prefault(5_000).meta({
    description: 'Estimate of each of these transactions.',
  }),
  withdrawalBounds: z
    .strictObject({
      l2Gas: GasAmount.prefault(1_200_000_000),
      l1Gas: GasAmount.prefault(256),
      l1DataGas: GasAmount.prefault(20_480),
      priceMultiplier: GasAmount.prefault(3),
    })
    .prefault({})
    .meta({
      description:
        'Most that a withdrawal or private swap may use, and how far above the present price it may pay.',
    }),
});

/**
 * Checks a rule over several fields as soon as these are fine by themselves, whatever the others
 * are; what is no object has no fields.
 */
const over = (...fields: readonly string[]) => ({
  when: ({ issues }: z.core.ParsePayload): boolean =>
    issues.every(
      ({ code, path: [first] = [] }) =>
        !fields.some((field) => field === first) &&
        (first !== undefined || code !== 'invalid_type'),
    ),
});

/**
 * What is deployed on one network: a redeployment is a change of this file and of no code.
 * Addresses are taken in any spelling and canonical from here on.
 */
export const NetworkProfile = z
  .strictObject({
    name: Key.meta({ description: 'For people and logs.' }),
    chainId: ChainId.meta({
      description: 'Such as `SN_MAIN`. The service starts on no other chain.',
    }),
    blocksOnDemand: z.boolean().default(false).meta({
      description:
        'Whether the chain makes a block only when there is something in it, as a devnet does. Then the service judges its ledger at start by any block; otherwise by one that is younger than the process (docs/submission-machine.md). Never set it for a public network: a node that lags behind a restored ledger could make the service pay twice.',
    }),
    verificationKey: z.string().min(1).max(500).optional().meta({
      description:
        'Path, relative to this file, of snarkjs’ JSON of the verification key that the pools’ proofs are checked against. `VERIFICATION_KEY_PATH` takes its place, and must be set when it is missing. The hashes of the verifier classes that were generated from the key may stand beside its points, as `verifierClassHashes`.',
    }),
    tokens: z.object({ STRK: Token, WBTC: Token, USDC: Token }).catchall(Token).meta({
      description:
        'By symbol. STRK pays gas, pools hold WBTC, USDC or others, and any may be swapped into.',
    }),
    oracle: Oracle.meta({ description: 'The contract whose market prices come first.' }),
    pools: z
      .array(Pool)
      .min(1)
      .max(100)
      .meta({ description: 'The pools that are served; any other is refused.' }),
    swapPool: SwapPool.optional().meta({ description: 'Without it there are no private swaps.' }),
    guard: z
      .strictObject({
        address: Address,
        classHash: Address.meta({ description: 'The class hash that `address` must have.' }),
      })
      .exactOptional()
      .meta({
        description:
          'A contract that ends a transaction before its expensive call if the state has changed (docs/adr/0047). It is used only while the class at its address is `classHash`. Never approve tokens to it. Without it no call is guarded.',
      }),
    vaults: z
      .array(Vault)
      .max(VAULT_IDS.length)
      .default([])
      .meta({ description: 'Vaults whose idle WBTC the curator deploys.' }),
    purchases: Purchases.exactOptional().meta({
      description:
        'The contract of recurring purchases of WBTC. Without it the keeper executes none.',
    }),
    lendingPools: z.array(LendingPool).max(20).default([]).meta({
      description: 'Lending pools in which WBTC is supplied, and whose yields the API returns.',
    }),
    entrypoints: z
      .strictObject({ pool: PoolEntrypoints.prefault({}) })
      .prefault({})
      .meta({ description: 'Views of the pools, by what they return.' }),
    knownAccountClasses: z.array(Address).max(100).default([]).meta({
      description:
        'Classes of accounts whose code the operator knows, and whose `is_valid_signature` calls no contract that the account’s owner chooses. Depositors with such accounts are checked like any other read. All others are called with a deadline of 3 seconds, at most 16 KiB of answer, and in a fair queue.',
    }),
    legacyAccountClasses: z.array(Address).max(100).default([]).meta({
      description:
        'Classes of accounts from before SRC-6, whose `is_valid_signature` answers 1 and not VALID. Depositors with other accounts are asked for VALID.',
    }),
    limits: Limits.prefault({}).meta({ description: 'Gas that fees are made of, and gas bounds.' }),
  })
  .refine(
    ({ swapPool, tokens }) =>
      swapPool === undefined ||
      swapPool.outputTokens.every((symbol) => Object.hasOwn(tokens, symbol)),
    {
      path: ['swapPool', 'outputTokens'],
      message: 'names a token that is not in tokens',
      ...over('swapPool', 'tokens'),
    },
  )
  .refine(({ knownAccountClasses: classes }) => new Set(classes).size === classes.length, {
    path: ['knownAccountClasses'],
    message: 'lists a class twice',
    ...over('knownAccountClasses'),
  })
  .refine(
    ({ knownAccountClasses: classes, guard }) =>
      guard === undefined || !classes.includes(guard.classHash),
    {
      path: ['knownAccountClasses'],
      message: 'lists the class of the guard, which is no account',
      ...over('knownAccountClasses', 'guard'),
    },
  )
  .refine(
    ({ oracle, tokens }) =>
      Object.keys(oracle.pairs).every(
        (symbol) => Object.hasOwn(tokens, symbol) || Object.hasOwn(DEFAULT_PAIRS, symbol),
      ),
    {
      path: ['oracle', 'pairs'],
      message: 'names a token that is not in tokens',
      ...over('oracle', 'tokens'),
    },
  )
  .refine(({ pools, tokens }) => pools.every(({ token }) => Object.hasOwn(tokens, token)), {
    path: ['pools'],
    message: 'a pool holds a token that is not in tokens',
    ...over('pools', 'tokens'),
  })
  .refine(
    ({ pools, tokens }) =>
      pools.every(({ token }) => (tokens[token]?.decimals ?? 0) <= MAX_POOL_DECIMALS),
    {
      path: ['pools'],
      message: `a pool holds a token of more than ${MAX_POOL_DECIMALS} decimals`,
      ...over('pools', 'tokens'),
    },
  )
  .refine(({ pools, oracle }) => pools.every(({ token }) => Object.hasOwn(oracle.pairs, token)), {
    path: ['pools'],
    message: 'a pool holds a token that has no price: it needs one of oracle.pairs',
    ...over('pools', 'oracle'),
  })
  .refine(({ pools }) => pools.every(({ kind, token }) => fitting(kind, token)), {
    path: ['pools'],
    message: 'swap_input pools hold WBTC, pools of WBTC are not stable, and those of USDC are',
    ...over('pools'),
  })
  .refine(({ pools }) => unique(pools.map(({ key }) => key)), {
    path: ['pools'],
    message: 'a key stands here twice',
    ...over('pools'),
  })
  .refine(({ pools, swapPool }) => pools.every(({ key }) => key !== swapPool?.key), {
    path: ['swapPool', 'key'],
    message: 'is the key of another pool',
    ...over('pools', 'swapPool'),
  })
  .refine(
    ({ pools, swapPool }) =>
      [...pools, swapPool].every(
        (pool) => pool?.verifierClass === undefined || pool.verifier !== undefined,
      ),
    {
      path: ['pools'],
      message: 'verifierClass says which class verifier has, so it goes with verifier',
      ...over('pools', 'swapPool'),
    },
  )
  .refine(({ vaults }) => unique(vaults.map(({ id }) => id)), {
    path: ['vaults'],
    message: 'an id stands here twice',
    ...over('vaults'),
  })
  .refine(({ lendingPools }) => unique(lendingPools.map(({ slug }) => slug)), {
    path: ['lendingPools'],
    message: 'a slug stands here twice',
    ...over('lendingPools'),
  });
export type NetworkProfile = z.output<typeof NetworkProfile>;
/** A profile as it stands in its file. */
export type NetworkProfileFile = z.input<typeof NetworkProfile>;

/**
 * The fields of a profile that are fine by themselves, those that it may leave out and does among
 * them. Whether they fit together is not asked.
 */
export function soundFields(json: unknown): Partial<NetworkProfile> {
  if (typeof json !== 'object' || json === null) return {};
  const given = Object.entries(json);
  const parsed = Object.entries(NetworkProfile.shape).flatMap(([name, schema]) => {
    // As a member: some may be missing and may not be undefined.
    const member = Object.fromEntries(given.filter(([key]) => key === name));
    const result = z.object({ [name]: schema }).safeParse(member);
    return result.success ? [[name, result.data[name]] as const] : [];
  });
  // CAST: each is what the profile's own schema of the field makes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(parsed) as Partial<NetworkProfile>;
}

/** Whether notes of this token can be what the kind says. */
function fitting(kind: (typeof POOL_KINDS)[number], token: string): boolean {
  if (kind === 'swap_input') return token === 'WBTC';
  return token === 'WBTC' ? kind === 'withdraw' : token !== 'USDC' || kind === 'stable';
}

function unique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
