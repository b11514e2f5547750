import { z } from 'zod';
import { NetworkProfile } from './network-profile.js';

/** Example of a profile that an operator writes for another network, with fictitious addresses. */
export const EXAMPLE_PROFILE = {
  name: 'my-network',
  chainId: 'SN_MY_NETWORK',
  verificationKey: 'verification_key.json',
  tokens: {
    STRK: {
      address: '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
      decimals: 18,
    },
    WBTC: { address: '0x1001', decimals: 8 },
    USDC: { address: '0x1002', decimals: 6 },
    ETH: { address: '0x1003', decimals: 18 },
  },
  oracle: { kind: 'pragma', address: '0x2001', pairs: { WBTC: 'BTC/USD' } },
  pools: [
    {
      key: 'small',
      address: '0x3001',
      token: 'WBTC',
      kind: 'withdraw',
      verifier: '0x3010',
      verifierClass: '0xc1a55',
    },
    {
      key: 'swap_input_1',
      address: '0x3002',
      token: 'WBTC',
      kind: 'swap_input',
      batchSizes: [3, 5],
      deploysItself: true,
    },
    {
      key: 'stable_10',
      address: '0x3003',
      token: 'USDC',
      kind: 'stable',
      denominationDivisor: 10_000,
    },
  ],
  swapPool: {
    address: '0x4001',
    outputTokens: ['ETH', 'USDC', 'STRK'],
    routers: ['0x4002'],
    branchRoutes: true,
  },
  privacyPool: { address: '0x8001', feeTokens: ['STRK', 'USDC'], invokedContracts: ['0x8002'] },
  vaults: [
    {
      id: 'trident',
      address: '0x5001',
      entrypoint: 'execute_staking_loop',
      calldata: ['amount', 3],
    },
    {
      id: 'turbo',
      address: '0x5002',
      leverage: {
        lendingPool: '0x6001',
        layout: {
          form: 'rounds',
          position: {
            entrypoint: 'position',
            fields: [
              { field: 'collateral', felts: 2 },
              { field: 'debt', felts: 2 },
              { field: 'nominalDebt', felts: 2 },
            ],
          },
          up: {
            entrypoint: 'leverage_round',
            calldata: ['expected_debt', 'borrow', 'minimum', 'routes'],
          },
          down: {
            entrypoint: 'deleverage_round',
            calldata: ['expected_debt', 'withdraw', 'minimum', 'routes'],
          },
        },
      },
    },
  ],
  purchases: {
    address: '0x7001',
    deployedAt: 1_200_000,
    order: {
      fields: [
        { name: 'ignored', size: 'felt' },
        { name: 'sell_token', size: 'felt' },
        { name: 'amount', size: 'u256' },
        { name: 'frequency', size: 'u64' },
        { name: 'total', size: 'u32' },
        { name: 'executed', size: 'u32' },
        { name: 'last_execution', size: 'u64' },
        { name: 'remaining', size: 'u256' },
        { name: 'smart', size: 'bool' },
        { name: 'active', size: 'bool' },
      ],
    },
    created: { selector: '0xc0de', orderId: { in: 'keys', at: 1 } },
    mayerMultiple: { size: 'u256', scale: '1000000000000000000' },
  },
  lendingPools: [
    {
      slug: 'prime',
      name: 'Prime',
      address: '0x6001',
      vaultToken: '0x6002',
      vaultTokenSymbol: 'vWBTC',
      risk: { label: 'Low', level: 1 },
    },
  ],
  entrypoints: { pool: { nextIndex: 'next_index' } },
  limits: { withdrawL2Gas: 34_000_000 },
} as const;

/** Part of a JSON schema that is rendered in the document. */
interface SchemaNode {
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: SchemaNode | undefined;
}
const SchemaNode: z.ZodType<SchemaNode> = z.lazy(() =>
  z.object({
    description: z.string().optional(),
    default: z.unknown().optional(),
    properties: z.record(z.string(), SchemaNode).optional(),
    required: z.array(z.string()).optional(),
    items: SchemaNode.optional(),
  }),
);

/** Renders docs/reference/network-profiles.md from the schema with which profiles are parsed. */
export function renderNetworkProfiles(): string {
  return [
    '# Network profiles',
    '',
    '<!-- Generated from packages/core/network-profile/src/network-profile.ts; regenerate with `pnpm --filter @sotto/api run docs:write`. -->',
    '',
    'A network profile is a JSON file that describes the deployment on one network: addresses, names of entry points, sizes, limits.',
    '`NETWORK_PROFILE` names its path. A redeployment is a change of this file and of no code.',
    '',
    '| File | Network |',
    '|---|---|',
    '| `apps/api/profiles/mainnet.json` | Starknet’s main network. The pools’ verification key is not part of it: `VERIFICATION_KEY_PATH` must name it. |',
    '| `apps/api/profiles/sandbox.json` | The development chain of `packages/dev/sandbox`; its verification key is `packages/wallet/prover/keys/verification_key.json`. |',
    '',
    '## Writing one for another network',
    '',
    '1. Copy the most similar profile, and give it the `name` and `chainId` of the network. The service queries the node for its chain id and starts on no other chain.',
    '2. Enter the addresses. They are accepted in any spelling (leading zeros, upper case) and compared as numbers. One contract has one role: an address that is listed twice is rejected.',
    '3. Get the verification key of the pools’ circuit as snarkjs writes it, and name its path in `verificationKey` or `VERIFICATION_KEY_PATH`.',
    '4. Name the `verifier` that each pool calls. In the file of the verification key, list `verifierClassHashes`: the hashes of the classes that were generated from the key. While a verifier has another class, the service is not ready (`pool_verifiers` in `/health/ready`). The service rejects the development key in production.',
    '5. Leave out missing parts: without `swapPool` there are no private swaps, without `vaults` no deployments of idle funds, without `lendingPools` no yields. Fields with a default may be left out.',
    '6. Start the service. It prints everything that is wrong with the file at once, and exits.',
    '',
    'Unknown fields are refused, because a misspelt field would otherwise silently keep its default.',
    '',
    '## Example',
    '',
    '```json',
    JSON.stringify(EXAMPLE_PROFILE, null, 2),
    '```',
    '',
    '## Fields',
    '',
    '| Field | Default | Meaning |',
    '|---|---|---|',
    ...rowsOf(SchemaNode.parse(z.toJSONSchema(NetworkProfile, { io: 'input' })), ''),
    '',
  ].join('\n');
}

/** Returns one table row for each field, followed by rows for the fields inside it. */
function rowsOf({ properties = {}, required = [] }: SchemaNode, place: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const isList = field.items?.properties !== undefined;
    const path = `${place}${name}${isList ? '[]' : ''}`;
    const below = isList ? field.items : field;
    return [
      `| \`${path}\` | ${standIn(field, required.includes(name))} | ${field.description ?? ''} |`,
      ...rowsOf(below ?? {}, `${path}.`),
    ];
  });
}

function standIn(field: SchemaNode, isRequired: boolean): string {
  if (isRequired) return 'required';
  const isStructure =
    field.properties !== undefined ||
    field.default === undefined ||
    JSON.stringify(field.default) === '[]';
  return isStructure ? 'may be left out' : `\`${JSON.stringify(field.default)}\``;
}
