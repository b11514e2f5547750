import type { Felt } from '@sotto/kernel';
import type { PoolStatus, PoolStatusReader } from '@sotto/relayer-core';
import { HEAD } from './block-head.js';
import { V4_ENTRYPOINTS, type PoolEntrypoints } from './pool-entrypoints.js';
import { NodeMalformedAnswer, NodeUnavailable } from './rpc/errors.js';
import type { NodeCall, NodeClient } from './rpc/node-client.js';
import { viewCall } from './views.js';
import { ReturnedU256, ReturnedU32 } from './wire.js';

/** 100 %. */
const MAX_BPS = 10_000;
const ATTEMPTS = 2;

/**
 * Reads a pool by its eight views in one request. All are asked of the latest block, between two
 * questions which block that is: a node that works through a batch in order has answered from one
 * block when both name the same. When a block came in between, all is read once more. Naming the
 * block in the views instead would take a request before, or show the block before the latest.
 */
export class StarknetPoolStatusReader implements PoolStatusReader {
  readonly #entrypoints: PoolEntrypoints;

  /** @param entrypoints those that the pools name otherwise than V4 does */
  constructor(
    private readonly node: NodeClient,
    entrypoints: Partial<PoolEntrypoints> = {},
  ) {
    this.#entrypoints = { ...V4_ENTRYPOINTS, ...entrypoints };
  }

  async poolStatus(pool: Felt): Promise<PoolStatus> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const status = await this.#read(pool);
      if (status !== null) return checked(status);
    }
    throw new NodeUnavailable({
      message: 'blocks follow one another faster than a pool can be read',
    });
  }

  /** Null when a block came in between. */
  async #read(pool: Felt): Promise<PoolStatus | null> {
    const u256 = (entrypoint: string): NodeCall<bigint> =>
      viewCall({ contract: pool, entrypoint, result: ReturnedU256 });
    const u32 = (entrypoint: string): NodeCall<number> =>
      viewCall({ contract: pool, entrypoint, result: ReturnedU32 });
    const names = this.#entrypoints;
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
      HEAD,
    ]);
    if (before.block_hash !== after.block_hash) return null;
    const counts = { undeployedCount, activeDeposits, totalDeposits, nextIndex };
    return {
      blockNumber: after.block_number,
      denomination,
      ...counts,
      totalAssets,
      maxFeeBps,
      maxFee,
    };
  }
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
