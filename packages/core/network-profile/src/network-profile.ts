import { VAULT_IDS } from '@sotto/curator-core';
import { z } from 'zod';
import { Leverage, Purchases } from './keeper-schemas.js';
import { Address, ChainId, EntrypointName, GasAmount } from './values.js';

const Key = z
  .string()
  .regex(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, underscores and dashes')
  .max(40);

/**
 * Schema of an ERC-20 token's name in the profile file. A token that has no name in this file is
 * identified by its address only, because two tokens may have the same symbol.
 */
const TokenSymbol = z
  .string()
  .regex(/^[A-Za-z][\w.-]*$/, 'must be the symbol of a token')
  .max(20);

const Token = z.strictObject({ address: Address, decimals: z.int().min(0).max(30) });

const POOL_KINDS = ['withdraw', 'swap_input', 'stable'] as const;

/**
 * Maximum decimals of a pool's ERC-20 token. The HTTP interface returns amounts of these tokens as
 * exact JSON numbers.
 */
const MAX_POOL_DECIMALS = 8;

/** Fields for the verifier of a pool. Several pools may use the same verifier. */
const VERIFIER = {
  verifier: Address.exactOptional().meta({
    description:
      'Contract that checks its proofs. Its class is compared at start, and each minute after, with `verifierClass` and the key’s `verifierClassHashes`.',
  }),
  verifierClass: Address.exactOptional().meta({
    description: 'Class hash that `verifier` must have.',
  }),
};

const Pool = z.strictObject({
  key: Key.meta({ description: 'Name of the pool for people and settings.' }),
  address: Address,
  token: TokenSymbol.meta({
    description:
      'Token that is deposited: a key of `tokens` that has at most 8 decimals, and a price in `oracle.pairs`.',
  }),
  kind: z.enum(POOL_KINDS, 'must be withdraw, swap_input or stable').meta({
    description:
      'Use of its notes. `withdraw`: they are withdrawn. `stable`: the same for a stablecoin. `swap_input`: a WBTC pool whose notes are withdrawn or swapped privately; a swap from any other pool is rejected. `swapPool` is the fourth kind, `swap_output`: its notes hold the output of a swap, and are withdrawn.',
  }),
  ...VERIFIER,
  batchSizes: z
    .array(z.int().min(1).max(1_024))
    .min(1)
    .max(10)
    .default([3, 5, 7])
    .meta({ description: 'Counts that `deploy_batch` accepts.' }),
  deploysItself: z.boolean().default(false).meta({
    description:
      'Set it if the contract deploys a full batch automatically, in the deposit that completes it: the keeper’s task `batches` then ignores the pool. No view of a contract returns this.',
  }),
  hashesBeforePayment: z.boolean().default(false).meta({
    description:
      'Set it if `deposit` hashes the commitment into the tree before it transfers the payment. Relayed deposits into such a pool always use the `guard`, since a depositor could remove the allowance at the last moment. No view of a contract returns this.',
  }),
  denominationDivisor: z.int().min(1).default(1).meta({
    description:
      'The API divides the contract’s denomination by this and returns it as `denomination`: 10000 gives 6-decimal USDC in cents. The division must have no remainder.',
  }),
  deployedAt: z.int().min(0).default(0).meta({
    description:
      'Block in which the pool was deployed: the search for a spent note begins there, which costs the node less than the whole chain.',
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
      'Tokens that a swap may buy: keys of `tokens`. A token is offered only if it has two prices, of the oracle and of `PRICE_API_URL`.',
  }),
  routers: z.array(Address).min(1).max(5).meta({
    description: 'Routers of the aggregator. A swap through any other contract is rejected.',
  }),
  branchRoutes: z.boolean().default(false).meta({
    description:
      'Set it if the contract can read `branch` routes; one compiled against the router’s older form can’t.',
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
        'Payout of an input pool in addition to the fee: `denomination` expects only the deposit, `even_share` adds an equal part of the active deposits’ earnings.',
    }),
});

const PrivacyPoolSection = z.strictObject({
  key: Key.default('strk20').meta({
    description: 'Name of the pool for people and settings, as those of `pools`.',
  }),
  address: Address,
  feeTokens: z.array(TokenSymbol).min(1).max(20).meta({
    description:
      'Tokens in which the fee of private actions may be paid: keys of `tokens` that have a price in `oracle.pairs`.',
  }),
  invokedContracts: z.array(Address).max(100).default([]).meta({
    description:
      'Contracts that private actions may invoke. Actions that invoke any other contract are rejected.',
  }),
  programHashes: z.array(Address).max(10).exactOptional().meta({
    description:
      'Programs whose proofs the network accepts. Without it the node decides when a transaction is simulated.',
  }),
  acceptsNoProof: z.boolean().default(false).meta({
    description:
      'Set it only for a development network that ignores proofs: requests without a proof are then accepted.',
  }),
  maxPoolFeeFri: z
    .string()
    .regex(/^\d{1,24}$/, 'must be a whole number, as text')
    .transform(BigInt)
    .prefault('1000000000000000000')
    .meta({
      description:
        'Most STRK that the pool may charge for one transaction, in fri. Each relay account keeps this amount above its gas.',
    }),
  l2Gas: GasAmount.prefault(80_000_000).meta({
    description: 'Estimate of one transaction with private actions, until receipts show its use.',
  }),
});

const Vault = z.strictObject({
  id: z.enum(VAULT_IDS, `must be one of ${VAULT_IDS.join(', ')}`),
  address: Address,
  entrypoint: EntrypointName.exactOptional().meta({
    description:
      'Method that deploys idle WBTC. Default: the method that the interface’s specification names for the vault.',
  }),
  calldata: z
    .array(z.union([z.literal('amount'), z.int().min(0)], 'must be "amount" or a whole number'))
    .min(1)
    .max(10)
    .refine((recipe) => recipe.includes('amount'), 'must contain "amount"')
    .exactOptional()
    .meta({
      description:
        'Arguments in order: `"amount"` is the idle balance as u256 (two felts), a number is that felt. Default: `["amount"]`, and `["amount", 3]` for trident.',
    }),
  leverage: Leverage.exactOptional().meta({
    description:
      'Calls by which the vault borrows USDC against its WBTC and repays it. Without it the keeper does not change its leverage.',
  }),
});

const LendingPool = z.strictObject({
  slug: Key,
  name: z.string().min(1).max(60),
  address: Address,
  vaultToken: Address.meta({ description: 'Share token of WBTC in this pool.' }),
  vaultTokenSymbol: TokenSymbol,
  risk: z
    .strictObject({
      label: z.string().min(1).max(40),
      level: z.literal([1, 2, 3, 4, 5], 'must be a whole number from 1 to 5'),
    })
    .meta({ description: 'Risk that the API returns to users: 1 is the lowest.' }),
});

/** Schema of a pool contract's view names. The defaults are those of the V4 contracts. */
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
        'Names of the prices at the oracle, by key of `tokens`. A swap can’t buy a token without one.',
    }),
});

