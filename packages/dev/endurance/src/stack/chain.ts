import { selectorOf } from '@sotto/adapter-starknet';
import { toFelt, u256FromHalves } from '@sotto/kernel';
import { NOTES, nullifierOf } from '@sotto/load-kit';
import { SandboxChain, type SandboxUrls, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { loadPool } from './withdrawals.js';

const Hex = z.string().transform(BigInt);
const Answer = z.object({ result: z.unknown() });
const Inclusions = z.array(
  z.object({
    hash: z.string().transform(toFelt),
    sender: z.string().transform(toFelt),
    nonce: Hex,
    feeFri: Hex,
    executionStatus: z.enum(['SUCCEEDED', 'REVERTED']),
    finality: z.string(),
  }),
);

/** A transaction that stands in a block and has paid for it. */
export type Inclusion = z.output<typeof Inclusions>[number];

/** The sandbox as a process of its own, with a pool that pays for any number of notes. */
export class Chain {
  private constructor(private readonly sandbox: SandboxChain) {}

  /** @param env of its process */
  static async start(logFile: string, env: Variables = {}): Promise<Chain> {
    const sandbox = await SandboxChain.start(logFile, env);
    await sandbox.fillPool(loadPool, Object.values(lanes));
    return new Chain(sandbox);
  }

  get urls(): SandboxUrls {
    return this.sandbox.urls;
  }

  /** One order of the sandbox's control interface. @throws Error when it is refused */
  control(action: string, members: object = {}): Promise<unknown> {
    return this.sandbox.control(action, members);
  }

  /** Everything that accounts of the service have paid for, oldest first. */
  async inclusions(): Promise<readonly Inclusion[]> {
    return Inclusions.parse(await this.control('paidInclusions'));
  }

  /** Nonce of an account of the service at ACCEPTED_ON_L2. */
  async nonceOf(address: bigint): Promise<bigint> {
    return Hex.parse(
      await this.#ask('starknet_getNonce', {
        contract_address: toFelt(address),
        block_id: 'latest',
      }),
    );
  }

  /** Number of the newest block at ACCEPTED_ON_L2. */
  async height(): Promise<number> {
    return z.int().parse(await this.#ask('starknet_blockNumber', {}));
  }

  async #view(contract: bigint, entrypoint: string): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(contract),
      entry_point_selector: selectorOf(entrypoint),
      calldata: [],
    };
    return z.array(Hex).parse(await this.#ask('starknet_call', { request, block_id: 'latest' }));
  }

  async #ask(method: string, params: object): Promise<unknown> {
    const response = await fetch(this.urls.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return Answer.parse(await response.json()).result;
  }

  /** How many withdrawals the pool itself has paid out. */
  async paidOut(): Promise<number> {
    return Number(NOTES - (await this.storageOf(loadPool.address, 'active_deposits')));
  }

  /** How many leaves a pool has at ACCEPTED_ON_L2, and their root. */
  async treeOf(pool: bigint): Promise<{ readonly leaves: number; readonly root: bigint }> {
    const [[leaves = 0n], [low = 0n, high = 0n]] = await Promise.all([
      this.#view(pool, 'get_next_index'),
      this.#view(pool, 'get_last_root'),
    ]);
    return { leaves: Number(leaves), root: u256FromHalves(low, high) };
  }

  /** Whether the pool has paid a withdrawal of the load. */
  async isSpent(index: number): Promise<boolean> {
    const key = `nullifier:${nullifierOf(index).toString(16)}`;
    return (await this.storageOf(loadPool.address, key)) !== 0n;
  }

  /** A slot of the sandbox's model of a contract. */
  async storageOf(address: bigint, key: string): Promise<bigint> {
    return Hex.parse(await this.control('storage', { address: toFelt(address), key }));
  }

  stop(): Promise<void> {
    return this.sandbox.stop();
  }
}

/** The chain's name, as the service's settings have it. */
export const chainName = sandboxWorld.chainId;

/** Accounts that the service signs with. */
export const lanes = { lane1: sandboxWorld.accounts.lane1, lane2: sandboxWorld.accounts.lane2 };
