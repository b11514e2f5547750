import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFelt, silentLogger } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '@sotto/load-kit';
import { hashInvoke } from '@sotto/process-kit';
import {
  buildGenesis,
  sandboxWorld,
  startSandbox,
  type Sandbox,
  type SandboxAccount,
} from '@sotto/sandbox';
import type { AccountOption, RelayerOptions } from '../../src/index.js';

const { accounts } = sandboxWorld;
export const POOL = sandboxWorld.pools.sentinel_1x;
const FEE_ADDRESS = accounts.feeCollector.address;
/** Only batch of the pool; its root is arbitrary, because no proof needs a path to it. */
const BATCH = { start: 0n, size: 3n, root: 7n };

export const accountOf = ({ address, privateKey }: SandboxAccount): AccountOption => ({
  address: toFelt(address),
  privateKey: toFelt(privateKey),
});

/** Sandbox with notes in its first pool, and options of a relayer that uses this sandbox. */
export class Site {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sotto-relayer-'));

  private constructor(readonly sandbox: Sandbox) {}

  static async start(): Promise<Site> {
    const genesis = buildGenesis({ verificationKey: trapdoorKey });
    const sandbox = await startSandbox({ genesis, hashInvoke });
    const { control } = sandbox;
    const slots = {
      next_index: BATCH.size,
      [`root:${BATCH.size}`]: BATCH.root,
      [`batch_size_at:${BATCH.start}`]: BATCH.size,
      active_deposits: BATCH.size,
    };
    for (const [key, value] of Object.entries(slots)) control.setStorage(POOL.address, key, value);
    control.mint(POOL.address, BATCH.size * POOL.denomination, POOL.token);
    return new Site(sandbox);
  }

  /** @param more options that replace the default options */
  options(more: Partial<RelayerOptions> = {}): RelayerOptions {
    return {
      mode: 'development',
      node: { url: this.sandbox.rpcUrl },
      store: { path: join(this.#folder, 'ledger.sqlite') },
      accounts: { relay: [accountOf(accounts.lane1)] },
      profile: JSON.parse(
        readFileSync(
          new URL('../../../../apps/api/profiles/sandbox.json', import.meta.url),
          'utf8',
        ),
      ),
      verificationKey: trapdoorKey,
      feeAddress: toFelt(FEE_ADDRESS),
      engine: { pollIntervalMs: 50, idleIntervalMs: 100 },
      logger: silentLogger,
      ...more,
    };
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

/**
 * Returns the calldata of a withdrawal that pays this fee, in sats. A note is identified by its
 * number.
 */
export const withdrawal = (note: bigint, feeSats: bigint): readonly string[] =>
  forgedCalldata({
    root: BATCH.root,
    nullifierHash: note,
    recipient: 2n ** 250n + 0xabcn,
    relayer: FEE_ADDRESS,
    fee: feeSats,
    batchStart: BATCH.start,
    batchSize: BATCH.size,
  });