/**
 * Schema of gas limits. The defaults are those in the table of limits of the API's specification;
 * the data gas is computed by the protocol's fee formula.
 */
const Limits = z.strictObject({
  depositL2Gas: GasAmount.prefault(800_000).meta({ description: 'Estimate of one deposit.' }),
  deployBatchL2Gas: GasAmount.prefault(1_200_000).meta({ description: 'Estimate of one batch.' }),
  depositsPerBatch: GasAmount.prefault(3).meta({
    description: 'Deposits that share the cost of a batch.',
  }),
  withdrawL2Gas: GasAmount.prefault(35_000_000).meta({
    description: 'Estimate of one withdrawal, until receipts of the pool show its actual use.',
  }),
  privateSwapL2Gas: GasAmount.prefault(40_000_000).meta({
    description: 'Estimate of one private swap, until receipts show its actual use.',
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
        'Maximum that a withdrawal or private swap may use, and the factor by which it may exceed the current price.',
    }),
});

/**
 * Returns options for a rule over several fields. The rule is checked if these fields are valid,
 * even if other fields of the profile are invalid. A value that is not an object has no fields.
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
 * Schema of the contracts deployed on one network. A redeployment changes the profile file and no
 * code. Addresses are accepted in any spelling; parsing makes them canonical.
 */
