import {
  HeldKeys,
  NodeClient,
  StarknetAccountSigner,
  StarknetBroadcaster,
  oneNode,
  selectorOf,
  shortStringFelt,
} from '@sotto/adapter-starknet';
import type { ProvenActions, Strk20Devnet } from '@sotto/deployment/testing';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { packPayload, type PrivateActionPayload } from '@sotto/relayer-core';
import type { ResourceBounds, SendAnswer, SignedTransaction } from '@sotto/submission-core';
import { z } from 'zod';
import { HEAD } from '../../src/block-head.js';
import { TIMEOUTS } from './settings.js';

const BOUNDS: ResourceBounds = {
  l2Gas: { maxAmount: 1_000_000_000n, maxPriceFri: 100n },
  l1Gas: { maxAmount: 256n, maxPriceFri: 100n },
  l1DataGas: { maxAmount: 20_480n, maxPriceFri: 100n },
  tipFri: 0n,
};
const Integer = z.string().transform(BigInt);
const Receipt = z.object({
  block_number: z.int(),
  execution_status: z.string(),
  revert_reason: z.string().optional(),
  execution_resources: z.object({ l2_gas: z.int(), l1_data_gas: z.int() }),
});
export type Receipt = z.output<typeof Receipt>;

/** Connection to a devnet with the real privacy pool, and adapters that send private actions. */
export class Strk20Chain {
  readonly chainId = shortStringFelt('SN_SEPOLIA');
  readonly pool: Felt;
  readonly strk: Felt;
  /** Account that relays, without notes in the pool. */
  readonly lane: Felt;
  readonly client: NodeClient;
  readonly #signer: StarknetAccountSigner;

  private constructor(
    readonly devnet: Strk20Devnet,
    private readonly proxy: FaultProxy,
  ) {
    this.pool = toFelt(devnet.pool);
    this.strk = toFelt(devnet.strk);
    this.lane = toFelt(devnet.stranger.address);
    this.client = new NodeClient({ url: proxy.url, ...TIMEOUTS });
    const key = { address: this.lane, privateKey: toFelt(devnet.stranger.privateKey) };
    this.#signer = new StarknetAccountSigner({
      chainId: this.chainId,
      keys: new HeldKeys([key]),
    });
  }

  /** Resets a devnet to its start, and connects to it. */
  static async on(devnet: Strk20Devnet): Promise<Strk20Chain> {
    await devnet.reset();
    return new Strk20Chain(devnet, await startFaultProxy({ target: devnet.url }));
  }

  async head(): Promise<{ readonly number: number; readonly hash: Felt }> {
    const { block_number: number, block_hash: hash } = await this.client.call(HEAD);
    return { number, hash };
  }

  async sign(packed: Felts): Promise<SignedTransaction> {
    const call = { to: this.pool, entrypoint: 'apply_actions' };
    const hashed = await this.#signer.hashCall(call, packed);
    const nonce = await this.nonce();
    return this.#signer.signCall(hashed, { account: this.lane, nonce, bounds: BOUNDS });
  }

  /** Sends an attempt. An accepted transaction is in a new block. */
  async send(packed: Felts): Promise<{ readonly hash: Felt; readonly answer: SendAnswer }> {
    const { hash, bytes } = await this.sign(packed);
    const answer = await new StarknetBroadcaster(oneNode(this.client)).send(bytes, 'node');
    return { hash, answer };
  }

  nonce(): Promise<bigint> {
    const params = { contract_address: this.lane, block_id: 'pre_confirmed' };
    return this.client.call({ method: 'starknet_getNonce', params, result: Integer });
  }

  receipt(hash: Felt): Promise<Receipt> {
    const params = { transaction_hash: hash };
    return this.client.call({ method: 'starknet_getTransactionReceipt', params, result: Receipt });
  }

  /** Returns a balance of STRK, in fri. */
  async balance(owner: bigint): Promise<bigint> {
    const request = {
      contract_address: this.strk,
      entry_point_selector: selectorOf('balance_of'),
      calldata: [toFelt(owner)],
    };
    const params = { request, block_id: 'latest' };
    const result = z.array(Integer);
    const [low = 0n] = await this.client.call({ method: 'starknet_call', params, result });
    return low;
  }

  /** Breaks the connection to devnet. */
  async breakDown(): Promise<void> {
    await this.proxy.stop();
  }

  /** Closes the connection. The devnet continues to run. */
  async stop(): Promise<void> {
    this.client.close();
    await this.#signer.close();
    await this.proxy.stop();
  }
}

/** Returns the attempt's calldata of private actions that have no proof. */
export function packedOf(
  { calldata, proofFacts }: ProvenActions,
  changes: Partial<PrivateActionPayload> = {},
): Felts {
  return packPayload({
    calldata: Felts.of(calldata),
    facts: Felts.of(proofFacts),
    proof: new Uint8Array(),
    poolFee: null,
    outsideExecution: null,
    ...changes,
  });
}
