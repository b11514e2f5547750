import {
  NodeClient,
  HeldKeys,
  StarknetAccountSigner,
  StarknetBroadcaster,
  oneNode,
  selectorOf,
  shortStringFelt,
  type NodeCall,
} from '@sotto/adapter-starknet';
import { Felts, toFelt, u256FromHalves } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { boundsFor } from '@sotto/submission-core';
import { z } from 'zod';

const LIMITS = { l2Gas: 400_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };
const BOUNDS = boundsFor(LIMITS, {
  l2GasFri: 10_000_000_000n,
  l1GasFri: 50_000_000_000_000n,
  l1DataGasFri: 1_000_000_000n,
});

const Integer = z.string().transform(BigInt);
const Receipt = z.object({
  execution_status: z.enum(['SUCCEEDED', 'REVERTED']),
  finality_status: z.string(),
  revert_reason: z.string().optional(),
  /** Number of the block; missing while the block is pre-confirmed. */
  block_number: z.int().optional(),
  actual_fee: z.object({ amount: Integer }),
  execution_resources: z.object({ l1_gas: z.int(), l1_data_gas: z.int(), l2_gas: z.int() }),
});
export type Receipt = z.output<typeof Receipt>;

/** Block with the senders of its transactions. Deploy-account transactions have no sender. */
const SentBlock = z.object({
  transactions: z.array(z.object({ sender_address: Integer.optional() })),
});

/** Account whose key tests use to sign. */
interface Signing {
  readonly address: bigint;
  readonly privateKey: bigint;
}

export interface Call {
  readonly to: bigint;
  readonly entrypoint: string;
  readonly calldata: readonly bigint[];
}

/**
 * Client that reads a chain and sends to it directly, not through the service or the fault proxy.
 * Reads the pre-confirmed state.
 */
export class ChainClient {
  readonly #node: NodeClient;
  #signer: StarknetAccountSigner | undefined;

  constructor(
    readonly rpcUrl: string,
    private readonly chainId: string,
    private readonly signers: readonly Signing[],
  ) {
    // The timeouts are long, because devnet executes a transaction before it responds, which is
    // slow on a busy machine.
    this.#node = new NodeClient({ url: rpcUrl, readTimeoutMs: 60_000, sendTimeoutMs: 60_000 });
  }

  /** Returns the result of a contract's view. */
  async view(
    contract: bigint,
    entrypoint: string,
    calldata: readonly bigint[] = [],
  ): Promise<readonly bigint[]> {
    const request = {
      contract_address: toFelt(contract),
      entry_point_selector: selectorOf(entrypoint),
      calldata: calldata.map(toFelt),
    };
    return this.#node.call({
      method: 'starknet_call',
      params: { request, block_id: 'pre_confirmed' },
      result: z.array(Integer),
    });
  }

  /** Returns the result of a contract's view, as a u256. */
  async u256(
    contract: bigint,
    entrypoint: string,
    calldata: readonly bigint[] = [],
  ): Promise<bigint> {
    const [low = 0n, high = 0n] = await this.view(contract, entrypoint, calldata);
    return u256FromHalves(low, high);
  }

  /** Returns a balance in the token's smallest unit. */
  async balanceOf(token: bigint, owner: bigint): Promise<bigint> {
    return this.u256(token, 'balance_of', [owner]);
  }

  async nonceOf(account: bigint): Promise<bigint> {
    const params = { contract_address: toFelt(account), block_id: 'pre_confirmed' };
    return this.#node.call({ method: 'starknet_getNonce', params, result: Integer });
  }

  /** Returns the senders of all transactions in accepted blocks. */
  async senders(): Promise<ReadonlySet<bigint>> {
    const height = await this.#node.call({
      method: 'starknet_blockNumber',
      params: {},
      result: z.int(),
    });
    const blocks = Array.from({ length: height + 1 }, (_, number) => ({
      method: 'starknet_getBlockWithTxs',
      params: { block_id: { block_number: number } },
      result: SentBlock,
    }));
    const read = await Promise.all(blocks.map((block) => this.#node.call(block)));
    return new Set(
      read.flatMap(({ transactions }) =>
        transactions.flatMap(({ sender_address: sender }) => sender ?? []),
      ),
    );
  }

  /**
   * Returns the receipt of a transaction in an accepted or pre-confirmed block. @throws
   * NodeRefusedCall if no block contains the transaction
   */
  async receiptOf(hash: string): Promise<Receipt> {
    return this.#node.call({
      method: 'starknet_getTransactionReceipt',
      params: { transaction_hash: hash },
      result: Receipt,
    });
  }

  /** Resolves with the receipt once an accepted block contains the transaction. */
  async accepted(hash: string): Promise<Receipt> {
    return eventually('the transaction to be in a closed block', async () => {
      const receipt = await this.receiptOf(hash).catch(() => undefined);
      return (
        receipt?.block_number !== undefined &&
        receipt.finality_status !== 'PRE_CONFIRMED' &&
        receipt
      );
    });
  }

  /** Calls a JSON-RPC method that only one kind of node (sandbox or devnet) has. */
  async query<T>(call: NodeCall<T>): Promise<T> {
    return this.#node.call(call);
  }

  /** Sends each call in a separate transaction and returns their hashes, oldest first. */
  async send({ address }: Signing, calls: readonly Call[]): Promise<readonly string[]> {
    // The signer is created only for tests that sign, because its worker thread starts slowly.
    this.#signer ??= new StarknetAccountSigner({
      chainId: shortStringFelt(this.chainId),
      keys: new HeldKeys(
        this.signers.map((signer) => ({
          address: toFelt(signer.address),
          privateKey: toFelt(signer.privateKey),
        })),
      ),
    });
    const account = toFelt(address);
    const first = await this.nonceOf(address);
    const hashes: string[] = [];
    for (const [index, { to, entrypoint, calldata }] of calls.entries()) {
      const hashed = await this.#signer.hashCall(
        { to: toFelt(to), entrypoint },
        Felts.of(calldata),
      );
      const { bytes, hash } = await this.#signer.signCall(hashed, {
        account,
        nonce: first + BigInt(index),
        bounds: BOUNDS,
      });
      const answer = await new StarknetBroadcaster(oneNode(this.#node)).send(bytes, 'node');
      if (answer.kind !== 'taken')
        throw new Error(`the node answered ${answer.kind}: ${answer.code}`);
      hashes.push(hash);
    }
    return hashes;
  }

  async close(): Promise<void> {
    this.#node.close();
    await this.#signer?.close();
  }
}