export const NetworkProfile = z
  .strictObject({
    name: Key.meta({ description: 'Name of the network for people and logs.' }),
    chainId: ChainId.meta({
      description: 'Chain id, such as `SN_MAIN`. The service starts on no other chain.',
    }),
    blocksOnDemand: z.boolean().default(false).meta({
      description:
        'Set it if the chain makes a block only for transactions, as a devnet does. Then the service judges its ledger at start by any block; otherwise by one that is younger than the process (docs/submission-machine.md). Never set it for a public network: a node that lags behind a restored ledger could make the service pay twice.',
    }),
    verificationKey: z.string().min(1).max(500).optional().meta({
      description:
        'Path, relative to this file, of snarkjs’ JSON of the verification key that the pools’ proofs are checked against. `VERIFICATION_KEY_PATH` overrides it, and must be set when it is missing. The file may also contain `verifierClassHashes`, the hashes of the verifier classes that were generated from the key.',
    }),
    tokens: z.object({ STRK: Token, WBTC: Token, USDC: Token }).catchall(Token).meta({
      description:
        'Tokens by symbol. STRK pays gas, pools hold WBTC, USDC or others, and a swap may buy any of them.',
    }),
    oracle: Oracle.meta({ description: 'Contract whose market prices are used first.' }),
    pools: z
      .array(Pool)
      .min(1)
      .max(100)
      .meta({ description: 'Pools that are served; any other is rejected.' }),
    swapPool: SwapPool.optional().meta({
      description: 'Pool of private swaps. Without it there are none.',
    }),
    privacyPool: PrivacyPoolSection.exactOptional().meta({
      description:
        'The network’s own privacy pool (STRK20). Without it no private actions are relayed.',
    }),
    guard: z
      .strictObject({
        address: Address,
        classHash: Address.meta({ description: 'Class hash that `address` must have.' }),
      })
      .exactOptional()
      .meta({
        description:
          'Contract that ends a transaction before its expensive call if the state has changed (docs/adr/0047). It is used only while the class at its address is `classHash`. Never approve tokens to it. Without it no call is guarded.',
      }),
    vaults: z
      .array(Vault)
      .max(VAULT_IDS.length)
      .default([])
      .meta({ description: 'Vaults whose idle WBTC the curator deploys.' }),
    purchases: Purchases.exactOptional().meta({
      description: 'Contract of recurring purchases of WBTC. Without it the keeper executes none.',
    }),
    lendingPools: z.array(LendingPool).max(20).default([]).meta({
      description: 'Lending pools in which WBTC is supplied, and whose yields the API returns.',
    }),
    entrypoints: z
      .strictObject({ pool: PoolEntrypoints.prefault({}) })
      .prefault({})
      .meta({ description: 'Names of the pools’ views, by their results.' }),
    knownAccountClasses: z.array(Address).max(100).default([]).meta({
      description:
        'Classes of accounts whose code the operator knows, and whose `is_valid_signature` calls no contract that the account’s owner chooses. Depositors with such accounts are checked like any other read. All others are called with a deadline of 3 seconds, at most 16 KiB of answer, and in a fair queue.',
    }),
    legacyAccountClasses: z.array(Address).max(100).default([]).meta({
      description:
        'Classes of accounts from before SRC-6, whose `is_valid_signature` returns 1 and not VALID. All other accounts of depositors must return VALID.',
    }),
    limits: Limits.prefault({}).meta({
      description: 'Gas estimates on which fees are based, and gas bounds.',
    }),
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
  .refine(
    ({ privacyPool, tokens, oracle }) =>
      privacyPool === undefined ||
      privacyPool.feeTokens.every(
        (symbol) => Object.hasOwn(tokens, symbol) && Object.hasOwn(oracle.pairs, symbol),
      ),
    {
      path: ['privacyPool', 'feeTokens'],
      message: 'names a token that is not in tokens, or has no price in oracle.pairs',
      ...over('privacyPool', 'tokens', 'oracle'),
    },
  )
  .refine(
    ({ pools, swapPool, privacyPool }) =>
      privacyPool === undefined ||
      ![...pools, swapPool].some((pool) => pool?.key === privacyPool.key),
    {
      path: ['privacyPool', 'key'],
      message: 'is the key of another pool',
      ...over('pools', 'swapPool', 'privacyPool'),
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
    message: 'a key is used twice',
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
      message: 'verifierClass is the class of verifier, so it requires verifier',
      ...over('pools', 'swapPool'),
    },
  )
  .refine(({ vaults }) => unique(vaults.map(({ id }) => id)), {
    path: ['vaults'],
    message: 'an id is used twice',
    ...over('vaults'),
  })
  .refine(({ lendingPools }) => unique(lendingPools.map(({ slug }) => slug)), {
    path: ['lendingPools'],
    message: 'a slug is used twice',
    ...over('lendingPools'),
  });
export type NetworkProfile = z.output<typeof NetworkProfile>;
/** Profile in the format of the profile file, before parsing. */
export type NetworkProfileFile = z.input<typeof NetworkProfile>;

/**
 * Returns the valid fields of a profile. If a field is missing, it counts as valid if the schema
 * permits its omission. Rules over several fields are not checked.
 */
export function soundFields(json: unknown): Partial<NetworkProfile> {
  if (typeof json !== 'object' || json === null) return {};
  const given = Object.entries(json);
  const parsed = Object.entries(NetworkProfile.shape).flatMap(([name, schema]) => {
    // Parse the field as a member of an object: for some fields, the schema permits a missing
    // member but not the value undefined.
    const member = Object.fromEntries(given.filter(([key]) => key === name));
    const result = z.object({ [name]: schema }).safeParse(member);
    return result.success ? [[name, result.data[name]] as const] : [];
  });
  // CAST: each is what the profile's own schema of the field makes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(parsed) as Partial<NetworkProfile>;
}

/** Returns true if a pool of this kind may hold notes of this ERC-20 token. */
function fitting(kind: (typeof POOL_KINDS)[number], token: string): boolean {
  if (kind === 'swap_input') return token === 'WBTC';
  return token === 'WBTC' ? kind === 'withdraw' : token !== 'USDC' || kind === 'stable';
}

function unique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
