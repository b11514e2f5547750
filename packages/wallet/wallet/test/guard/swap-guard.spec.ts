import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  createNote,
  PrivateSwap,
  Withdrawal,
  type PrivateSwapEvent,
  type PrivateSwapOptions,
} from '../../src/advanced.js';
import { readAll } from '../support/read-all.js';
import { RECIPIENT, SwapWorld } from '../support/swap-world.js';
import { passTime } from '../support/virtual-time.js';

const HOUR_MS = 3_600_000;
const OTHER = '0x7beef00000000000000000000000000000000000000000000000000000beef';

let world: SwapWorld;
beforeEach(() => {
  jest.useFakeTimers();
  world = new SwapWorld();
});
afterEach(() => void jest.useRealTimers());

const run = (changes: Partial<PrivateSwapOptions> = {}): Promise<readonly PrivateSwapEvent[]> =>
  passTime(readAll(world.begin(changes).events()), 200_000_000);

/** Reads events until one matches, then stops reading. */
async function leaveAt(
  swap: PrivateSwap,
  isLast: (event: PrivateSwapEvent) => boolean,
): Promise<PrivateSwapEvent> {
  const reading = async (): Promise<PrivateSwapEvent> => {
    for await (const event of swap.events()) if (isLast(event)) return event;
    throw new Error('the swap has ended before');
  };
  return passTime(reading());
}

const isDelayed = (event: PrivateSwapEvent): boolean =>
  event.type === 'withdrawing' &&
  event.event.type === 'waiting' &&
  event.event.error.code === 'SWAP_LINKED';

const untilMsOf = (event: PrivateSwapEvent): number | undefined =>
  event.type === 'withdrawing' && event.event.type === 'waiting'
    ? event.event.error.untilMs
    : undefined;

async function recordDeposit(commitment: bigint, depositor: string): Promise<void> {
  const entry = {
    state: 'active',
    chainId: world.chain.chainId,
    pool: world.chain.pool,
    commitment: `0x${commitment.toString(16)}`,
    depositor,
    begunAtMs: 0,
  };
  const text = JSON.stringify({ format: 1, revision: 0, lease: null, entry });
  await world.storage.replace(`sotto/deposit/${commitment}`, undefined, text);
}

describe('the guard of a private swap', () => {
  it('a swap of a note in a small batch is refused before any relayer sees a proof, and can be overridden', async () => {
    const note = createNote();
    world.chain.seed([note.commitment]);
    const events = await run({ note });
    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'CROWD_TOO_SMALL', refusals: [{ size: 1, minimum: 3 }] },
    });
    expect([world.first.arrivals, world.second.arrivals]).toEqual([0, 0]);
    const again = await run({ note, allow: ['CROWD_TOO_SMALL'] });
    expect(again.at(-1)?.type).toBe('settled');
  });

  it('a swap whose payment goes to the depositor of its note is refused, and can be overridden', async () => {
    await recordDeposit(world.note.commitment, RECIPIENT);
    expect((await run()).at(-1)).toMatchObject({ error: { code: 'RECIPIENT_IS_DEPOSITOR' } });
    const events = await run({ allow: ['RECIPIENT_IS_DEPOSITOR'] });
    expect(events.at(-1)?.type).toBe('settled');
  });

  it('the recipient of a swap counts as used for the withdrawals of other notes, but not for its own notes', async () => {
    expect((await run()).at(-1)?.type).toBe('settled');
    const note = createNote();
    world.chain.seed([note.commitment, 1n, 2n]);
    const { pool, prover, relayers, locks } = world.means();
    const means = { note, pool, prover, relayers, locks, storage: world.storage };
    const withdrawal = Withdrawal.begin({ ...means, recipient: RECIPIENT, maxFee: 100n });
    const events = await passTime(readAll(withdrawal.events()));
    expect(events.at(-1)).toMatchObject({ error: { code: 'RECIPIENT_REUSED' } });
  });

  it('a new recipient of a swap in progress is checked before the new note pays it', async () => {
    await recordDeposit(world.note.commitment, OTHER);
    await leaveAt(world.begin(), ({ type }) => type === 'accepted');
    const events = await run({ recipient: OTHER });
    expect(events.at(-1)).toMatchObject({
      type: 'stopped',
      error: { code: 'RECIPIENT_IS_DEPOSITOR' },
    });
    const again = await run({ recipient: OTHER, allow: ['RECIPIENT_IS_DEPOSITOR'] });
    expect(again.at(-1)?.type).toBe('settled');
  });
});

