import { selectorOf } from '@sotto/adapter-starknet';
import { toFelt, u256FromHalves } from '@sotto/kernel';
import { NOTES, nullifierOf } from '@sotto/load-kit';
import { SandboxChain, type SandboxUrls, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { privatePayments } from './load-requests.js';
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

/** Transaction in a block whose fee was charged. */
export type Inclusion = z.output<typeof Inclusions>[number];

/** The sandbox chain as a separate process, with a pool that pays any number of notes. */
export class Chain {
  private constructor(private readonly sandbox: SandboxChain) {}

  /** @param env environment of the process */
  static async start(logFile: string, env: Variables = {}): Promise<Chain> {
    const sandbox = await SandboxChain.start(logFile, env);
    await sandbox.fillPool(loadPool, Object.values(lanes));
    return new Chain(sandbox);
  }

  get urls(): SandboxUrls {
    return this.sandbox.urls;
  }

  /** Sends a command to the sandbox's control interface. @throws Error if the sandbox rejects it */
  control(action: string, members: object = {}): Promise<unknown> {
    return this.sandbox.control(action, members);
  }

  /** Returns all transactions whose fee was charged to an account of the service, oldest first. */
  async inclusions(): Promise<readonly Inclusion[]> {
    return Inclusions.parse(await this.control('paidInclusions'));
  }

  /** Returns the nonce of an account in the newest block at ACCEPTED_ON_L2. */
  async nonceOf(address: bigint): Promise<bigint> {
    return Hex.parse(
      await this.#query('starknet_getNonce', {
        contract_address: toFelt(address),
        block_id: 'latest',
      }),
    );
  }

  /** Returns the number of the newest block at ACCEPTED_ON_L2. */
  async height(): Promise<number> {
    return z.int().parse(await this.#query('starknet_blockNumber', {}));
  }

  async #view(
    contract: bigint,
    entrypoint: string,
    calldata: readonly bigint[] = [],
    block: 'latest' | 'pre_confirmed' = 'latest',
  ): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(contract),
      entry_point_selector: selectorOf(entrypoint),
      calldata: calldata.map((felt) => toFelt(felt)),
    };
    return z.array(Hex).parse(await this.#query('starknet_call', { request, block_id: block }));
  }

  async #query(method: string, params: object): Promise<unknown> {
    const response = await fetch(this.urls.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return Answer.parse(await response.json()).result;
  }

  /** Returns the number of withdrawals and private actions that the pools have paid. */
  async paidOut(): Promise<number> {
    const [notesLeft, { paid }] = await Promise.all([
      this.storageOf(loadPool.address, 'active_deposits'),
      privatePayments(this),
    ]);
    return Number(NOTES - notesLeft) + paid;
  }

  /** Returns an owner's balance of STRK at the pre-confirmed state, in fri. */
  async strkOf(owner: bigint): Promise<bigint> {
    const { address } = sandboxWorld.tokens.STRK;
    const [low = 0n, high = 0n] = await this.#view(address, 'balance_of', [owner], 'pre_confirmed');
    return u256FromHalves(low, high);
  }

  /** Returns the number of leaves of a pool and their root, both at ACCEPTED_ON_L2. */
  async treeOf(pool: bigint): Promise<{ readonly leaves: number; readonly root: bigint }> {
    const [[leaves = 0n], [low = 0n, high = 0n]] = await Promise.all([
      this.#view(pool, 'get_next_index'),
      this.#view(pool, 'get_last_root'),
    ]);
    return { leaves: Number(leaves), root: u256FromHalves(low, high) };
  }

  /** Returns true if the pool has paid the withdrawal with this index of the load. */
  async isSpent(index: number): Promise<boolean> {
    const key = `nullifier:${nullifierOf(index).toString(16)}`;
    return (await this.storageOf(loadPool.address, key)) !== 0n;
  }

  /** Reads a storage slot of the sandbox's model of a contract. */
  async storageOf(address: bigint, key: string): Promise<bigint> {
    return Hex.parse(await this.control('storage', { address: toFelt(address), key }));
  }

  stop(): Promise<void> {
    return this.sandbox.stop();
  }
}

/** Name of the chain, as it is written in the service's settings. */
export const chainName = sandboxWorld.chainId;

/** Accounts that sign for the service. */
export const lanes = { lane1: sandboxWorld.accounts.lane1, lane2: sandboxWorld.accounts.lane2 };
