import { readFileSync } from 'node:fs';

const VERIFICATION_KEY = readFileSync(new URL('../../../../packages/circuits/keys/verification_key.json', import.meta.url), 'utf8');

/** A profile as an operator writes it. */
export const profile = {
  name: 'test',
  chainId: 'SN_TEST',
  tokens: { STRK: { address: '0x57', decimals: 18 }, WBTC: { address: '0xb7', decimals: 8 }, USDC: { address: '0xdc', decimals: 6 } },
  oracle: { kind: 'pragma', address: '0x0a' },
  verificationKey: 'keys/verification_key.json',
  pools: [{ key: 'one', address: '0x00aA1', token: 'WBTC', kind: 'withdraw' }],
  swapPool: { address: '0x00aA5', outputTokens: ['USDC'], routers: ['0x4007e4'] },
};

/** A key that nobody else has: drawn for this test. */
export const OWN_KEY = '0x5f1b2c8d9e0a4b7c6d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1';

/** And another one. */
export const SWAP_KEY = '0x2c7e9a1b4d6f8035e7c9b1a3d5f70829c4e6a8b0d2f4163859a7b9c1d3e5f70';

/** A production environment without a fault. */
export const environment: Readonly<Record<string, string>> = {
  NETWORK_PROFILE: '/etc/sotto/profile.json',
  STARKNET_RPC_URL: 'https://node.example/v0_10/marker-access-key',
  RELAY_ACCOUNTS: JSON.stringify([{ address: '0xacc1', privateKey: OWN_KEY }]),
  FEE_ADDRESS: '0xfee',
  PRICE_API_URL: 'https://prices.example/marker-price-key',
  AGGREGATOR_URL: 'https://swaps.example/marker-swap-key',
  SWAP_OWNER_ACCOUNT: JSON.stringify({ address: '0xacc5', privateKey: SWAP_KEY }),
};

/** The files that `environment` names, and more. */
export function files(more: Readonly<Record<string, string>> = {}): (path: string) => string {
  const contents: Readonly<Record<string, string>> = {
    '/etc/sotto/profile.json': JSON.stringify(profile),
    '/etc/sotto/keys/verification_key.json': VERIFICATION_KEY,
    ...more,
  };
  return (path) => {
    const content = contents[path];
    if (content === undefined) throw new Error(`ENOENT: ${path}`);
    return content;
  };
}
