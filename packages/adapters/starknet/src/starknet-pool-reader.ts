import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { PoolReader, PoolStatus, WithdrawalFacts, WithdrawalPlace } from '@sotto/relayer-core';
import { HEAD, readOfOneBlock } from './block-head.js';
import { LATEST_BLOCK } from './latest-block.js';
import type { PoolEntrypoints } from './pool-entrypoints.js';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import { SWAP_POOL_ENTRYPOINTS, leafCalls, leafOf } from './swap-pool-views.js';
import { callView, viewCall } from './views.js';
import { ReturnedBool, ReturnedU256, ReturnedU32 } from './wire.js';

/** 100 %. */
const MAX_BPS = 10_000;

/**
 * Reads pools by their views at the newest accepted block, all of one withdrawal in one request.
 */
export class StarknetPoolReader implements PoolReader {
  constructor(
    private readonly node: StarknetNode,
    private readonly entrypoints: PoolEntrypoints,
    /** Read by its own views; null without a swap pool. */
    private readonly swapPool: Felt | null = null,
  ) {}

  /** Reads the pool's eight views, all of one block. */
  async poolStatus(pool: Felt): Promise<PoolStatus> {
    return checked(await readOfOneBlock(async () => this.#readStatus(pool)));
  }

  /** Null when a block came in between. */
  async #readStatus(pool: Felt): Promise<PoolStatus | null> {
    const u256 = (entrypoint: string): NodeCall<bigint> =>
      viewCall({ contract: pool, entrypoint, result: ReturnedU256 });
    const u32 = (entrypoint: string): NodeCall<number> =>
      viewCall({ contract: pool, entrypoint, result: ReturnedU32 });
    const names = this.entrypoints;
    const [
      before,
      denomination,
      undeployedCount,
      activeDeposits,
      totalDeposits,
      totalAssets,
      maxFeeBps,
      maxFee,
      nextIndex,
      after,
    ] = await this.node.together([
      HEAD,
      u256(names.denomination),
      u32(names.undeployedCount),
      u32(names.activeDeposits),
      u32(names.totalDeposits),
      u256(names.totalAssets),
      u32(names.maxFeeBps),
      u256(names.maxFee),
      u32(names.nextIndex),
      LATEST_BLOCK,
    ]);
    if (before.block_hash !== after.blockHash) return null;
    const counts = { undeployedCount, activeDeposits, totalDeposits, nextIndex };
    return {
      blockNumber: after.blockNumber,
      timestamp: after.timestamp,
      denomination,
      ...counts,
      totalAssets,
      maxFeeBps,
      maxFee,
    };
  }

  async preConfirmedWaiting(pool: Felt): Promise<number> {
    const entrypoint = this.entrypoints.undeployedCount;
    const result = ReturnedU32;
    return callView(this.node, { contract: pool, entrypoint, block: 'pre_confirmed', result });
  }

  async withdrawalFacts(pool: Felt, place: WithdrawalPlace): Promise<WithdrawalFacts> {
    if (pool === this.swapPool) return this.#swapOutput(pool, place);
    const { root, nullifierHash } = place;
    const {
      maxFee: maxFeeView,
      nextIndex: nextIndexView,
      undeployedCount: undeployedView,
      isKnownRoot,
    } = this.entrypoints;
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
    const { isSpent } = pool === this.swapPool ? SWAP_POOL_ENTRYPOINTS : this.entrypoints;
    return callView(this.node, {
      contract: pool,
      entrypoint: isSpent,
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
      entrypoint: SWAP_POOL_ENTRYPOINTS.isKnownRoot,
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
}

function u256Felts(value: bigint): readonly Felt[] {
  return u256ToHalves(value).map((half) => toFelt(half));
}

/** @throws NodeMalformedAnswer for what no pool can say. */
function checked(status: PoolStatus): PoolStatus {
  if (status.denomination === 0n)
    throw new NodeMalformedAnswer({ message: 'the pool has no denomination' });
  if (status.maxFeeBps > MAX_BPS)
    throw new NodeMalformedAnswer({ message: 'the pool allows fees above the whole amount' });
  if (status.undeployedCount > status.nextIndex)
    throw new NodeMalformedAnswer({ message: 'the pool has more waiting leaves than leaves' });
  return status;
}