describe('the delay after a swap', () => {
  it('the withdrawal of a swapped note warns of the link, and waits for a random time below the maximum', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < 6; round += 1) {
      world = new SwapWorld();
      const swap = world.begin({ waitForSwap: HOUR_MS });
      const untilMs = untilMsOf(await leaveAt(swap, isDelayed)) ?? 0;
      const leftMs = untilMs - Date.now();
      expect(leftMs).toBeGreaterThanOrEqual(-60_000);
      expect(leftMs).toBeLessThanOrEqual(HOUR_MS);
      seen.add(leftMs);
      expect(world.paid).toBe(0);
      const events = await run({ waitForSwap: HOUR_MS });
      expect(events.at(-1)?.type).toBe('settled');
      expect(Date.now()).toBeGreaterThanOrEqual(untilMs);
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  it('a reload does not draw the delay again', async () => {
    const swap = world.begin({ waitForSwap: 24 * HOUR_MS });
    const first = untilMsOf(await leaveAt(swap, isDelayed));
    for (let reload = 0; reload < 4; reload += 1) {
      const again = await PrivateSwap.resume(world.storage, swap.id, world.means());
      expect(untilMsOf(await leaveAt(again, isDelayed))).toBe(first);
      expect(untilMsOf(await leaveAt(world.begin({ waitForSwap: 24 * HOUR_MS }), isDelayed))).toBe(
        first,
      );
    }
  });

  it('a repeat with a shorter maximum shortens the delay', async () => {
    await leaveAt(world.begin({ waitForSwap: 24 * HOUR_MS }), isDelayed);
    const beganMs = Date.now();
    expect((await run({ waitForSwap: 0 })).at(-1)?.type).toBe('settled');
    expect(Date.now() - beganMs).toBeLessThan(120_000);
  });

  it.each([10 * HOUR_MS, 1e300])(
    'a stored delay that ends %d ms from now, as after a clock that was set back, is limited to the maximum',
    async (leftMs) => {
      await leaveAt(world.begin({ waitForSwap: HOUR_MS }), isDelayed);
      const [key = ''] = (await world.storage.keys('sotto/withdrawal/')).slice(-1);
      const text = (await world.storage.read(key)) ?? '';
      const untilMs = Date.now() + leftMs;
      const damaged = text.replace(/"untilMs":\d+\}/, `"untilMs":${untilMs}}`);
      expect(damaged).not.toBe(text);
      await world.storage.replace(key, text, damaged);
      const beganMs = Date.now();
      const events = await run({ waitForSwap: HOUR_MS });
      expect(events.at(-1)?.type).toBe('settled');
      expect(Date.now() - beganMs).toBeGreaterThanOrEqual(HOUR_MS);
      expect(Date.now() - beganMs).toBeLessThan(HOUR_MS + 300_000);
    },
  );
});

describe('a note at risk', () => {
  beforeEach(() => {
    world.first.isPriceMoving = true;
  });

  it('the note of a reverted swap is withdrawn at once, although its batch is small, its deposit recent and its recipient the depositor', async () => {
    const note = createNote();
    world.chain.seed([note.commitment]);
    await recordDeposit(note.commitment, RECIPIENT);
    const events = await run({ note, allow: ['CROWD_TOO_SMALL', 'RECIPIENT_IS_DEPOSITOR'] });
    expect(events.at(-1)?.type).toBe('withdrawn');
    expect(world.chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
  });

  it('a caller withdraws the note of a reverted swap plainly without any override', async () => {
    const note = createNote();
    world.chain.seed([note.commitment]);
    await run({ note, onRevert: 'stop', allow: ['CROWD_TOO_SMALL'] });
    const { pool, prover, relayers, locks } = world.means();
    const means = { note, pool, prover, relayers, locks, storage: world.storage };
    const withdrawal = Withdrawal.begin({ ...means, recipient: RECIPIENT, maxFee: 100n });
    const events = await passTime(readAll(withdrawal.events()));
    expect(events.at(-1)?.type).toBe('settled');
  });

  it('the withdrawal of a note at risk does not wait for the check of another tab', async () => {
    const swap = world.begin();
    await leaveAt(swap, ({ type }) => type === 'reverted');
    const lease = { holder: 'another', untilMs: Date.now() + 29_000, isLocked: false };
    const key = `sotto/guard/${BigInt(world.chain.chainId).toString(16)}`;
    const text = JSON.stringify({ format: 1, revision: 9, lease, entry: {} });
    await world.storage.replace(key, await world.storage.read(key), text);
    const events = await run();
    expect(events.at(-1)?.type).toBe('withdrawn');
    expect(await world.storage.read(key)).toBe(text);
  });

  it('the kit withdraws the note as soon as the relayers admit it, however often they refuse it before', async () => {
    const swap = world.begin();
    await leaveAt(swap, ({ type }) => type === 'reverted');
    const upAtMs = Date.now() + 40 * 60_000;
    for (const relayer of world.relayers)
      relayer.fault = (path) =>
        path.endsWith('/withdraw') && Date.now() < upAtMs
          ? { status: 503, code: 'POOL_PAUSED', retry: 'later' }
          : undefined;
    const events = await run();
    expect(events.at(-1)?.type).toBe('withdrawn');
    expect(Date.now() - upAtMs).toBeLessThan(180_000);
  });

  it('a rescue that the user’s maximum fee stops continues with a higher maximum, and never swaps the note', async () => {
    const swap = world.begin();
    await leaveAt(swap, ({ type }) => type === 'reverted');
    for (const relayer of world.relayers) relayer.input.fee = 200n;
    expect((await run()).at(-1)).toMatchObject({
      type: 'stopped',
      error: { code: 'FEE_ABOVE_MAXIMUM' },
      advice: expect.stringContaining('still at risk'),
    });
    expect(await PrivateSwap.list(world.storage)).toMatchObject([{ state: 'reverted' }]);
    world.first.isPriceMoving = false;
    expect((await run({ maxFee: 250n })).at(-1)?.type).toBe('withdrawn');
    expect(world.first.arrivals).toBe(1);
  });
});
