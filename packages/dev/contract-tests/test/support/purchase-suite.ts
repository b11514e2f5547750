import { selectorOf } from '@sotto/adapter-starknet';
import { expect, it } from '@jest/globals';
import { u256ToHalves } from '@sotto/kernel';
import type { ContractCall } from './devnet-chain.js';
import type { Ending, KeeperWorld } from './keeper-worlds.js';

const HOUR = 3_600n;
const USDC = 10n ** 6n;
const E18 = 10n ** 18n;
/** Amount of one purchase in USDC, which buys 0.001 BTC at 100,000 USD. */
const PER_ORDER = 100n * USDC;
const BOUGHT = 100_000n;

/** Declares tests of the contract for recurring purchases. */
export function describePurchases(world: () => KeeperWorld): void {
  const query = (entrypoint: string, ...calldata: readonly bigint[]) =>
    world().view(world().places.purchases, entrypoint, ...calldata);
  const at = (entrypoint: string, ...calldata: readonly bigint[]): ContractCall => ({
    contract: world().places.purchases,
    entrypoint,
    calldata,
  });
  const create = async (changes: Partial<Terms> = {}): Promise<Ending & { id: bigint }> => {
    const { sellToken, amount, frequency, orders, smart, deposit } = {
      sellToken: world().places.usdc,
      amount: PER_ORDER,
      frequency: HOUR,
      orders: 3n,
      smart: 0n,
      deposit: 1_000_000n * USDC,
      ...changes,
    };
    const ending = await world().send(
      'buyer',
      world().approval('usdc', world().places.purchases, deposit),
      at('create_order', sellToken, ...u256ToHalves(amount), frequency, orders, smart),
    );
    return { ...ending, id: (await query('order_count'))[0] ?? 0n };
  };
  const execute = (id: bigint, minimum = 0n) =>
    world().send(
      'keeper1',
      at('execute_order', id, ...u256ToHalves(minimum), ...world().routes('usdc')),
    );
  const setMultiple = (multipleE18: bigint) =>
    world().send('purchaseOwner', at('set_mayer_multiple', ...u256ToHalves(multipleE18)));

  it.each([
    ['the amount of every purchase', 0n, 300n * USDC],
    ['half as much again for a smart order', 1n, 450n * USDC],
  ])('receive %s when the order is created', async (_what, smart, deposit) => {
    const buyer = world().address('buyer');
    const before = await world().balance('usdc', buyer);
    const { id, events } = await create({ smart });
    expect(before - (await world().balance('usdc', buyer))).toBe(deposit);
    const terms = [buyer, world().places.usdc, ...u256ToHalves(PER_ORDER), HOUR, 3n];
    expect(await query('get_order', id)).toEqual([
      ...terms,
      0n,
      0n,
      ...u256ToHalves(deposit),
      smart,
      1n,
    ]);
    expect(ownEvents(events, world().places.purchases)).toEqual([
      { keys: [BigInt(selectorOf('OrderCreated')), id], data: [...terms, smart] },
    ]);
  });

  it.each([
    ['more often than hourly', 'Frequency too short', { frequency: HOUR - 1n }],
    ['no times', 'Invalid number of orders', { orders: 0n }],
    ['366 times', 'Invalid number of orders', { orders: 366n }],
    ['for nothing', 'Zero amount', { amount: 0n }],
    ['of more than is approved', 'ERC20: insufficient allowance', { deposit: 300n * USDC - 1n }],
  ])('are not ordered %s', async (_what, reason, changes) => {
    const before = await query('order_count');
    expect((await create(changes)).revertReason).toContain(reason);
    expect(await query('order_count')).toEqual(before);
  });

  it('are not ordered with WBTC as the sold token', async () => {
    const { revertReason } = await create({ sellToken: world().places.wbtc });
    expect(revertReason).toContain('Invalid sell token');
  });

  it('are executed at once and then once per period, even after missed periods', async () => {
    const { id } = await create();
    const [buyer, keeper] = [world().address('buyer'), world().address('keeper1')];
    const before = [await world().balance('wbtc', buyer), await world().balance('wbtc', keeper)];
    const { events } = await execute(id, BOUGHT);
    const fee = BOUGHT / 1_000n;
    expect([await world().balance('wbtc', buyer), await world().balance('wbtc', keeper)]).toEqual([
      (before[0] ?? 0n) + BOUGHT - fee,
      (before[1] ?? 0n) + fee,
    ]);
    expect(ownEvents(events, world().places.purchases)).toEqual([
      {
        keys: [BigInt(selectorOf('OrderExecuted')), id],
        data: [keeper, 1n, ...[PER_ORDER, BOUGHT - fee, fee].flatMap(u256ToHalves)],
      },
    ]);
    expect((await execute(id)).revertReason).toContain('Order not due');
    await world().passTime(Number(3n * HOUR));
    expect((await execute(id)).revertReason).toBeUndefined();
    expect((await execute(id)).revertReason).toContain('Order not due');
    const [, , , , , , executed, last = 0n, remaining] = await query('get_order', id);
    expect([executed, remaining]).toEqual([2n, PER_ORDER]);
    expect(last).toBeGreaterThan(0n);
    await world().passTime(Number(HOUR));
    expect((await execute(id)).revertReason).toBeUndefined();
    expect((await execute(id)).revertReason).toContain('Order not active');
  });

  it.each([
    [E18 / 100n, 6n],
    [(8n * E18) / 10n - 1n, 6n],
    [(8n * E18) / 10n, 5n],
    [E18 - 1n, 5n],
    [E18, 4n],
    [(15n * E18) / 10n - 1n, 4n],
    [(15n * E18) / 10n, 3n],
    [2n * E18, 3n],
    [2n * E18 + 1n, 2n],
  ])(
    'are, for a smart order at a multiple of %p / 1e18, sales of %p quarters, then a refund of the rest',
    async (multiple, quarters) => {
      await setMultiple(multiple);
      expect(await query('get_mayer_multiple')).toEqual(u256ToHalves(multiple));
      const buyer = world().address('buyer');
      const before = await world().balance('usdc', buyer);
      const { id } = await create({ smart: 1n, orders: 2n });
      await execute(id);
      const sold = (PER_ORDER * quarters) / 4n;
      const [, , , , , , , , remaining] = await query('get_order', id);
      expect(remaining).toBe(3n * PER_ORDER - sold);
      await world().passTime(Number(HOUR));
      await execute(id);
      expect(before - (await world().balance('usdc', buyer))).toBe(2n * sold);
      expect((await query('get_order', id)).slice(6)).toEqual([
        2n,
        expect.anything(),
        0n,
        0n,
        1n,
        0n,
      ]);
    },
  );

  it('wait for a multiple if the order is smart; the owner alone sets it', async () => {
    const { id } = await create({ smart: 1n });
    await setMultiple(0n);
    expect((await execute(id)).revertReason).toContain('No Mayer Multiple');
    const foreign = await world().send('keeper1', at('set_mayer_multiple', ...u256ToHalves(E18)));
    expect(foreign.revertReason).toContain('Not owner');
    await setMultiple(E18);
    expect((await execute(id)).revertReason).toBeUndefined();
  });

  it('fail if the market pays less than the minimum, and change nothing', async () => {
    const { id } = await create();
    const order = await query('get_order', id);
    expect((await execute(id, BOUGHT + 1n)).revertReason).toContain('Insufficient tokens received');
    expect(await query('get_order', id)).toEqual(order);
  });

  it('are cancelled by their owner alone, who gets the rest of the deposit', async () => {
    const buyer = world().address('buyer');
    const before = await world().balance('usdc', buyer);
    const { id } = await create({ smart: 1n });
    const cancel = at('cancel_order', id);
    expect((await world().send('keeper1', cancel)).revertReason).toContain('Not owner');
    await setMultiple(E18);
    await execute(id);
    const { events } = await world().send('buyer', cancel);
    expect(ownEvents(events, world().places.purchases)).toEqual([
      {
        keys: [BigInt(selectorOf('OrderCancelled')), id],
        data: u256ToHalves(350n * USDC),
      },
    ]);
    expect(before - (await world().balance('usdc', buyer))).toBe(PER_ORDER);
    expect((await world().send('buyer', cancel)).revertReason).toContain('Order not active');
    expect((await execute(id)).revertReason).toContain('Order not active');
  });

  it('are all zeros for an unknown order, and cannot be executed', async () => {
    expect(await query('get_order', 1_000n)).toEqual(Array.from({ length: 12 }, () => 0n));
    expect((await execute(1_000n)).revertReason).toContain('Order not active');
  });
}

interface Terms {
  readonly sellToken: bigint;
  readonly amount: bigint;
  readonly frequency: bigint;
  readonly orders: bigint;
  readonly smart: bigint;
  /** Amount that the order's owner approves for the contract. */
  readonly deposit: bigint;
}

function ownEvents(events: Ending['events'], from: bigint) {
  return events.filter((event) => event.from === from).map(({ keys, data }) => ({ keys, data }));
}
