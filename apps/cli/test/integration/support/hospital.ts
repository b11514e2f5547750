import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '@sotto/adapter-store';
import { toFelt } from '@sotto/kernel';
import { hashInvoke, keyed, serviceEnvironment, writeJson } from '@sotto/process-kit';
import { buildGenesis, sandboxWorld, startSandbox, type Sandbox } from '@sotto/sandbox';
import { examine } from '../../../src/doctor/examine.js';
import type { Finding } from '../../../src/doctor/finding.js';
import { thisMachine, type Machine } from '../../../src/doctor/site.js';

const { accounts } = sandboxWorld;
const inRepository = (path: string): string =>
  fileURLToPath(new URL(`../../../../../${path}`, import.meta.url));
const VERIFICATION_KEY = inRepository('packages/wallet/prover/keys/verification_key.json');

/** Returns the parsed sandbox profile that is shipped with the service. */
export const sandboxProfile = (): Record<string, unknown> & {
  pools: Record<string, unknown>[];
} => JSON.parse(readFileSync(inRepository('apps/api/profiles/sandbox.json'), 'utf8'));

/** Environment of a service that has no faults. Each test adds one mistake to this environment. */
export class Hospital {
  private constructor(
    readonly sandbox: Sandbox,
    readonly folder: string,
  ) {}

  static async open(): Promise<Hospital> {
    const verificationKey: unknown = JSON.parse(readFileSync(VERIFICATION_KEY, 'utf8'));
    const sandbox = await startSandbox({ genesis: buildGenesis({ verificationKey }), hashInvoke });
    return new Hospital(sandbox, mkdtempSync(join(tmpdir(), 'sotto-doctor-')));
  }

  /** Writes a file into the test's folder. @returns its path */
  file(name: string, text: string, mode = 0o600): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode });
    return path;
  }

  json(name: string, value: object): string {
    return writeJson(this.folder, name, value);
  }

  /** Creates a service's ledger that belongs to the sandbox's chain. @returns its path */
  async ledger(name: string, chain = toFelt(0x1n)): Promise<string> {
    const path = join(this.folder, name);
    const store = await openSqliteStore({ path });
    await store.ledger.bindChain({ chainId: chain, genesisHash: toFelt(0x2n) });
    await store.close();
    return path;
  }

  environment(others: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { aggregatorUrl, rpcUrl } = this.sandbox;
    return serviceEnvironment(
      {
        networkProfile: this.json('profile.json', sandboxProfile()),
        verificationKeyFile: VERIFICATION_KEY,
        databaseFile: join(this.folder, 'ledger.sqlite'),
        rpcUrl,
        lanes: [accounts.lane1, accounts.lane2],
        feeAddress: toFelt(accounts.feeCollector.address),
        instanceId: 'doctor',
      },
      {
        AGGREGATOR_URL: aggregatorUrl,
        PRICE_API_URL: aggregatorUrl,
        SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(accounts.swapOwner)),
        CURATOR_ACCOUNT: JSON.stringify(keyed(accounts.curator)),
        ...others,
      },
    );
  }

  examine(
    env: Readonly<Record<string, string | undefined>>,
    machine: Partial<Machine> = {},
  ): Promise<readonly Finding[]> {
    return examine(env, { ...thisMachine, ...machine });
  }

  async close(): Promise<void> {
    await this.sandbox.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
