import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Devnet } from '../devnet/devnet.js';
import { JsonRpc } from '../node/json-rpc.js';
import { RpcChainNode } from '../node/rpc-chain-node.js';
import type { ContractCall } from '../node/chain-node.js';
import type { KeyedAccount } from '../node/sender.js';
import { StarknetSender } from '../node/starknet-sender.js';
import { Integer } from '../node/wire.js';
import { readStrk20Dump, type Strk20Dump } from './strk20-dump.js';
import { Strk20User } from './strk20-user.js';

/** Seed and balance of the dump's accounts. */
const SEED = 42;
const INITIAL_BALANCE = 1_000n * 10n ** 18n;
/** Blocks after the dump, so that a proof can have a base block that is old enough. */
const BLOCKS_AFTER_DUMP = 12;
/** Blocks after a reset, so that the default base block is above the one without a stored hash. */
const BLOCKS_AFTER_RESET = 2;
const Block = z.object({ block_hash: Integer });

/** Part of the pool's state that its governor can change. */
export interface Strk20PoolChanges {
  readonly isPaused?: boolean;
  readonly feeFri?: bigint;
  readonly validityBlocks?: number;
}

/** Devnet with the real privacy pool (STRK20). Each transaction creates a block. */
export class Strk20Devnet {
  readonly url: string;
  readonly pool: bigint;
  readonly strk: bigint;
  /** User with a note in the pool. */
  readonly user: Strk20User;
  /** Key with which the user's notes are found. */
  readonly viewingKey: bigint;
  readonly #node: RpcChainNode;
  readonly #rpc: JsonRpc;
  /** Height of the chain after its start. */
  #firstHeight = 0;

  private constructor(
    readonly devnet: Devnet,
    dump: Strk20Dump,
    /** Account of the user, with its key. */
    readonly userAccount: KeyedAccount,
    /** Account without notes. */
    readonly stranger: KeyedAccount,
    /** Account that governs the pool. */
    readonly governor: KeyedAccount,
  ) {
    this.url = devnet.url;
    this.pool = dump.pool;
    this.strk = dump.strk;
    this.viewingKey = dump.user.viewingKey;
    this.#node = new RpcChainNode(devnet.url);
    this.#rpc = new JsonRpc(devnet.url);
    this.user = new Strk20User(this.#rpc, dump);
  }

  /**
   * Starts devnet with the dump.
   * @param path path of the dump, see {@link findStrk20Dump}
   * @throws DevnetMissing; Error if the dump can't be read or loaded
   */
  static async start(path: string): Promise<Strk20Devnet> {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-strk20-'));
    try {
      const dump = readStrk20Dump(path, folder);
      return await Strk20Devnet.#on(await loaded(dump), dump);
    } finally {
      // Devnet reads the dump only while it starts.
      rmSync(folder, { recursive: true });
    }
  }

  static async #on(devnet: Devnet, dump: Strk20Dump): Promise<Strk20Devnet> {
    try {
      const [user, stranger, governor] = await devnet.controls.predeployedAccounts();
      if (user?.address !== dump.user.address || stranger === undefined || governor === undefined)
        throw new Error('the accounts of devnet are not those of the dump');
      const started = new Strk20Devnet(devnet, dump, user, stranger, governor);
      await started.mine(BLOCKS_AFTER_DUMP);
      started.#firstHeight = await started.#height();
      return started;
    } catch (error) {
      await devnet.stop();
      throw error;
    }
  }

  async mine(blocks = 1): Promise<void> {
    for (let mined = 0; mined < blocks; mined += 1) await this.devnet.controls.createBlock();
  }

  /** Undoes all blocks since the start. */
  async reset(): Promise<void> {
    if ((await this.#height()) === this.#firstHeight) return;
    const params = { block_id: { block_number: this.#firstHeight + 1 } };
    const { block_hash: first } = await this.#rpc.query(
      'starknet_getBlockWithTxHashes',
      params,
      Block,
    );
    await this.devnet.controls.abortBlocks(first);
    // Devnet stores the hash of a base block when it opens the tenth block after it, and loses the
    // newest of these hashes with the aborted block. So no test may use that base block.
    await this.mine(BLOCKS_AFTER_RESET);
  }

  /**
   * Sends one transaction without proof facts, and resolves with its hash when it has succeeded.
   * @throws Error if the transaction is rejected or reverts
   */
  async send(account: KeyedAccount, calls: readonly ContractCall[]): Promise<string> {
    const nonce = await this.#node.nonce(account.address);
    const hash = await new StarknetSender(this.url, this.#node, account).invoke(calls, nonce);
    await this.#node.included(hash);
    return hash;
  }

  /** Approves an amount of STRK of an account to the pool, in fri. */
  async approve(account: KeyedAccount, amountFri: bigint): Promise<void> {
    const calldata = [this.pool, amountFri, 0n];
    await this.send(account, [{ contract: this.strk, entrypoint: 'approve', calldata }]);
  }

  /** Changes the pool as its governor, in one block. The governor collects the fees. */
  async change({ isPaused, feeFri, validityBlocks }: Strk20PoolChanges): Promise<void> {
    const governor = this.governor.address;
    const call = (entrypoint: string, ...calldata: readonly bigint[]): ContractCall => ({
      contract: this.pool,
      entrypoint,
      calldata,
    });
    await this.send(this.governor, [
      call('register_app_role_admin', governor),
      call('register_app_governor', governor),
      call('register_security_agent', governor),
      call('register_security_governor', governor),
      ...(feeFri === undefined
        ? []
        : [call('set_fee_collector', governor), call('set_fee_amount', feeFri)]),
      ...(validityBlocks === undefined
        ? []
        : [call('set_proof_validity_blocks', BigInt(validityBlocks))]),
      ...(isPaused === undefined ? [] : [call(isPaused ? 'pause' : 'unpause')]),
    ]);
  }

  async stop(): Promise<void> {
    await this.devnet.stop();
  }

  #height(): Promise<number> {
    return this.#rpc.query('starknet_blockNumber', {}, z.int());
  }
}

/** Starts devnet with a dump. */
function loaded(dump: Strk20Dump): Promise<Devnet> {
  return Devnet.start({
    seed: SEED,
    accounts: 3,
    initialBalance: INITIAL_BALANCE,
    l2GasPriceFri: 1n,
    blockGeneration: 'transaction',
    stateArchive: true,
    moreFlags: [
      '--lite-mode',
      '--data-gas-price-fri=1',
      '--gas-price-fri=1',
      '--chain-id=TESTNET',
      // Devnet then ignores proofs: no prover of this pool's program runs on a test's machine.
      '--proof-mode=none',
      // The recorded transactions succeed only at their time.
      `--start-time=${dump.startTime}`,
      `--dump-path=${dump.file}`,
    ],
  });
}
