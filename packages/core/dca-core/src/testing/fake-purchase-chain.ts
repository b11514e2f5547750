import { Felts, toFelt, u256ToHalves, type DomainError, type Felt } from '@sotto/kernel';
import { NodeBehind, type BlockRef, type Snapshot, type Snapshots } from '@sotto/submission-core';
import type { OrderFieldName, PurchaseContract } from '../domain/order-layout.js';
import type { OpenedOrder, OpenedOrders, PurchaseOrders } from '../ports/purchase-orders.port.js';

/** State of a purchase order in the fake contract. Times are Unix seconds. */
export interface FakeOrder {
  readonly sellToken: Felt;
  readonly amount: bigint;
  readonly deposited: bigint;
  readonly spent: bigint;
  readonly frequency: bigint;
  readonly total: bigint;
  readonly executed: bigint;
  readonly lastExecution: bigint;
  readonly isSmart: boolean;
  readonly isCancelled: boolean;
}

interface State {
  readonly orders: ReadonlyMap<bigint, FakeOrder>;
  readonly mayer: bigint;
}

interface Block extends Snapshot, State {
  readonly opened: readonly bigint[];
}

const FIRST_TIMESTAMP = 1_800_000_000;

/**
 * A fake chain with one purchase contract. A test adds blocks and removes them by a reorg. The
 * chain's node may lag behind the chain.
 */
export class FakePurchaseChain implements PurchaseOrders, Snapshots {
  #blocks: Block[] = [];
  #orders = new Map<bigint, FakeOrder>();
  #mayer: bigint;
  #opened: bigint[] = [];
  #nowSeconds = FIRST_TIMESTAMP;
  #lastOrder = 0n;
  #fork = 0n;
  #lag = 0;
  #reads = 0;
  #failure: DomainError | null = null;
  /** Maximum number of events that one call returns. */
  pageSize = 1_000;

  constructor(private readonly contract: PurchaseContract) {
    this.#mayer = contract.layout.mayerMultiple.scale;
    this.mine(contract.firstBlock + 1);
  }

  /** Number of batched reads of orders so far. */
  get reads(): number {
    return this.#reads;
  }

  get head(): Snapshot {
    return refOf(this.#last);
  }

  /** Returns the order's state in the newest block. */
  order(orderId: bigint): FakeOrder {
    const order = this.#orders.get(orderId);
    if (order === undefined) throw new Error('no such order');
    return order;
  }

  /** Creates an order in the next block. @returns the order's id */
  create(order: Partial<FakeOrder> & Pick<FakeOrder, 'sellToken' | 'amount'>): bigint {
    const orderId = (this.#lastOrder += 1n);
    const { total = 10n } = order;
    this.#orders.set(orderId, {
      deposited: (order.amount * total * 3n) / 2n,
      spent: 0n,
      frequency: 3_600n,
      total,
      executed: 0n,
      lastExecution: 0n,
      isSmart: false,
      isCancelled: false,
      ...order,
    });
    this.#opened.push(orderId);
    return orderId;
  }

  change(orderId: bigint, change: Partial<FakeOrder>): void {
    this.#orders.set(orderId, { ...this.order(orderId), ...change });
  }

