import { z } from 'zod';
import { selectorOf, toHex } from '../engine/felt.js';

/** State of the chain and the pool that a proof depends on. */
export interface PoolState {
  readonly chainId: bigint;
  /** Number of the newest ACCEPTED_ON_L2 block. */
  readonly latest: number;
  /** Time of the pre-confirmed block, in seconds. */
  readonly nowSeconds: bigint;
  readonly classHash: bigint;
  /** Public key of the screening service; 0n if no screening is needed. */
  readonly screenerPublicKey: bigint;
  /** True if the pool's class has the argument `screening`. */
  readonly hasScreening: boolean;
}

const Felt = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt);
const Reply = z.object({
  id: z.int(),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string() }).optional(),
});
type Reply = z.output<typeof Reply>;

/** Error code of a node for a contract without the entry point. */
const NO_ENTRY_POINT = 21;

/** Node that the prover queries over JSON-RPC. */
export class PrivacyNode {
  constructor(private readonly rpcUrl: string) {}

  /** Reads the state of a pool. @throws Error if the node is unavailable or rejects a query */
  async poolState(pool: bigint): Promise<PoolState> {
    const view = (name: string): readonly [string, unknown] => [
      'starknet_call',
      {
        request: {
          contract_address: toHex(pool),
          entry_point_selector: toHex(selectorOf(name)),
          calldata: [],
        },
        block_id: 'latest',
      },
    ];
    const [chainId, latest, block, classHash, version, screener] = await this.#batch([
      ['starknet_chainId', {}],
      ['starknet_blockNumber', {}],
      ['starknet_getBlockWithTxHashes', { block_id: 'pre_confirmed' }],
      ['starknet_getClassHashAt', { block_id: 'latest', contract_address: toHex(pool) }],
      view('get_version'),
      view('get_screener_public_key'),
    ]);
    const hasScreening = version?.error?.code !== NO_ENTRY_POINT;
    const [screenerPublicKey = 0n] = hasScreening ? z.array(Felt).parse(resultOf(screener)) : [];
    return {
      chainId: Felt.parse(resultOf(chainId)),
      latest: z.int().parse(resultOf(latest)),
      nowSeconds: BigInt(z.object({ timestamp: z.int() }).parse(resultOf(block)).timestamp),
      classHash: Felt.parse(resultOf(classHash)),
      screenerPublicKey,
      hasScreening,
    };
  }

  async blockHash(number: number): Promise<bigint> {
    const [block] = await this.#batch([
      ['starknet_getBlockWithTxHashes', { block_id: { block_number: number } }],
    ]);
    return z.object({ block_hash: Felt }).parse(resultOf(block)).block_hash;
  }

  async #batch(calls: readonly (readonly [string, unknown])[]): Promise<(Reply | undefined)[]> {
    const replies = z.array(Reply).parse(
      await post(
        this.rpcUrl,
        calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })),
      ),
    );
    return calls.map((_, id) => replies.find((reply) => reply.id === id));
  }
}

/** Posts a JSON body and returns the JSON of the response. @throws Error for another status */
export async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} returned status ${response.status}: ${text}`);
  const value: unknown = JSON.parse(text);
  return value;
}

function resultOf(reply: Reply | undefined): unknown {
  if (reply === undefined) throw new Error('the node returned no reply');
  if (reply.error !== undefined)
    throw new Error(`the node returned error ${reply.error.code}: ${reply.error.message}`);
  return reply.result;
}
