import { describeVariables } from '../config/environment.js';

/** docs/configuration.md, from the schema that the configuration is parsed with. */
export function renderConfiguration(): string {
  const rows = describeVariables().map(({ name, description, fallback, mayBeFile }) => {
    const standIn = /^(required|off$|the host)/.test(fallback);
    return `| \`${name}\`${mayBeFile ? `, \`${name}_FILE\`` : ''} | ${standIn ? fallback : `\`${fallback}\``} | ${description} |`;
  });
  return [
    '# Configuration',
    '',
    '<!-- Generated from apps/api/src/config/environment.ts; regenerate with `pnpm --filter @sotto/api run docs:write`. -->',
    '',
    'The service reads its settings from environment variables, once, at the start. If anything is wrong with them it prints every problem and exits.',
    'An empty variable counts as absent. A variable with a `_FILE` twin is a secret: the twin names a file that holds its value; give one of the two.',
    '',
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
    '## Network profile',
    '',
    '`NETWORK_PROFILE` names a JSON file with what is deployed on one network; a redeployment is a change of this file.',
    '',
    '```json',
    JSON.stringify(EXAMPLE_PROFILE, null, 2),
    '```',
    '',
    "`verificationKey` is the path, relative to the profile, of snarkjs' JSON of the pools' verification key.",
    'Pool tokens are `WBTC` or `USDC`. `entrypoints.pool` may rename the views `maxFee`, `nextIndex`, `undeployedCount`, `isKnownRoot` and `isSpent`.',
    '',
  ].join('\n');
}

/** Addresses of the main network. */
export const EXAMPLE_PROFILE = {
  name: 'mainnet',
  chainId: 'SN_MAIN',
  tokens: {
    STRK: { address: '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d', decimals: 18 },
    WBTC: { address: '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac', decimals: 8 },
  },
  oracle: { kind: 'pragma', address: '0x2a85bd616f912537c50a49a4076db02c00b29b2cdc8a197ce92ed1837fa875b' },
  verificationKey: 'verification_key.json',
  pools: [{ key: 'sentinel_1x', address: '0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33', token: 'WBTC', kind: 'v4' }],
} as const;
