import { fileURLToPath } from 'node:url';
import { toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';

const { accounts } = sandboxWorld;

/** The service's own description of the sandbox. */
const SANDBOX_PROFILE = fileURLToPath(import.meta.resolve('@sotto/api/profiles/sandbox.json'));

export interface ServiceOptions {
  readonly host: string;
  readonly port: number;
  readonly rpcUrl: string;
  readonly verificationKeyFile: string;
  readonly databaseFile: string;
}

/** The service's environment. The sandbox is quick, so it is looked at often. */
export function serviceEnvironment({ host, port, rpcUrl, verificationKeyFile, databaseFile }: ServiceOptions): Record<string, string> {
  const { address, privateKey } = accounts.lane1;
  return {
    MODE: 'development',
    HOST: host,
    PORT: String(port),
    NETWORK_PROFILE: SANDBOX_PROFILE,
    VERIFICATION_KEY_PATH: verificationKeyFile,
    STARKNET_RPC_URL: rpcUrl,
    RELAY_ACCOUNTS: JSON.stringify([{ address: toFelt(address), privateKey: toFelt(privateKey) }]),
    FEE_ADDRESS: toFelt(accounts.feeCollector.address),
    DATABASE_PATH: databaseFile,
    INSTANCE_ID: 'demo',
    POLL_INTERVAL_MS: '100',
    IDLE_INTERVAL_MS: '1000',
  };
}
