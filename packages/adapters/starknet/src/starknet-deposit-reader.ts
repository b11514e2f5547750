import { toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { DepositFacts, DepositQuestion, DepositReader } from '@sotto/relayer-core';
import type { PoolEntrypoints } from './pool-entrypoints.js';
import { NodeMalformedAnswer, RpcCode, isRefusal } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { callView } from './views.js';
import { LATEST, ReturnedBool, ReturnedU256, ReturnedU32, WireFelt } from './wire.js';

/**
 * Reads pool, token and depositor at the newest accepted block, all of one deposit in one request.
 */
export class StarknetDepositReader implements DepositReader {
  constructor(
    private readonly node: StarknetNode,
    private readonly entrypoints: PoolEntrypoints,
  ) {}

  async depositFacts({
    pool,
    token,
    commitment,
    depositor,
  }: DepositQuestion): Promise<DepositFacts> {
    const names = this.entrypoints;
    const u256 = (
      contract: Felt,
      entrypoint: string,
      calldata: readonly Felt[] = [],
    ): Promise<bigint> =>
      callView(this.node, { contract, entrypoint, calldata, result: ReturnedU256 });
    const known = u256ToHalves(commitment).map((half) => toFelt(half));
    const [denomination, nextIndex, lastRoot, commitmentKnown, depositorClass, balance, allowance] =
      await Promise.all([
        u256(pool, names.denomination),
        callView(this.node, { contract: pool, entrypoint: names.nextIndex, result: ReturnedU32 }),
        u256(pool, names.lastRoot),
        callView(this.node, {
          contract: pool,
          entrypoint: names.isKnownCommitment,
          calldata: known,
          result: ReturnedBool,
        }),
        this.#classAt(depositor),
        u256(token, 'balanceOf', [depositor]),
        u256(token, 'allowance', [depositor, pool]),
      ]);
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
    };
  }

  async #classAt(account: Felt): Promise<Felt | null> {
    try {
      const params = { block_id: LATEST, contract_address: account };
      return await this.node.call({ method: 'starknet_getClassHashAt', params, result: WireFelt });
    } catch (error) {
      if (isRefusal(error, RpcCode.contractNotFound)) return null;
      throw error;
    }
  }
}
