import { readFileSync } from 'node:fs';

/**
 * Committed verification key of the circuit. Production rejects this key, because the secrets of
 * its setup are public.
 */
export const DEVELOPMENT_KEY = readFileSync(
  new URL('../../../wallet/prover/keys/verification_key.json', import.meta.url),
  'utf8',
);

/** Verification key that differs from the committed key: its delta comes from another setup. */
export const OWN_VERIFICATION_KEY = JSON.stringify(withDelta(JSON.parse(DEVELOPMENT_KEY)));

function withDelta(key: Readonly<Record<string, unknown>>): object {
  return { ...key, vk_delta_2: key['vk_beta_2'] };
}

/** Network profile such as an operator would write. */
export const profile = {
  name: 'test',
  chainId: 'SN_TEST',
  tokens: {
    STRK: { address: '0x57', decimals: 18 },
    WBTC: { address: '0xb7', decimals: 8 },
    USDC: { address: '0xdc', decimals: 6 },
  },
  oracle: { kind: 'pragma', address: '0x0a' },
  verificationKey: 'keys/verification_key.json',
  pools: [{ key: 'one', address: '0x00aA1', token: 'WBTC', kind: 'withdraw' }],
  swapPool: { address: '0x00aA5', outputTokens: ['USDC'], routers: ['0x4007e4'] },
  vaults: [{ id: 'sentinel', address: '0x0a1' }],
  lendingPools: [
    {
      slug: 'prime',
      name: 'Prime',
      address: '0x1e1',
      vaultToken: '0x1e2',
      vaultTokenSymbol: 'vWBTC',
      risk: { label: 'Low', level: 1 },
    },
  ],
};

/** Random private key that only these tests use. */
export const OWN_KEY = '0x5f1b2c8d9e0a4b7c6d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1';

/** Random private key of the swap owner. */
export const SWAP_KEY = '0x2c7e9a1b4d6f8035e7c9b1a3d5f70829c4e6a8b0d2f4163859a7b9c1d3e5f70';

/** Random private key of the curator. */
export const CURATOR_KEY = '0x3a9d5c7e1f2b48064d6e8a0c2f4b6d8e1a3c5e7f9b1d3f5a7c9e0b2d4f6a8c1';

/** Valid production environment. */
export const environment: Readonly<Record<string, string>> = {
  NETWORK_PROFILE: '/etc/sotto/profile.json',
  STARKNET_RPC_URLS: 'https://node.example/v0_10/marker-access-key',
  STARKNET_WS_URL: 'wss://node.example/ws/marker-access-key',
  RELAY_ACCOUNTS: JSON.stringify([{ address: '0xacc1', privateKey: OWN_KEY }]),
  FEE_ADDRESS: '0xfee',
  PRICE_API_URL: 'https://prices.example/marker-price-key',
  AGGREGATOR_URL: 'https://swaps.example/marker-swap-key',
  SWAP_OWNER_ACCOUNT: JSON.stringify({ address: '0xacc5', privateKey: SWAP_KEY }),
  CURATOR_ACCOUNT: JSON.stringify({ address: '0xacc7', privateKey: CURATOR_KEY }),
  CURATOR_API_TOKENS: JSON.stringify({
    keeper: `marker-keeper-key-${'0'.repeat(30)}`,
    next: `marker-next-key-${'1'.repeat(30)}`,
  }),
  REWARDS_URL: 'https://lending.example/marker-rewards-key',
  BRIDGE_URL: 'https://bridge.example/marker-bridge-key',
  BRIDGE_API_TOKEN: 'marker-solver-key',
};

/**
 * Returns a function that reads the files to which `environment` refers, and the files in `more`.
 */
export function files(more: Readonly<Record<string, string>> = {}): (path: string) => string {
  const contents: Readonly<Record<string, string>> = {
    '/etc/sotto/profile.json': JSON.stringify(profile),
    '/etc/sotto/keys/verification_key.json': OWN_VERIFICATION_KEY,
    ...more,
  };
  return (path) => {
    const content = contents[path];
    if (content === undefined) throw new Error(`ENOENT: ${path}`);
    return content;
  };
}
