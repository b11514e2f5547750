import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { PoolReader, WithdrawalFacts, WithdrawalPlace } from '@sotto/relayer-core';
import { V4_ENTRYPOINTS, type PoolEntrypoints } from './pool-entrypoints.js';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { leafCalls, leafOf } from './swap-pool-views.js';
import { callView } from './views.js';
import { ReturnedBool, ReturnedU256, ReturnedU32 } from './wire.js';

/**
 * Reads pools by their views at the newest accepted block, all of one withdrawal in one request.
 */
export class StarknetPoolReader implements PoolReader {
  readonly #entrypoints: PoolEntrypoints;

  /** @param entrypoints those that the pools name otherwise than V4 does */
  constructor(
    private readonly node: NodeClient,
    entrypoints: Partial<PoolEntrypoints> = {},
    /** Read by its own views; null without a swap pool. */
    private readonly swapPool: Felt | null = null,
  ) {
    this.#entrypoints = { ...V4_ENTRYPOINTS, ...entrypoints };
  }

  async withdrawalFacts(pool: Felt, place: WithdrawalPlace): Promise<WithdrawalFacts> {
    if (pool === this.swapPool) return this.#swapOutput(pool, place);
    const { root, nullifierHash } = place;
    const {
      maxFee: maxFeeView,
      nextIndex: nextIndexView,
      undeployedCount: undeployedView,
      isKnownRoot,
    } = this.#entrypoints;
    const [maxFee, nextIndex, undeployedCount, rootKnown, nullifierSpent] = await Promise.all([
      callView(this.node, { contract: pool, entrypoint: maxFeeView, result: ReturnedU256 }),
      callView(this.node, { contract: pool, entrypoint: nextIndexView, result: ReturnedU32 }),
      callView(this.node, { contract: pool, entrypoint: undeployedView, result: ReturnedU32 }),
      callView(this.node, {
        contract: pool,
        entrypoint: isKnownRoot,
        calldata: u256Felts(root),
        result: ReturnedBool,
      }),
      this.nullifierSpent(pool, nullifierHash),
    ]);
    if (undeployedCount > nextIndex)
      throw new NodeMalformedAnswer({ message: 'the pool has more waiting leaves than leaves' });
    return { maxFee, nextIndex, undeployedCount, rootKnown, nullifierSpent, leaf: null };
  }

  async nullifierSpent(pool: Felt, nullifierHash: bigint): Promise<boolean> {
    const calldata = u256Felts(nullifierHash);
    return callView(this.node, {
      contract: pool,
      entrypoint: this.#namesOf(pool).isSpent,
      calldata,
      result: ReturnedBool,
    });
  }

  async #swapOutput(
    pool: Felt,
    { root, nullifierHash, batchStart }: WithdrawalPlace,
  ): Promise<WithdrawalFacts> {
    const rootView = {
      contract: pool,
      entrypoint: this.#namesOf(pool).isKnownRoot,
      calldata: u256Felts(root),
      result: ReturnedBool,
    };
    const [[held, maxFeeBps, nextIndex], rootKnown, nullifierSpent] = await Promise.all([
      this.node.together(leafCalls(pool, batchStart)),
      callView(this.node, rootView),
      this.nullifierSpent(pool, nullifierHash),
    ]);
    const leaf = leafOf(held, maxFeeBps, nextIndex, batchStart);
    return {
      maxFee: leaf?.maxFee ?? 0n,
      nextIndex,
      undeployedCount: 0,
      rootKnown,
      nullifierSpent,
      leaf,
    };
  }

  #namesOf(pool: Felt): PoolEntrypoints {
    return pool === this.swapPool ? V4_ENTRYPOINTS : this.#entrypoints;
  }
}

function u256Felts(value: bigint): readonly Felt[] {
  return u256ToHalves(value).map((half) => toFelt(half));
}
