import { selectorOf } from '@sotto/adapter-starknet';
import { toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';

/** One call of a transaction's `__execute__` calldata. */
export interface RecordedCall {
  readonly to: bigint;
  readonly selector: bigint;
  readonly calldata: readonly bigint[];
}

interface RecordedEvent {
  readonly from: bigint;
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

/** Transaction in an accepted block. */
export interface RecordedTransaction {
  readonly block: number;
  readonly hash: Felt;
  readonly sender: bigint;
  readonly calls: readonly RecordedCall[];
  /** Null if the transaction succeeded. */
  readonly revertReason: string | null;
  readonly events: readonly RecordedEvent[];
}

const Hex = z.string().transform(BigInt);
const Answer = z.object({ result: z.unknown() });
const Block = z.object({
  transactions: z.array(
    z.object({
      transaction: z.object({
        sender_address: Hex.optional(),
        calldata: z.array(Hex).optional(),
      }),
      receipt: z.object({
        transaction_hash: z.string().transform(toFelt),
        execution_status: z.enum(['SUCCEEDED', 'REVERTED']),
        revert_reason: z.string().optional(),
        events: z.array(z.object({ from_address: Hex, keys: z.array(Hex), data: z.array(Hex) })),
      }),
    }),
  ),
});

/** Transactions of accepted blocks, read from the node of any chain. */
export class ChainRecord {
  constructor(private readonly rpcUrl: string) {}

  /** Returns the number of the newest accepted block. */
  async height(): Promise<number> {
    return z.int().parse(await this.#query('starknet_blockNumber', {}));
  }

  /** Returns all transactions from `fromBlock` to the newest block, oldest first. */
  async transactions(fromBlock = 0): Promise<readonly RecordedTransaction[]> {
    const height = await this.height();
    const found: RecordedTransaction[] = [];
    for (let block = fromBlock; block <= height; block += 1) {
      const params = { block_id: { block_number: block } };
      const { transactions } = Block.parse(
        await this.#query('starknet_getBlockWithReceipts', params),
      );
      for (const { transaction, receipt } of transactions)
        found.push({
          block,
          hash: receipt.transaction_hash,
          sender: transaction.sender_address ?? 0n,
          calls: callsOf(transaction.calldata ?? []),
          revertReason:
            receipt.execution_status === 'SUCCEEDED' ? null : (receipt.revert_reason ?? ''),
          events: receipt.events.map(({ from_address: from, keys, data }) => ({
            from,
            keys,
            data,
          })),
        });
    }
    return found;
  }

  /**
   * Calls a view function of a contract. @param block number of the block @default the newest
   * accepted block
   */
  async view(
    contract: bigint,
    entrypoint: string,
    calldata: readonly bigint[] = [],
    block: number | 'latest' = 'latest',
  ): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(contract),
      entry_point_selector: selectorOf(entrypoint),
      calldata: calldata.map(toFelt),
    };
    const blockId = block === 'latest' ? block : { block_number: block };
    return z.array(Hex).parse(await this.#query('starknet_call', { request, block_id: blockId }));
  }

  async #query(method: string, params: object): Promise<unknown> {
    const response = await fetch(this.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return Answer.parse(await response.json()).result;
  }
}

/**
 * Parses the calldata of `__execute__`: the number of calls, and for each call its target, selector
 * and felts.
 */
function callsOf(calldata: readonly bigint[]): readonly RecordedCall[] {
  const calls: RecordedCall[] = [];
  let at = 1;
  for (let left = Number(calldata[0] ?? 0n); left > 0; left -= 1) {
    const [to = 0n, selector = 0n, length = 0n] = calldata.slice(at, at + 3);
    at += 3 + Number(length);
    calls.push({ to, selector, calldata: calldata.slice(at - Number(length), at) });
  }
  return calls;
}
