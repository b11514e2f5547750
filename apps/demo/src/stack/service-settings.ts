import { toFelt } from '@sotto/kernel';
import { sandboxWorld, type SandboxToken } from '@sotto/sandbox';

const { chainId, tokens, oracle, pools, accounts } = sandboxWorld;

/**
 * The sandbox as the service's network profile describes a network.
 * @param verificationKeyFile relative to the profile's file
 */
export function sandboxProfile(verificationKeyFile: string): object {
  return {
    name: 'sandbox',
    chainId,
    tokens: { STRK: token(tokens.STRK), WBTC: token(tokens.WBTC), USDC: token(tokens.USDC) },
    oracle: { kind: 'pragma', address: toFelt(oracle) },
    verificationKey: verificationKeyFile,
    pools: Object.entries(pools).map(([key, pool]) => ({
      key,
      address: toFelt(pool.address),
      token: pool.token === tokens.USDC.address ? 'USDC' : 'WBTC',
      kind: 'v4',
    })),
  };
}

function token({ address, decimals }: SandboxToken): object {
  return { address: toFelt(address), decimals };
}

export interface ServiceOptions {
  readonly host: string;
  readonly port: number;
  readonly rpcUrl: string;
  readonly profileFile: string;
  readonly databaseFile: string;
}

/** The service's environment. The sandbox is quick, so it is looked at often. */
export function serviceEnvironment({ host, port, rpcUrl, profileFile, databaseFile }: ServiceOptions): Record<string, string> {
  const { address, privateKey } = accounts.lane1;
  return {
    MODE: 'development',
    HOST: host,
    PORT: String(port),
    NETWORK_PROFILE: profileFile,
    STARKNET_RPC_URL: rpcUrl,
    RELAY_ACCOUNTS: JSON.stringify([{ address: toFelt(address), privateKey: toFelt(privateKey) }]),
    FEE_ADDRESS: toFelt(accounts.feeCollector.address),
    DATABASE_PATH: databaseFile,
    INSTANCE_ID: 'demo',
    POLL_INTERVAL_MS: '100',
    IDLE_INTERVAL_MS: '1000',
  };
}