  /**
   * Executes the order in the next block if the order is due at that block. @returns false if the
   * order is not due and the call therefore reverts
   */
  execute(orderId: bigint, amount = this.order(orderId).amount): boolean {
    const { spent, executed, total, lastExecution, frequency, isCancelled } = this.order(orderId);
    const now = BigInt(this.#nowSeconds + 2);
    const isDue = lastExecution === 0n || lastExecution + frequency <= now;
    if (isCancelled || executed >= total || !isDue) return false;
    this.change(orderId, {
      spent: spent + amount,
      executed: executed + 1n,
      lastExecution: now,
    });
    return true;
  }

  setMayerMultiple(raw: bigint): void {
    this.#mayer = raw;
  }

  /** Adds this many blocks, two seconds apart. @returns the newest block */
  mine(count = 1): Snapshot {
    for (let mined = 0; mined < count; mined += 1) {
      const number = this.#blocks.length;
      this.#nowSeconds += 2;
      this.#blocks.push({
        number,
        hash: toFelt((this.#fork << 64n) + BigInt(0xb10c_0000 + number)),
        timestamp: this.#nowSeconds,
        orders: new Map(this.#orders),
        mayer: this.#mayer,
        opened: this.#opened,
      });
      this.#opened = [];
    }
    return this.head;
  }

  /** Advances the time of the next block by this many seconds. */
  passTime(seconds: number): void {
    this.#nowSeconds += seconds;
  }

  /**
   * Removes this many of the newest blocks with all their changes, as a reorg does. Blocks that are
   * mined afterwards have different hashes than the removed blocks.
   */
  rollback(count: number): void {
    this.#fork += 1n;
    this.#blocks = this.#blocks.slice(0, this.#blocks.length - count);
    this.#orders = new Map(this.#last.orders);
    this.#mayer = this.#last.mayer;
    this.#opened = [];
  }

  /** After this call, the node behaves as if it did not have this many of the newest blocks. */
  lag(blocks: number): void {
    this.#lag = blocks;
  }

  /** Makes every read reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new NodeBehind()): void {
    this.#failure = failure;
  }

  async latest(after: BlockRef | null): Promise<Snapshot> {
    const shown = this.#shown().at(-1);
    if (shown === undefined) throw new NodeBehind();
    if (after !== null) this.#find(after);
    return refOf(shown);
  }

  async opened(fromBlock: number, to: Snapshot): Promise<OpenedOrders> {
    const opened: OpenedOrder[] = [];
    this.#find(to);
    for (const block of this.#shown().slice(fromBlock, to.number + 1)) {
      opened.push(...block.opened.map((orderId) => ({ orderId, blockNumber: block.number })));
      if (opened.length >= this.pageSize) return { opened, throughBlock: block.number };
    }
    return { opened, throughBlock: to.number };
  }

  async read(orderIds: readonly bigint[], at: BlockRef): Promise<readonly (Felts | null)[]> {
    this.#reads += 1;
    const { orders } = this.#find(at);
    return orderIds.map((orderId) => {
      const order = orders.get(orderId);
      return order === undefined ? null : encodeOrder(this.contract, order);
    });
  }

  async mayerMultiple(at: BlockRef): Promise<bigint> {
    return this.#find(at).mayer;
  }

  async blockAt(number: number): Promise<BlockRef | null> {
    const block = this.#shown()[number];
    return block === undefined ? null : { number, hash: block.hash };
  }

  get #last(): Block {
    const last = this.#blocks.at(-1);
    if (last === undefined) throw new Error('the chain has no block');
    return last;
  }

  #shown(): readonly Block[] {
    if (this.#failure !== null) throw this.#failure;
    return this.#blocks.slice(0, Math.max(1, this.#blocks.length - this.#lag));
  }

  #find({ number, hash }: BlockRef): Block {
    const block = this.#shown()[number];
    if (block?.hash !== hash) throw new NodeBehind();
    return block;
  }
}

/** Encodes the order as the order view of a contract with this layout would return it. */
export function encodeOrder({ layout }: Pick<PurchaseContract, 'layout'>, order: FakeOrder): Felts {
  const values: Readonly<Record<OrderFieldName, bigint>> = {
    sell_token: BigInt(order.sellToken),
    amount: order.amount,
    remaining: order.deposited - order.spent,
    deposited: order.deposited,
    spent: order.spent,
    frequency: order.frequency,
    total: order.total,
    executed: order.executed,
    last_execution: order.lastExecution,
    smart: order.isSmart ? 1n : 0n,
    active: order.isCancelled ? 0n : 1n,
    cancelled: order.isCancelled ? 1n : 0n,
    ignored: 0n,
  };
  return Felts.of(
    layout.fields.flatMap(({ name, size }) =>
      size === 'u256' ? [...u256ToHalves(values[name])] : [values[name]],
    ),
  );
}

function refOf({ number, hash, timestamp }: Snapshot): Snapshot {
  return { number, hash, timestamp };
}
