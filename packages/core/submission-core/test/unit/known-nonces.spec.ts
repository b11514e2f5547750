import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LedgerUnavailable, refOf, type OpenNonce } from '../../src/index.js';
import { gate } from '../support/gate.js';
import { LaneBench } from '../support/lane.js';
import { LANE } from './world.js';

let lane: LaneBench;
let reads: number;

beforeEach(async () => {
  lane = await LaneBench.held();
  reads = 0;
  const openNonces = lane.ledger.openNonces.bind(lane.ledger);
  lane.ledger.openNonces = async (of) => {
    reads += 1;
    return openNonces(of);
  };
});

/** Changes the nonces that are cached in memory, without changing the rows. */
async function rememberedAs(changed: (open: readonly OpenNonce[]) => readonly OpenNonce[]) {
  const { ledger } = lane;
  const openNonces = ledger.openNonces.bind(ledger);
  ledger.openNonces = async (of) => changed(await openNonces(of));
  await lane.account.nonces.read();
  ledger.openNonces = openNonces;
  reads = 0;
}

describe('KnownNonces', () => {
  it('reads the open nonces of a lane once, and then updates them by the lane’s own writes', async () => {
    lane.account.nonces.drop();
    for (const key of ['a', 'b', 'c']) await lane.sent(key);
    const known = await lane.account.nonces.open();
    expect(reads).toBe(1);
    expect(known).toEqual(await lane.open());
    expect(known.map(({ row }) => row.nonce)).toEqual([0n, 1n, 2n]);
  });

  it('no nonce is assigned twice if the cache wrongly contains it as free', async () => {
    const first = await lane.sent('first');
    await rememberedAs((open) =>
      open.map((nonce) => ({
        row: { ...nonce.row, owner: null },
        owner: null,
        transactions: [],
      })),
    );
    const second = await lane.sent('second');
    expect([first.nonce, second.nonce]).toEqual([0n, 1n]);
    expect(reads).toBe(1);
    expect((await lane.open()).map(({ transactions }) => transactions.length)).toEqual([1, 1]);
    expect(lane.hints.isBackedOff(second)).toBe(false);
  });

  it('no nonce is assigned twice if it is missing in the cache', async () => {
    await lane.sent('first');
    await rememberedAs(() => []);
    lane.account.nextNonce = 0n;
    expect(await lane.sent('second')).toMatchObject({ state: 'broadcast', nonce: 1n });
    expect((await lane.open()).map(({ owner }) => owner?.key)).toEqual(['first', 'second']);
  });

  it('an attempt is not sent again if its nonce is missing in the cache', async () => {
    const attempt = await lane.accepted('twice');
    const head = await lane.head();
    expect(await lane.account.prepare(attempt, head)).toBe(true);
    await lane.sender.idle();
    await rememberedAs(() => []);
    // A dispatcher whose queue in memory is outdated would prepare the attempt a second time.
    expect(await lane.account.prepare(attempt, head)).toBe(false);
    await lane.sender.idle();
    const stored = await lane.ledger.transactionsOf(refOf(attempt));
    expect(stored).toMatchObject([{ nonce: 0n, sendCount: 1 }]);
    expect((await lane.open()).map(({ row }) => row.nonce)).toEqual([0n]);
  });

  it('does not fill a nonce gap that exists only in the cache', async () => {
    await lane.sent('below');
    await lane.sent('above');
    await rememberedAs((open) =>
      open.map((nonce) =>
        nonce.row.nonce === 0n
          ? { row: { ...nonce.row, owner: null }, owner: null, transactions: [] }
          : nonce,
      ),
    );
    const offer = await lane.worker.offer();
    expect(offer).toMatchObject({ freeBelow: [0n] });
    expect(await lane.sent('next')).toMatchObject({ nonce: 2n });
  });

  it('the cached nonces are dropped after a rejected command', async () => {
    const ends = {
      refused: async () =>
        lane.account.record({
          type: 'claim',
          lane: LANE,
          nonce: 7n,
          fence: lane.lease.fence ?? 0n,
          hash: toFelt('0x7'),
          node: 'a',
        }),
      failing: async () => {
        const apply = lane.ledger.apply.bind(lane.ledger);
        lane.ledger.apply = async () => {
          throw new LedgerUnavailable({ message: 'away' });
        };
        await lane.account.apply({ type: 'end_quarantine', lanes: [] }).catch(() => undefined);
        lane.ledger.apply = apply;
      },
      held: async () => {
        lane.lease.lost(lane.lease.fence ?? 0n);
        await lane.lease.hold();
      },
    };
    for (const end of Object.values(ends)) {
      await lane.account.nonces.read();
      reads = 0;
      await lane.account.nonces.open();
      expect(reads).toBe(0);
      await end();
      await lane.account.nonces.open();
      expect(reads).toBe(1);
    }
  });

  it('does not cache nonces that were read while a write was running', async () => {
    const attempt = await lane.accepted('a');
    const head = await lane.head();
    lane.account.nonces.drop();
    const apply = lane.ledger.apply.bind(lane.ledger);
    const written = gate();
    lane.ledger.apply = async (event) => {
      const result = await apply(event);
      await written.opened;
      return result;
    };
    const writing = lane.account.prepare(attempt, head);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lane.ledger.events).toContain('store');
    lane.account.nonces.drop();
    reads = 0;
    await lane.account.nonces.read();
    await lane.account.nonces.open();
    expect(reads).toBe(2);
    written.open();
    await writing;
    expect(await lane.account.nonces.open()).toEqual(await lane.open());
  });
});
