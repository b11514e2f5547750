import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { selectorOf, toHex } from '../../src/engine/felt.js';
import { startHarness, type Harness } from '../support/harness.js';
import { ALICE, COUNTER_1, COUNTER_2, STRK } from '../support/world.js';

interface Page {
  readonly events: readonly {
    readonly data: readonly string[];
    readonly from_address: string;
    readonly block_number: number;
  }[];
  readonly continuation_token?: string;
}

describe('starknet_getEvents', () => {
  let node: Harness;
  const page = async (filter: Readonly<Record<string, unknown>>): Promise<Page> =>
    Object(await node.result('starknet_getEvents', [{ chunk_size: 100, ...filter }]));

  const rejection = (filter: object): Promise<unknown> =>
    node.error('starknet_getEvents', [{ chunk_size: 10, ...filter }]);

  beforeEach(async () => {
    node = await startHarness();
    for (const nonce of [0n, 1n, 2n]) {
      const calls = [COUNTER_1, COUNTER_2].map((to) => ({
        to,
        entrypoint: 'increase',
        calldata: [nonce + 1n],
      }));
      await node.send({ account: ALICE, nonce, calls });
      if (nonce < 2n) node.control.mine();
    }
    node.control.advance('candidate');
    node.control.advance('pre_confirmed');
  });
  afterEach(() => node.stop());

  it('starknet_getEvents returns the events of accepted blocks in order, including fee transfers', async () => {
    const { events, continuation_token: token } = await page({});
    expect(token).toBeUndefined();
    expect(events.map(({ from_address: from, block_number: block }) => [from, block])).toEqual(
      [1, 2].flatMap((block) => [COUNTER_1, COUNTER_2, STRK].map((from) => [toHex(from), block])),
    );
    expect(events[1]).toMatchObject({
      transaction_index: 0,
      event_index: 1,
      keys: [toHex(selectorOf('Increased'))],
      data: ['0x1'],
      block_hash: expect.any(String),
    });
  });

  it('starknet_getEvents filters events by block range, by one or several addresses, and by keys', async () => {
    expect(
      (
        await page({
          from_block: { block_number: 2 },
          to_block: 'latest',
          address: toHex(COUNTER_2),
        })
      ).events,
    ).toMatchObject([{ data: ['0x2'] }]);
    expect((await page({ address: [toHex(COUNTER_1), toHex(COUNTER_2)] })).events).toHaveLength(4);
    expect((await page({ keys: [[toHex(selectorOf('Increased'))]] })).events).toHaveLength(4);
    expect((await page({ keys: [[], ['0x1']] })).events).toHaveLength(0);
  });

  it('starknet_getEvents returns events of the pre-confirmed block only if the filter includes this block', async () => {
    const { events } = await page({
      from_block: 'pre_confirmed',
      to_block: 'pre_confirmed',
      address: toHex(COUNTER_1),
    });
    expect(events).toMatchObject([{ data: ['0x3'], block_number: 3 }]);
    expect(events[0]).not.toHaveProperty('block_hash');
  });

  it('starknet_getEvents returns each event exactly once over all pages of a query', async () => {
    const all = (await page({ to_block: 'pre_confirmed' })).events;
    for (const chunkSize of [1, 2, 4, all.length]) {
      const gathered: unknown[] = [];
      let token: string | undefined;
      do {
        const part: Page = await page({
          to_block: 'pre_confirmed',
          chunk_size: chunkSize,
          ...(token !== undefined && { continuation_token: token }),
        });
        expect(part.events.length).toBeLessThanOrEqual(chunkSize);
        gathered.push(...part.events);
        token = part.continuation_token;
      } while (token !== undefined);
      expect(gathered).toEqual(all);
    }
  });

  it('starknet_getEvents rejects a page size above the maximum, an invalid continuation token and too many keys', async () => {
    expect(await rejection({ chunk_size: 1025 })).toMatchObject({ code: 31 });
    for (const token of ['', 'abc', '99-0', '1'])
      expect(await rejection({ continuation_token: token })).toMatchObject({ code: 33 });
    expect(await rejection({ keys: [Array.from({ length: 257 }, () => '0x1')] })).toMatchObject({
      code: 34,
    });
    expect(await rejection({ from_block: { block_number: 77 } })).toMatchObject({ code: 24 });
    expect(await rejection({ chunk_size: 0 })).toMatchObject({ code: -32602 });
  });
});
