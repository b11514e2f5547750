import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { PoolReader, WithdrawalFacts } from '@sotto/relayer-core';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { callView } from './views.js';
import { ReturnedBool, ReturnedU256, ReturnedU32 } from './wire.js';

/** Names of a pool's views. */
export interface PoolEntrypoints {
  readonly maxFee: string;
  readonly nextIndex: string;
  readonly undeployedCount: string;
  readonly isKnownRoot: string;
  readonly isSpent: string;
}

/** As the V4 pools name them. */
const V4_ENTRYPOINTS: PoolEntrypoints = {
  maxFee: 'max_fee',
  nextIndex: 'get_next_index',
  undeployedCount: 'undeployed_count',
  isKnownRoot: 'is_known_root',
  isSpent: 'is_spent',
};

/** Reads pools by their views at the newest accepted block, all of one withdrawal in one request. */
export class StarknetPoolReader implements PoolReader {
  /** @param entrypoints @default those of the V4 pools */
  constructor(
    private readonly node: NodeClient,
    private readonly entrypoints: PoolEntrypoints = V4_ENTRYPOINTS,
  ) {}

  async withdrawalFacts(
    pool: Felt,
    { root, nullifierHash }: { readonly root: bigint; readonly nullifierHash: bigint },
  ): Promise<WithdrawalFacts> {
    const { maxFee: maxFeeView, nextIndex: nextIndexView, undeployedCount: undeployedView, isKnownRoot } = this.entrypoints;
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
    return callView(this.node, { contract: pool, entrypoint: this.entrypoints.isSpent, calldata, result: ReturnedBool });
  }
}

function u256Felts(value: bigint): readonly Felt[] {
  return u256ToHalves(value).map((half) => toFelt(half));
}
