import { systemClock, toFelt, u256FromHalves } from '@sotto/kernel';
import { hash } from 'starknet';
import { z } from 'zod';
import { send } from '../json-request.js';

const Integer = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(BigInt);
const Integers = z.array(Integer);
const Price = z.object({ price_in_fri: Integer });
const Header = z.object({ l1_gas_price: Price, l1_data_gas_price: Price, l2_gas_price: Price });
const Events = z.object({
  events: z.array(z.object({ keys: Integers, data: Integers })),
  continuation_token: z.string().optional(),
});
const Status = z.object({
  finality_status: z.string(),
  execution_status: z.string().optional(),
  failure_reason: z.string().nullish(),
});
const Receipt = z.object({ actual_fee: z.object({ amount: Integer }) });
const RpcAnswer = z.union([
  z.object({ result: z.unknown(), error: z.undefined().optional() }),
  z.object({ error: z.object({ code: z.int(), message: z.string() }) }),
]);

export interface ChainEvent {
  readonly keys: readonly bigint[];
  readonly data: readonly bigint[];
}

/** Gas prices of the newest block, in fri per unit of gas. */
export interface NodeGasPrices {
  readonly l1Gas: bigint;
  readonly l1DataGas: bigint;
  readonly l2Gas: bigint;
}

/** Error that the node returned. The field `code` is defined by the JSON-RPC specification. */
class NodeRejection extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Error code TXN_HASH_NOT_FOUND of the JSON-RPC specification. */
const UNKNOWN_HASH = 29;
const POLL_EVERY_MS = 100;
const REQUEST_TIMEOUT_MS = 10_000;
const INCLUSION_TIMEOUT_MS = 30_000;
const EVENTS_PER_PAGE = 500;

/** Reads of a node that the wallet needs. Every response is parsed. */
export class Node {
  constructor(readonly rpcUrl: string) {}

  /** Calls a view function at the pre-confirmed state. */
  async call(
    contract: bigint,
    entrypoint: string,
    calldata: readonly bigint[] = [],
  ): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(contract),
      entry_point_selector: hash.getSelectorFromName(entrypoint),
      calldata: calldata.map(toFelt),
    };
    return this.#query('starknet_call', { request, block_id: 'pre_confirmed' }, Integers);
  }

  /** Calls a view function that returns one u256. */
  async amount(
    contract: bigint,
    entrypoint: string,
    calldata: readonly bigint[] = [],
  ): Promise<bigint> {
    const [low, high] = await this.call(contract, entrypoint, calldata);
    if (low === undefined || high === undefined)
      throw new Error(`${entrypoint} did not answer with a u256`);
    return u256FromHalves(low, high);
  }

  /** Returns a balance in the ERC-20 token's smallest unit. */
  balance(token: bigint, owner: bigint): Promise<bigint> {
    return this.amount(token, 'balance_of', [owner]);
  }

  nonce(account: bigint): Promise<bigint> {
    return this.#query(
      'starknet_getNonce',
      { contract_address: toFelt(account), block_id: 'pre_confirmed' },
      Integer,
    );
  }

  async gasPrices(): Promise<NodeGasPrices> {
    const header = await this.#query(
      'starknet_getBlockWithTxHashes',
      { block_id: 'latest' },
      Header,
    );
    return {
      l1Gas: header.l1_gas_price.price_in_fri,
      l1DataGas: header.l1_data_gas_price.price_in_fri,
      l2Gas: header.l2_gas_price.price_in_fri,
    };
  }

  /**
   * Returns the events of a contract in accepted blocks, oldest first. `name` is the name of the
   * event in the contract.
   */
  async events(contract: bigint, name: string): Promise<readonly ChainEvent[]> {
    const found: ChainEvent[] = [];
    let page: string | undefined;
    do {
      const filter = {
        from_block: { block_number: 0 },
        to_block: 'latest',
        address: toFelt(contract),
        keys: [[hash.getSelectorFromName(name)]],
        chunk_size: EVENTS_PER_PAGE,
        ...(page === undefined ? {} : { continuation_token: page }),
      };
      const { events, continuation_token } = await this.#query(
        'starknet_getEvents',
        { filter },
        Events,
      );
      found.push(...events);
      page = continuation_token;
    } while (page !== undefined);
    return found;
  }

  /** Returns the fee that was paid for the transaction, in fri. */
  async feePaid(transactionHash: string): Promise<bigint> {
    const { actual_fee } = await this.#query(
      'starknet_getTransactionReceipt',
      { transaction_hash: transactionHash },
      Receipt,
    );
    return actual_fee.amount;
  }

  /**
   * Resolves when the transaction has succeeded in an accepted block.
   * @throws Error if it reverted, or is not accepted within half a minute
   */
  async accepted(transactionHash: string): Promise<void> {
    const untilMs = systemClock.monotonicMs() + INCLUSION_TIMEOUT_MS;
    while (systemClock.monotonicMs() < untilMs) {
      const status = await this.#statusOf(transactionHash);
      if (status?.execution_status === 'REVERTED')
        throw new Error(
          `a transaction of the demonstration reverted: ${status.failure_reason ?? ''}`,
        );
      if (status !== null && /^ACCEPTED_ON_L[12]$/.test(status.finality_status)) return;
      await systemClock.sleep(POLL_EVERY_MS);
    }
    throw new Error(
      `transaction ${transactionHash} is not in a block after ${INCLUSION_TIMEOUT_MS / 1000} s`,
    );
  }

  async #statusOf(transactionHash: string): Promise<z.output<typeof Status> | null> {
    try {
      return await this.#query(
        'starknet_getTransactionStatus',
        { transaction_hash: transactionHash },
        Status,
      );
    } catch (error) {
      if (error instanceof NodeRejection && error.code === UNKNOWN_HASH) return null;
      throw error;
    }
  }

  async #query<S extends z.ZodType>(
    method: string,
    params: object,
    schema: S,
  ): Promise<z.output<S>> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const response = await send(this.rpcUrl, init, REQUEST_TIMEOUT_MS);
    const answer = RpcAnswer.parse(await response.json());
    if (answer.error !== undefined)
      throw new NodeRejection(answer.error.code, `${method}: ${answer.error.message}`);
    return schema.parse(answer.result);
  }
}
