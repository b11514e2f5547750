import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import type { SubmissionSettings } from '../../src/index.js';
import { LANE, World, flush } from './world.js';

const SECOND = toFelt('0x2a4e');
const BOTH: SubmissionSettings['lanes'] = [
  { address: LANE, role: 'relay' },
  { address: SECOND, role: 'relay' },
];
const FUNDS = {
  answer: { kind: 'refused', code: 'INSUFFICIENT_ACCOUNT_BALANCE', cause: 'funds' },
  arrives: false,
} as const;
/** Time that exceeds the back-off of a rejected attempt, in ms. */
const BACK_OFF_MS = 2_100;

let world: World;
const start = async (change: Partial<SubmissionSettings> = {}): Promise<void> => {
  world = new World(change);
  await world.engine.start();
};
const states = (): unknown =>
  world.engine.status().lanes.map(({ state, reason }) => [state, reason]);
const submit = async (key: string): Promise<void> => {
  await world.submit({ key, calldata: Felts.of([BigInt(key.charCodeAt(0))]) });
  await flush();
};
beforeEach(() => start());
afterEach(() => world.engine.stop());

describe('lane whose sends are rejected', () => {
  it('T16: a lane whose sends are refused is `resting`, but still gets attempts', async () => {
    world.chain.script(FUNDS, FUNDS);
    await submit('a');
    expect(states()).toEqual([['resting', 'INSUFFICIENT_ACCOUNT_BALANCE']]);
    expect(await world.last('a')).toMatchObject({ state: 'accepted' });
    await world.round(BACK_OFF_MS);
    expect(states()).toEqual([['resting', 'INSUFFICIENT_ACCOUNT_BALANCE']]);
    await world.round(BACK_OFF_MS);
    expect(states()).toEqual([['ready', null]]);
    expect(await world.last('a')).toMatchObject({ state: 'broadcast' });
    expect(world.chain.sent).toHaveLength(3);
  });

  it('T16 a lane whose sends are refused is reported as `resting` even if the engine accepts no refusal as proof', async () => {
    await world.engine.stop();
    await start({ strict: true });
    world.chain.script(FUNDS);
    await submit('a');
    expect(states()).toEqual([['resting', 'INSUFFICIENT_ACCOUNT_BALANCE']]);
  });

  it('T16: a lane is ready again half a minute after its last refused send', async () => {
    world.chain.script(FUNDS);
    await submit('a');
    world.rejection = 'NO_LONGER_WANTED';
    await world.round(BACK_OFF_MS);
    expect(await world.last('a')).toMatchObject({ state: 'refused' });
    expect(states()).toEqual([['resting', 'INSUFFICIENT_ACCOUNT_BALANCE']]);
    await world.round(30_000);
    expect(states()).toEqual([['ready', null]]);
  });

  it('T16: a lane whose sends are refused gets no attempt while another lane has a free slot', async () => {
    await world.engine.stop();
    await start({ lanes: BOTH });
    world.chain.script(FUNDS);
    await submit('a');
    await world.round(BACK_OFF_MS);
    const { lane } = await world.last('a');
    for (const key of ['b', 'c']) await submit(key);
    expect([await world.last('b'), await world.last('c')]).toMatchObject([
      { state: 'broadcast', lane },
      { state: 'broadcast', lane },
    ]);
    expect(states()).toContainEqual(['resting', 'INSUFFICIENT_ACCOUNT_BALANCE']);
  });
});
