import { toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { DevError } from '../dev-error.js';
import type { MadeDeposit, ReadyWithdrawal } from '../helpers.js';
import type { DevChain } from './dev-chain.js';
import { DevPool } from './pool.js';
import type { ServiceProcess } from './service-process.js';

const Natural = z
  .union([z.string().regex(/^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/), z.int().nonnegative()])
  .transform(BigInt);
const Milliseconds = z.int().nonnegative().max(86_400_000);
const Pool = z.string();

/** Schemas of the request bodies, by the name of the helper over HTTP. */
const ORDERS = {
  fund: z.strictObject({
    address: Natural,
    token: z.enum(['STRK', 'ETH', 'WBTC', 'USDC']),
    amount: Natural,
  }),
  deposit: z.strictObject({ pool: Pool, commitment: Natural, depositor: Natural.optional() }),
  'fill-batch': z.strictObject({ pool: Pool }),
  'ready-withdrawal': z.strictObject({
    pool: Pool.default('sentinel_1x'),
    recipient: Natural,
    fee: Natural.optional(),
  }),
  mine: z.strictObject({ blocks: z.int().positive().max(1_000).default(1) }),
  'move-clock': z.strictObject({ byMs: z.int() }),
  fault: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('node-down') }),
    z.strictObject({ kind: z.literal('node-slow'), delayMs: Milliseconds }),
    z.strictObject({ kind: z.literal('node-behind'), blocks: z.int().positive() }),
    z.strictObject({
      kind: z.literal('next-transaction-reverts'),
      reason: z.string().max(31).optional(),
    }),
    z.strictObject({ kind: z.literal('prices-away') }),
    z.strictObject({ kind: z.literal('service-down') }),
    z.strictObject({ kind: z.literal('service-restarts') }),
  ]),
  'end-faults': z.strictObject({}),
};
type Order<Name extends keyof typeof ORDERS> = z.output<(typeof ORDERS)[Name]>;
type FaultOrder = Order<'fault'>;

/** Number of requests that a fault affects if the fault lasts until `endFaults`. */
const ALWAYS = { times: Number.MAX_SAFE_INTEGER };
const FOR_EVER_MS = 10 * 365 * 86_400_000;

/** Implements the helpers, which are called by their names over HTTP. */
export class Helpers {
  readonly #pools: ReadonlyMap<string, DevPool>;

  constructor(
    private readonly chain: DevChain,
    private readonly service: Pick<ServiceProcess, 'kill' | 'run'>,
  ) {
    this.#pools = new Map(
      Object.entries(sandboxWorld.pools).flatMap(([key, { address }]) => {
        const pool = new DevPool(address, chain.control);
        return [
          [key, pool],
          [toFelt(address), pool],
        ] as const;
      }),
    );
  }

  /**
   * Runs a helper.
   * @returns the result as JSON
   * @throws DevError if the name is unknown, the body is malformed, or the chain rejects the
   *   operation
   */
  async perform(name: string, order: unknown): Promise<unknown> {
    switch (name) {
      case 'fund':
        return this.#fund(read(ORDERS.fund, order));
      case 'deposit':
        return this.#deposit(read(ORDERS.deposit, order));
      case 'fill-batch':
        return attempt(() => this.#pool(read(ORDERS['fill-batch'], order).pool).fillBatch());
      case 'ready-withdrawal':
        return this.#readyWithdrawal(read(ORDERS['ready-withdrawal'], order));
      case 'mine':
        return this.chain.control.mine(read(ORDERS.mine, order).blocks);
      case 'move-clock':
        return this.chain.control.moveClock(read(ORDERS['move-clock'], order).byMs);
      case 'fault':
        return this.#fault(read(ORDERS.fault, order));
      case 'end-faults':
        read(ORDERS['end-faults'], order);
        return this.#endFaults();
      default:
        throw new DevError(`no helper is named ${name}; one of ${Object.keys(ORDERS).join(', ')}`);
    }
  }

  #fund({ address, token, amount }: Order<'fund'>): void {
    this.chain.control.mint(address, amount, sandboxWorld.tokens[token].address);
  }

  #deposit({ pool, commitment, depositor }: Order<'deposit'>): MadeDeposit {
    return attempt(() => this.#pool(pool).deposit(commitment, depositor));
  }

  #readyWithdrawal({ pool: name, recipient, fee }: Order<'ready-withdrawal'>): ReadyWithdrawal {
    const pool = this.#pool(name);
    const { maxFee } = pool;
    if (fee !== undefined && fee > maxFee)
      throw new DevError(`the pool allows a fee of ${maxFee} at most`);
    const note = attempt(() => pool.takeActiveNote());
    const calldata = this.chain.forge({
      root: pool.root,
      nullifierHash: note.nullifierHash,
      recipient,
      relayer: sandboxWorld.accounts.feeCollector.address,
      fee: fee ?? maxFee,
      batchStart: note.batchStart,
      batchSize: note.batchSize,
    });
    return { poolAddress: toFelt(pool.address), calldata };
  }

  async #fault(fault: FaultOrder): Promise<void> {
    const { control } = this.chain;
    switch (fault.kind) {
      case 'node-down':
        return control.addFault({ method: '*', fault: { kind: 'drop-before' }, ...ALWAYS });
      case 'node-slow':
        return control.setLatency(fault.delayMs);
      case 'node-behind':
        return control.lag(FOR_EVER_MS, fault.blocks);
      case 'next-transaction-reverts':
        return control.revertNext({
          reason: fault.reason ?? 'staged',
          sender: sandboxWorld.accounts.lane1.address,
        });
      case 'prices-away':
        return control.aggregator.addFault({
          endpoint: 'prices',
          fault: { kind: 'refuse', status: 503 },
          ...ALWAYS,
        });
      case 'service-down':
        return this.service.kill();
      case 'service-restarts':
        await this.service.kill();
        return this.service.run();
    }
  }

  async #endFaults(): Promise<void> {
    const { control } = this.chain;
    control.clearFaults();
    control.setLatency(0);
    control.endLag();
    control.aggregator.clearFaults();
    await this.service.run();
  }

  #pool(name: string): DevPool {
    const pool = this.#pools.get(/^0x/i.test(name) ? addressOf(name) : name);
    if (pool === undefined)
      throw new DevError(
        `no pool is named ${name}; one of ${Object.keys(sandboxWorld.pools).join(', ')}, or its address`,
      );
    return pool;
  }
}

function addressOf(text: string): string {
  const parsed = Natural.safeParse(text);
  return parsed.success ? toFelt(parsed.data) : text;
}

function read<S extends z.ZodType>(schema: S, order: unknown): z.output<S> {
  const parsed = schema.safeParse(order);
  if (!parsed.success) throw new DevError(z.prettifyError(parsed.error));
  return parsed.data;
}

/** Runs `act` and converts the chain's rejections into errors for the caller. */
function attempt<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof RangeError) throw new DevError(error.message, { cause: error });
    throw error;
  }
}
