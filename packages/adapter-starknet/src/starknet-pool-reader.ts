import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { PoolReader, WithdrawalFacts } from '@sotto/relayer-core';
import { V4_ENTRYPOINTS, type PoolEntrypoints } from './pool-entrypoints.js';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { callView } from './views.js';
import { ReturnedBool, ReturnedU256, ReturnedU32 } from './wire.js';

/** Reads pools by their views at the newest accepted block, all of one withdrawal in one request. */
export class StarknetPoolReader implements PoolReader {
  readonly #entrypoints: PoolEntrypoints;

  /** @param entrypoints those that the pools name otherwise than V4 does */
  constructor(
    private readonly node: NodeClient,
    entrypoints: Partial<PoolEntrypoints> = {},
  ) {
    this.#entrypoints = { ...V4_ENTRYPOINTS, ...entrypoints };
  }

  async withdrawalFacts(
    pool: Felt,
    { root, nullifierHash }: { readonly root: bigint; readonly nullifierHash: bigint },
  ): Promise<WithdrawalFacts> {
    const { maxFee: maxFeeView, nextIndex: nextIndexView, undeployedCount: undeployedView, isKnownRoot } = this.#entrypoints;
    const [maxFee, nextIndex, undeployedCount, rootKnown, nullifierSpent] = await Promise.all([
      callView(this.node, { contract: pool, entrypoint: maxFeeView, result: ReturnedU256 }),
      callView(this.node, { contract: pool, entrypoint: nextIndexView, result: ReturnedU32 }),
      callView(this.node, { contract: pool, entrypoint: undeployedView, result: ReturnedU32 }),
      callView(this.node, { contract: pool, entrypoint: isKnownRoot, calldata: u256Felts(root), result: ReturnedBool }),
      this.nullifierSpent(pool, nullifierHash),
    ]);
    if (undeployedCount > nextIndex) throw new NodeMalformedAnswer('the pool has more waiting leaves than leaves');
    return { maxFee, nextIndex, undeployedCount, rootKnown, nullifierSpent };
  }

  async nullifierSpent(pool: Felt, nullifierHash: bigint): Promise<boolean> {
    const calldata = u256Felts(nullifierHash);
    return callView(this.node, { contract: pool, entrypoint: this.#entrypoints.isSpent, calldata, result: ReturnedBool });
  }
}

function u256Felts(value: bigint): readonly Felt[] {
  return u256ToHalves(value).map((half) => toFelt(half));
}
