import { selectorOf } from '@sotto/adapter-starknet';
import { systemClock } from '@sotto/kernel';
import { z } from 'zod';
import type { ChainClient } from './chain-client.js';
import type { ChainUnderTest } from './chain-under-test.js';
import type { WorldAccount } from './chain-world.js';

const Integer = z.string().transform(BigInt);
const Block = z.object({
  transactions: z.array(
    z.object({
      transaction: z.object({ calldata: z.array(Integer).optional() }),
      receipt: z.object({
        transaction_hash: z.string(),
        execution_status: z.enum(['SUCCEEDED', 'REVERTED']),
      }),
    }),
  ),
});
type Sent = z.output<typeof Block>['transactions'][number];

/** Newest block that the bot can read: the pre-confirmed block, or the latest accepted block. */
export type BotSight = 'pre_confirmed' | 'latest';

/**
 * Pause between two reads of the block, in milliseconds. A bot on the same machine as its node can
 * poll this often.
 */
const PAUSE_MS = 10;
const PRIVATE_SWAP = BigInt(selectorOf('private_swap'));

/**
 * Bot of a third party that makes others lose their notes (scenario T3). The bot reads the proof of
 * each reverted private swap from the block and sends it to the input pool as a plain `withdraw`.
 * The input pool pays the proof's recipient, which is the swap pool. The swap pool has no entry for
 * the payment, so the note is lost, and the bot gains nothing.
 */
export class ProofBot {
  readonly #client: ChainClient;
  readonly #swapPool: bigint;
  readonly #stopping = new AbortController();
  readonly #seen = new Set<string>();
  readonly #hashes: string[] = [];
  /** Lowest accepted block that the bot has not read yet. */
  #nextBlock: number | undefined;
  #working: Promise<void> = Promise.resolve();

  /** @param account account of the bot; the service does not use this account */
  constructor(
    chain: ChainUnderTest,
    private readonly account: WorldAccount,
    private readonly sight: BotSight,
  ) {
    this.#client = chain.client;
    this.#swapPool = chain.world.swapPool.address;
  }

  /** Hashes of the bot's transactions, oldest first. */
  get hashes(): readonly string[] {
    return this.#hashes;
  }

  start(): void {
    this.#working = this.#work();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (this.sight === 'pre_confirmed') await this.#read('pre_confirmed');
      await this.#readClosedBlocks();
      await systemClock.sleep(PAUSE_MS);
    }
  }

  /**
   * Reads each accepted block once. On a busy machine, the bot may not have read the block while it
   * was pre-confirmed.
   */
  async #readClosedBlocks(): Promise<void> {
    const height = await this.#client.query({
      method: 'starknet_blockNumber',
      params: {},
      result: z.int(),
    });
    for (let number = this.#nextBlock ?? height; number <= height; number += 1)
      await this.#read({ block_number: number });
    this.#nextBlock = height + 1;
  }

  async #read(block: 'pre_confirmed' | { readonly block_number: number }): Promise<void> {
    const method = 'starknet_getBlockWithReceipts';
    const params = { block_id: block };
    const { transactions } = await this.#client.query({ method, params, result: Block });
    for (const sent of transactions) await this.#strand(sent);
  }

  async #strand({ transaction, receipt }: Sent): Promise<void> {
    if (receipt.execution_status !== 'REVERTED' || this.#seen.has(receipt.transaction_hash)) return;
    this.#seen.add(receipt.transaction_hash);
    // The calldata has one call: contract, selector and number of felts, followed by the call's own
    // calldata.
    const [calls, to, selector, , pool, proofFelts, ...rest] = transaction.calldata ?? [];
    if (calls !== 1n || to !== this.#swapPool || selector !== PRIVATE_SWAP) return;
    if (pool === undefined || proofFelts === undefined) return;
    const calldata = [proofFelts, ...rest.slice(0, Number(proofFelts))];
    const call = { to: pool, entrypoint: 'withdraw', calldata };
    this.#hashes.push(...(await this.#client.send(this.account, [call])));
  }
}
