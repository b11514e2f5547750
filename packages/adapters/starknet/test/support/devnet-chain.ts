import {
  NodeClient,
  StarknetChainReader,
  oneNode,
  shortStringFelt,
  type SendingNodes,
} from '@sotto/adapter-starknet';
import { startFaultProxy, type FaultProxy } from '@sotto/fault-proxy';
import { Felts, systemClock, toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { GasPrices } from '@sotto/submission-core';
import { z } from 'zod';
import {
  ChainStack,
  type ChainCapabilities,
  type Deposits,
  type FaultOrder,
  type StagedMarket,
  type StagedPrice,
} from './chain-stack.js';
import { ChainWorld, signingAccount } from './chain-world.js';
import { TIMEOUTS } from './settings.js';

export const DEVNET_CAPABILITIES: ChainCapabilities = { mempool: false, renamesBlocks: false };

/**
 * Description of the running devnet, written by `devnet-setup.mjs` and shared by all test files:
 * URL, deployed stack and initial height.
 */
const Running = z.object({
  url: z.string(),
  world: ChainWorld,
  owner: z.object({
    address: z.string().transform(BigInt),
    privateKey: z.string().transform(BigInt),
  }),
  baseline: z.int(),
});
export type RunningDevnet = z.output<typeof Running>;

/** @throws a SyntaxError or ZodError if the tests do not run under jest.devnet.config.mjs */
export function runningDevnet(): RunningDevnet {
  return Running.parse(JSON.parse(process.env['SOTTO_DEVNET'] ?? ''));
}

const Anything = z.unknown();
const Height = z.int();
const Block = z.object({ block_hash: z.string() });
/**
 * STRK balance that {@link DevnetChain.impoverish} leaves to an account, in fri, before the
 * transfer's fee. The balance is lower than the resource bounds of any test's transaction.
 */
const LEFT_FRI = 10n ** 18n;
/** Interest rate of the stack's lending pools at full utilization, in units of 1e-18 per second. */
const FULL_UTILIZATION_RATE_E18 = 20_000_000_000n;
const WBTC_SCALE = 10n ** 8n;

/**
 * Deposits of the previous test and the height of the chain after them. Depositing needs seconds,
 * so a test with the same deposits starts at this height.
 */
let deposited: { readonly deposits: Deposits; readonly height: number } | undefined;

/**
 * Devnet in `demand` mode behind a fault proxy. All tests share one devnet: each test first rolls
 * back the blocks of the previous test. Sent transactions are pre-confirmed immediately.
 */
export class DevnetChain extends ChainStack {
  readonly capabilities = DEVNET_CAPABILITIES;
  readonly world: ChainWorld;
  readonly url: string;
  readonly wsUrl: string;
  readonly node: NodeClient;
  readonly sending: SendingNodes;
  protected readonly client: NodeClient;
  protected override readonly otherSigners;
  readonly #owner: Felt;
  #pricesBefore: GasPrices | undefined;

  private constructor(
    devnet: RunningDevnet,
    private readonly direct: NodeClient,
    private readonly proxy: FaultProxy,
  ) {
    super();
    this.world = devnet.world;
    this.#owner = toFelt(devnet.owner.address);
    this.otherSigners = [signingAccount(devnet.owner)];
    this.url = proxy.url;
    this.wsUrl = new URL('/ws', devnet.url.replace('http', 'ws')).href;
    this.client = new NodeClient({ url: proxy.url, ...TIMEOUTS });
    this.node = this.client;
    this.sending = oneNode(this.client);
  }

  static async start(deposits?: Deposits): Promise<DevnetChain> {
    const devnet = runningDevnet();
    const direct = new NodeClient({ url: devnet.url, ...TIMEOUTS });
    const standing =
      deposited !== undefined && deposited.deposits === deposits ? deposited : undefined;
    await setTimeToNow(direct);
    await undoBlocksAfter(standing?.height ?? devnet.baseline, direct);
    const chain = new DevnetChain(devnet, direct, await startFaultProxy({ target: devnet.url }));
    if (standing !== undefined) return chain;
    deposited = undefined;
    if (deposits !== undefined) {
      await chain.deposit(deposits);
      deposited = { deposits, height: await chain.#height() };
    }
    return chain;
  }

  async preConfirm(): Promise<void> {}

  async mine(blocks = 1): Promise<number> {
    for (let mined = 0; mined < blocks; mined += 1) await this.#command('devnet_createBlock');
    return this.#height();
  }

  async setGasPrices(prices: Partial<GasPrices>): Promise<void> {
    this.#pricesBefore ??= (await new StarknetChainReader(this.direct).head([])).gasPrices;
    await this.#setGasPrices(prices);
  }

  async rollback(blocks: number): Promise<void> {
    await undoBlocksAfter((await this.#height()) - blocks, this.direct);
  }

  async acceptOnL1(): Promise<void> {
    await this.#command('devnet_acceptOnL1', { starting_block_id: 'latest' });
  }

  async makeUnreadable(felt: Felt): Promise<void> {
    this.proxy.addFault({
      method: '*',
      naming: felt,
      fault: { kind: 'refuse', code: -32_603 },
      times: 'always',
    });
  }

  async passTime(seconds: number): Promise<void> {
    await this.#command('devnet_increaseTime', { time: seconds });
  }

  async impoverish(account: Felt): Promise<void> {
    const { accounts } = await new StarknetChainReader(this.direct).head([account]);
    const { balanceFri = 0n } = accounts.get(account) ?? {};
    await this.#call(account, toFelt(this.world.tokens.STRK.address), 'transfer', [
      BigInt(this.#owner),
      ...u256ToHalves(balanceFri - LEFT_FRI),
    ]);
  }

  async setPrice(pair: string, price: StagedPrice | undefined): Promise<void> {
    const seconds = BigInt(Math.floor((price?.observedAtMs ?? 0) / 1_000));
    // The felts are price, decimals, time, number of sources, and a flag for a price that always
    // has the time of the block.
    const felts = price === undefined ? [0n, 0n, 0n, 0n, 0n] : [price.usdE8, 8n, seconds, 5n, 0n];
    await this.#call(this.#owner, toFelt(this.world.oracle), 'set_price', [
      BigInt(shortStringFelt(pair)),
      ...felts,
    ]);
  }

  async setLendingMarket(
    pool: Felt,
    { reserve, nominalDebtE18, rateAccumulatorE18 }: StagedMarket,
  ): Promise<void> {
    const market = [
      reserve,
      nominalDebtE18,
      rateAccumulatorE18,
      FULL_UTILIZATION_RATE_E18,
      WBTC_SCALE,
    ];
    await this.#call(this.#owner, pool, 'set_market', [
      this.world.tokens.WBTC.address,
      ...market.flatMap(u256ToHalves),
    ]);
  }

  async pauseSwapPool(): Promise<void> {
    await this.#call(
      toFelt(this.world.accounts.swapOwner.address),
      toFelt(this.world.swapPool.address),
      'set_paused',
      [1n],
    );
  }

  addFault(order: FaultOrder): void {
    this.proxy.addFault(order);
  }

  counters(): ReturnType<ChainStack['counters']> {
    const { httpRequests, delivered } = this.proxy.counters();
    return { httpRequests, calls: delivered };
  }

  resetCounters(): void {
    this.proxy.resetCounters();
  }

  async breakDown(): Promise<void> {
    await this.proxy.stop();
  }

  protected async end(): Promise<void> {
    await this.proxy.stop();
    // Gas prices are not part of the chain's state, so a rollback does not restore them.
    if (this.#pricesBefore !== undefined) await this.#setGasPrices(this.#pricesBefore);
    this.direct.close();
  }

  protected async firstNonce(account: Felt): Promise<bigint> {
    const { accounts } = await new StarknetChainReader(this.direct).head([account]);
    return accounts.get(account)?.nonce ?? 0n;
  }

  /**
   * Executes a call in a block that contains no other call. The requests do not pass through the
   * fault proxy.
   */
  async #call(
    account: Felt,
    to: Felt,
    entrypoint: string,
    calldata: readonly bigint[],
  ): Promise<void> {
    const hash = await this.send(
      await this.sign(account, to, entrypoint, Felts.of(calldata)),
      this.direct,
    );
    await this.mine();
    const [reportedStatus] = await new StarknetChainReader(this.direct).transactionStatuses([hash]);
    if (reportedStatus?.kind !== 'accepted' || reportedStatus.execution !== 'SUCCEEDED')
      throw new Error(`${entrypoint} did not succeed`);
  }

  async #height(): Promise<number> {
    return this.direct.call({ method: 'starknet_blockNumber', params: {}, result: Height });
  }

  async #setGasPrices({ l2GasFri, l1GasFri, l1DataGasFri }: Partial<GasPrices>): Promise<void> {
    await this.#command('devnet_setGasPrice', {
      generate_block: true,
      ...(l1GasFri !== undefined && { gas_price_fri: Number(l1GasFri) }),
      ...(l1DataGasFri !== undefined && { data_gas_price_fri: Number(l1DataGasFri) }),
      ...(l2GasFri !== undefined && { l2_gas_price_fri: Number(l2GasFri) }),
    });
  }

  async #command(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.direct.call({ method, params, result: Anything });
  }
}

async function undoBlocksAfter(baseline: number, node: NodeClient): Promise<void> {
  // This call creates a block from the pre-confirmed block, which may contain transactions.
  await node.call({ method: 'devnet_createBlock', params: {}, result: Anything });
  const params = { block_id: { block_number: baseline + 1 } };
  const first = await node.call({ method: 'starknet_getBlockWithTxHashes', params, result: Block });
  await node.call({
    method: 'devnet_abortBlocks',
    params: { starting_block_id: { block_hash: first.block_hash } },
    result: Anything,
  });
}

/**
 * Resets the clock of devnet. A rollback of blocks does not reset the clock, so data would have
 * timestamps in the future.
 */
async function setTimeToNow(node: NodeClient): Promise<void> {
  const params = { time: Math.floor(systemClock.nowMs() / 1_000), generate_block: false };
  await node.call({ method: 'devnet_setTime', params, result: Anything });
}
