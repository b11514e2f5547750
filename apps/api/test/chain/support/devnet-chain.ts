import { shortStringFelt } from '@sotto/adapter-starknet';
import { systemClock, u256ToHalves } from '@sotto/kernel';
import { startDoubles, type Doubles } from '@sotto/sandbox';
import { z } from 'zod';
import { ChainClient } from './chain-client.js';
import { ChainUnderTest, type ChainCapabilities, type ExchangeRate } from './chain-under-test.js';
import { ChainWorld, type PoolKey, type WorldAccount } from './chain-world.js';

export const DEVNET_CAPABILITIES: ChainCapabilities = { mempool: false, metersGas: true };

/**
 * Time between two blocks that this class creates, in milliseconds. For this time, a transaction
 * remains visible in the pre-confirmed block.
 */
const BLOCK_EVERY_MS = 100;

const Integer = z.string().transform(BigInt);
/**
 * Description of the running devnet that `devnet-setup.mjs` started for all spec files: its
 * address, its stack, and its height after the deployment.
 */
const Standing = z.object({
  world: ChainWorld,
  profile: z.looseObject({}),
  owner: z.object({ address: Integer, publicKey: Integer, privateKey: Integer }),
});
const RunningDevnet = Standing.extend({
  url: z.string(),
  baseline: z.int(),
  /** Second devnet with a real verifier; undefined unless the environment selects a verifier. */
  real: Standing.optional(),
});
type RunningDevnet = z.output<typeof RunningDevnet>;

/** @throws a SyntaxError or ZodError unless these tests run under jest.devnet.config.mjs */
function runningDevnet(): RunningDevnet {
  return RunningDevnet.parse(JSON.parse(process.env['SOTTO_DEVNET'] ?? ''));
}

/**
 * Devnet (starknet-devnet) in `demand` mode. A sent transaction is pre-confirmed immediately, and
 * this class closes the blocks. All spec files share one devnet: each file first reverts the blocks
 * of the previous file.
 */
export class DevnetChain extends ChainUnderTest {
  readonly capabilities = DEVNET_CAPABILITIES;
  readonly world: ChainWorld;
  readonly profile: object;
  #held = false;
  readonly #stopping = new AbortController();
  readonly #miner: Promise<void>;

  private constructor(
    private readonly devnet: z.output<typeof Standing>,
    readonly client: ChainClient,
    readonly neighbours: Doubles,
    private readonly blockMs: number,
  ) {
    super();
    this.world = devnet.world;
    this.profile = devnet.profile;
    this.#miner = this.#mineWhatCame();
  }

  /**
   * @param verifier `unchecked` selects the stack whose pools accept any proof; `real` selects the
   *   stack whose pools verify proofs
   */
  static async start(
    verifier: 'unchecked' | 'real' = 'unchecked',
    blockMs = BLOCK_EVERY_MS,
  ): Promise<DevnetChain> {
    const { url, baseline, real, ...unchecked } = runningDevnet();
    const devnet = verifier === 'unchecked' ? unchecked : real;
    if (devnet === undefined) throw new Error('no real verifier was given');
    const { world, owner } = devnet;
    const client = new ChainClient(url, world.chainId, [...Object.values(world.accounts), owner]);
    // The clock must be set, because reverting blocks does not reset devnet's clock.
    const now = Math.floor(systemClock.nowMs() / 1_000);
    await callDevnet(client, 'devnet_setTime', { time: now, generate_block: false });
    await undoBlocksAfter(baseline, client);
    return new DevnetChain(
      devnet,
      client,
      await startDoubles({ ...world, chainId: BigInt(shortStringFelt(world.chainId)) }),
      blockMs,
    );
  }

  async hold(): Promise<void> {
    this.#held = true;
  }

  async release(): Promise<void> {
    this.#held = false;
  }

  async mine(): Promise<void> {
    await callDevnet(this.client, 'devnet_createBlock');
  }

  async setAutoDeploy(pool: PoolKey, on: boolean): Promise<void> {
    await this.#order(this.devnet.owner, this.world.pools[pool].address, 'set_auto_deploy', [
      on ? 1n : 0n,
    ]);
  }

  async setPaused(contract: bigint, paused: boolean): Promise<void> {
    await this.#order(this.#ownerOf(contract), contract, 'set_paused', [paused ? 1n : 0n]);
  }

  async mintWbtc(owner: bigint, sats: bigint): Promise<void> {
    await this.#order(this.devnet.owner, this.world.tokens.WBTC.address, 'mint', [
      owner,
      ...u256ToHalves(sats),
    ]);
  }

  async setRate({ sell, buy, sellAmount, buyAmount }: ExchangeRate): Promise<void> {
    const calldata = [sell, buy, ...u256ToHalves(sellAmount), ...u256ToHalves(buyAmount)];
    for (const { address } of Object.values(this.world.exchanges))
      await this.#order(this.devnet.owner, address, 'set_rate', calldata);
  }

  async setInterest(lendingPool: bigint, rateE18: bigint): Promise<void> {
    const calldata = [this.world.tokens.USDC.address, ...u256ToHalves(rateE18)];
    await this.#order(this.devnet.owner, lendingPool, 'set_interest', calldata);
  }

  async setGasPrices({
    l2GasFri,
    l1DataGasFri,
  }: {
    readonly l2GasFri: bigint;
    readonly l1DataGasFri: bigint;
  }): Promise<void> {
    const params = {
      l2_gas_price_fri: Number(l2GasFri),
      data_gas_price_fri: Number(l1DataGasFri),
      generate_block: true,
    };
    await callDevnet(this.client, 'devnet_setGasPrice', params);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#miner;
    await this.client.close();
    await this.neighbours.stop();
  }

  protected async preConfirm(): Promise<void> {}

  async #order(
    account: WorldAccount,
    to: bigint,
    entrypoint: string,
    calldata: readonly bigint[],
  ): Promise<void> {
    await this.act(account, [{ to, entrypoint, calldata }]);
    // The service reads only accepted blocks, so a block is created here.
    if (!this.#held) await this.mine();
  }

  #ownerOf(contract: bigint): WorldAccount {
    const { accounts, swapPool, vaults } = this.world;
    if (contract === swapPool.address) return accounts.swapOwner;
    return Object.values(vaults).some(({ address }) => address === contract)
      ? accounts.curator
      : this.devnet.owner;
  }

  /**
   * Closes blocks that contain transactions. Empty blocks are not closed, because they would only
   * fill devnet's archive.
   */
  async #mineWhatCame(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await systemClock.sleep(this.blockMs);
      if (this.#held || this.#stopping.signal.aborted) continue;
      const params = { block_id: 'pre_confirmed' };
      const waiting = await this.client.query({
        method: 'starknet_getBlockTransactionCount',
        params,
        result: z.int(),
      });
      if (waiting > 0 && !this.#held) await this.mine();
    }
  }
}

async function undoBlocksAfter(baseline: number, client: ChainClient): Promise<void> {
  // devnet_createBlock also ends the pre-confirmed block, which may contain transactions.
  await callDevnet(client, 'devnet_createBlock');
  const params = { block_id: { block_number: baseline + 1 } };
  const result = z.object({ block_hash: z.string() });
  const first = await client.query({ method: 'starknet_getBlockWithTxHashes', params, result });
  await callDevnet(client, 'devnet_abortBlocks', {
    starting_block_id: { block_hash: first.block_hash },
  });
}

async function callDevnet(
  client: ChainClient,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await client.query({ method, params, result: z.unknown() });
}
