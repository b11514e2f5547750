import { toFelt, type Felt } from '@sotto/kernel';
import type {
  PoolVersion,
  PrivacyPoolFacts,
  PrivacyPoolReader,
  WantedPoolFacts,
} from '@sotto/relayer-core';
import { z } from 'zod';
import { HEAD, blockHashUnlessAbsent, readOfOneBlock } from './block-head.js';
import { hasNoEntrypoint } from './no-entrypoint.js';
import { NodeMalformedAnswer, NodeUnavailable, RpcCode, isRejection } from './rpc/errors.js';
import type { NodeCall, NodeHead, StarknetNode } from './rpc/starknet-node.js';
import { viewCall } from './views.js';
import { LATEST, Returned, ReturnedBool, WireFelt, WireU128, WireU64 } from './wire.js';

/** Maximum of a proof's validity, in blocks. A longer validity counts as this one. */
const MAX_VALIDITY_BLOCKS = 2 ** 32;
const ZERO = toFelt(0n);

const ReturnedU128 = z.tuple([WireU128]).transform(([value]) => value);
const ReturnedValidity = z
  .tuple([WireU64])
  .transform(([blocks]) => (blocks < MAX_VALIDITY_BLOCKS ? Number(blocks) : MAX_VALIDITY_BLOCKS));

/** Facts of a pool without its version, and the block in which they were read. */
interface PoolRead {
  readonly head: NodeHead;
  readonly facts: Omit<PrivacyPoolFacts, 'version'>;
}

/**
 * Reads privacy pools (STRK20) at the newest accepted block. All reads of a pool share one request.
 * The version of a class is read in a second request, once per class.
 */
export class StarknetPrivacyPoolReader implements PrivacyPoolReader {
  /** Versions by class hash. A class never changes its version. */
  readonly #versions = new Map<Felt, PoolVersion>();

  constructor(private readonly node: StarknetNode) {}

  async facts(pool: Felt, wanted: WantedPoolFacts): Promise<PrivacyPoolFacts> {
    const { facts, head } = await readOfOneBlock(async () => this.#read(pool, wanted));
    const { classHash } = facts;
    const version = this.#versions.get(classHash) ?? (await this.#versionAt(pool, head.hash));
    this.#versions.set(classHash, version);
    return { ...facts, version };
  }

  /** Reads the pool; null if a new block arrived between the reads. */
  async #read(
    pool: Felt,
    { baseBlockNumber: base, addresses }: WantedPoolFacts,
  ): Promise<PoolRead | null> {
    const view = <T>(entrypoint: string, result: z.ZodType<T>): NodeCall<T | null> =>
      ofPool(viewCall({ contract: pool, entrypoint, result }));
    const [before, classHash, isPaused, feeFri, validityBlocks, ...rest] = await this.node.together(
      [
        HEAD,
        classAt(pool),
        view('is_paused', ReturnedBool),
        view('get_fee_amount', ReturnedU128),
        view('get_proof_validity_blocks', ReturnedValidity),
        ...addresses.map((address) => storageAt(pool, address)),
        ...(base === null ? [] : [blockHashUnlessAbsent(base)]),
        HEAD,
      ],
    );
    const after = rest.at(-1);
    const head = { number: before.block_number, hash: before.block_hash };
    if (after === null || typeof after !== 'object' || after.block_hash !== head.hash) return null;
    if (classHash === null || feeFri === null || validityBlocks === null)
      throw new NodeMalformedAnswer({ message: 'the contract is no privacy pool' });
    const baseHash = base === null ? null : rest[addresses.length];
    const baseBlockHash = typeof baseHash === 'string' ? baseHash : null;
    // A proof on an older block has expired in any case, and a node may have pruned the block.
    const isRecent = base !== null && base <= head.number && head.number <= base + validityBlocks;
    if (isRecent && baseBlockHash === null)
      throw new NodeUnavailable({ message: 'the node does not have a block below its head' });
    return {
      head,
      facts: {
        classHash,
        // A class without this view can't be paused.
        isPaused: isPaused ?? false,
        feeFri,
        validityBlocks,
        headNumber: head.number,
        baseBlockHash,
        taken: addresses.filter((_address, index) => rest[index] !== ZERO),
      },
    };
  }

  /** Reads the version of the pool's class in a block. Only the existence of the view matters. */
  async #versionAt(pool: Felt, block: Felt): Promise<PoolVersion> {
    const view = { contract: pool, entrypoint: 'get_version', block, result: Returned };
    try {
      await this.node.call(viewCall(view));
      return '2.0';
    } catch (error) {
      if (!hasNoEntrypoint(error)) throw error;
      return 'before 2.0';
    }
  }
}

/** Makes a read return null if the contract or its entry point does not exist. */
function ofPool<T>(call: NodeCall<T>): NodeCall<T | null> {
  const { method, params, result } = call;
  return {
    method,
    params,
    result,
    readsAs: (failure) =>
      isRejection(failure, RpcCode.contractNotFound) || hasNoEntrypoint(failure) ? null : undefined,
  };
}

function classAt(pool: Felt): NodeCall<Felt | null> {
  const params = { block_id: LATEST, contract_address: pool };
  return ofPool({ method: 'starknet_getClassHashAt', params, result: WireFelt });
}

function storageAt(pool: Felt, key: Felt): NodeCall<Felt | null> {
  const params = { block_id: LATEST, contract_address: pool, key };
  return ofPool({ method: 'starknet_getStorageAt', params, result: WireFelt });
}
