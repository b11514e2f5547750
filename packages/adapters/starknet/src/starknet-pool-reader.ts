import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type {
  DepositFacts,
  DepositQuestion,
  PoolReader,
  PoolStatus,
  SwapLeaf,
  SwapPoolFigures,
  WithdrawalFacts,
  WithdrawalPlace,
} from '@sotto/relayer-core';
import { HEAD, readOfOneBlock } from './block-head.js';
import { LATEST_BLOCK } from './latest-block.js';
import type { PoolEntrypoints } from './pool-entrypoints.js';
import { NodeMalformedAnswer, RpcCode, isRejection } from './rpc/errors.js';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import {
  SWAP_POOL_ENTRYPOINTS,
  checkMaxFee,
  leafCalls,
  leafOf,
  swapPoolU32,
} from './swap-pool-views.js';
import { callView, viewCall } from './views.js';
import { LATEST, ReturnedBool, ReturnedU256, ReturnedU32, WireFelt } from './wire.js';

/** Fee of 100 % in basis points. */
const MAX_BPS = 10_000;

/**
 * Reads pools, tokens and depositors at the newest accepted block. All reads for one withdrawal or
 * deposit share one request.
 */
export class StarknetPoolReader implements PoolReader {
  constructor(
    private readonly node: StarknetNode,
    private readonly entrypoints: PoolEntrypoints,
    /**
     * Address of the swap pool, whose views have different names; null if no swap pool is
     * configured.
     */
    private readonly swapPool: Felt | null = null,
  ) {}

  /** Reads the pool's eight views, all at one block. */
  async poolStatus(pool: Felt): Promise<PoolStatus> {
    return checked(await readOfOneBlock(async () => this.#readStatus(pool)));
  }

  /** Reads the pool's views; null if a new block arrived between the reads. */
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

  async depositFacts(question: DepositQuestion): Promise<DepositFacts> {
    return readOfOneBlock(async () => this.#readDeposit(question));
  }

  /** Reads the facts of a deposit; null if a new block arrived between the reads. */
  async #readDeposit({
    pool,
    token,
    commitment,
    depositor,
    pending = [],
  }: DepositQuestion): Promise<DepositFacts | null> {
    const names = this.entrypoints;
    const u256 = (
      contract: Felt,
      entrypoint: string,
      calldata: readonly Felt[] = [],
    ): NodeCall<bigint> => viewCall({ contract, entrypoint, calldata, result: ReturnedU256 });
    const isKnown = (contract: Felt, leaf: bigint): NodeCall<boolean> =>
      viewCall({
        contract,
        entrypoint: names.isKnownCommitment,
        calldata: u256Felts(leaf),
        result: ReturnedBool,
      });
    const [
      before,
      denomination,
      nextIndex,
      lastRoot,
      commitmentKnown,
      depositorClass,
      balance,
      allowance,
      ...rest
    ] = await this.node.together([
      HEAD,
      u256(pool, names.denomination),
      viewCall({ contract: pool, entrypoint: names.nextIndex, result: ReturnedU32 }),
      u256(pool, names.lastRoot),
      isKnown(pool, commitment),
      classAt(depositor),
      u256(token, 'balanceOf', [depositor]),
      u256(token, 'allowance', [depositor, pool]),
      ...pending.map((deposit) => isKnown(deposit.pool, deposit.commitment)),
      HEAD,
    ]);
    const after = rest.at(-1);
    if (typeof after !== 'object' || after.block_hash !== before.block_hash) return null;
    if (denomination === 0n)
      throw new NodeMalformedAnswer({ message: 'the pool has no denomination' });
    return {
      denomination,
      nextIndex,
      lastRoot,
      commitmentKnown,
      depositorClass,
      balance,
      allowance,
      includedIds: pending.filter((_deposit, index) => rest[index] === true).map(({ id }) => id),
    };
  }

  async leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null> {
    const [leaf, maxFeeBps, nextIndex] = await this.node.together(leafCalls(swapPool, leafIndex));
    return leafOf(leaf, maxFeeBps, nextIndex, leafIndex);
  }

  /** Reads all values of {@link SwapPoolFigures} from the swap pool, all at one block. */
  async figures(swapPool: Felt): Promise<SwapPoolFigures> {
    const u32 = (entrypoint: string) => swapPoolU32(swapPool, entrypoint);
    return readOfOneBlock(async () => {
      const [before, activeDeposits, totalSwaps, nextIndex, maxFeeBps, after] =
        await this.node.together([
          HEAD,
          u32('active_deposits'),
          u32('total_swaps'),
          u32('get_next_index'),
          u32('max_fee_bps'),
          LATEST_BLOCK,
        ]);
      if (before.block_hash !== after.blockHash) return null;
      checkMaxFee(maxFeeBps);
      const { blockNumber, timestamp } = after;
      return { blockNumber, timestamp, activeDeposits, totalSwaps, nextIndex, maxFeeBps };
    });
  }

  async hasCommitment(swapPool: Felt, commitment: bigint): Promise<boolean> {
    return callView(this.node, {
      contract: swapPool,
      entrypoint: SWAP_POOL_ENTRYPOINTS.isKnownCommitment,
      calldata: u256Felts(commitment),
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

/** Reads the class of an account; null if no contract is deployed at the address. */
function classAt(account: Felt): NodeCall<Felt | null> {
  return {
    method: 'starknet_getClassHashAt',
    params: { block_id: LATEST, contract_address: account },
    result: WireFelt,
    readsAs: (failure) => (isRejection(failure, RpcCode.contractNotFound) ? null : undefined),
  };
}

function u256Felts(value: bigint): readonly Felt[] {
  return u256ToHalves(value).map((half) => toFelt(half));
}

/** @throws NodeMalformedAnswer if the status has values that no pool can return */
function checked(status: PoolStatus): PoolStatus {
  if (status.denomination === 0n)
    throw new NodeMalformedAnswer({ message: 'the pool has no denomination' });
  if (status.maxFeeBps > MAX_BPS)
    throw new NodeMalformedAnswer({ message: 'the pool allows fees above the whole amount' });
  if (status.undeployedCount > status.nextIndex)
    throw new NodeMalformedAnswer({ message: 'the pool has more waiting leaves than leaves' });
  return status;
}
