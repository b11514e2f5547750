import { afterEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { boundsFor, worstCaseFri, type SubmissionSettings } from '../../src/index.js';
import { gate } from '../support/gate.js';
import { LANE, World, flush, submission } from './world.js';

const SECOND = toFelt('0x2a4e');
const OWNER = toFelt('0x5a4e');
const ONE_STRK = 10n ** 18n;
const BOTH: SubmissionSettings['lanes'] = [
  { address: LANE, role: 'relay' },
  { address: SECOND, role: 'relay' },
];
const [POOL, OTHER_POOL] = [toFelt('0xb7c'), toFelt('0xbeef')];

const inFlight = async ({ ledger }: World, lane: Felt): Promise<number> =>
  (await ledger.openNonces(lane)).length;
const submitMany = async (to: World, names: readonly string[], pool = POOL): Promise<void> => {
  for (const name of names) {
    await to.submit({ key: name, target: { to: pool, entrypoint: 'withdraw' } });
    await flush();
  }
};

describe('lanes', () => {
  let world: World | null = null;
  afterEach(() => world?.engine.stop());
  const start = async (change: Partial<SubmissionSettings> = {}): Promise<World> => {
    world = new World(change);
    await world.engine.start();
    return world;
  };
  it('lanes with more free slots get the next attempts', async () => {
    const both = await start({ lanes: BOTH });
    await submitMany(both, ['a', 'b', 'c', 'd']);
    expect([await inFlight(both, LANE), await inFlight(both, SECOND)]).toEqual([2, 2]);
    await submitMany(both, ['e', 'f', 'g', 'h', 'i']);
    expect([await inFlight(both, LANE), await inFlight(both, SECOND)]).toEqual([4, 4]);
    expect(await both.last('i')).toMatchObject({ state: 'accepted' });
    expect(both.engine.status().lanes.map(({ state }) => state)).toEqual(['full', 'full']);
  });

  it('the lane with the most free slots gets the next attempt', async () => {
    const both = await start({ lanes: BOTH });
    both.chain.setBalance(LANE, 100n * ONE_STRK);
    both.chain.setBalance(SECOND, 200n * ONE_STRK);
    await both.round();
    await submitMany(both, ['richest']);
    expect(await both.last('richest')).toMatchObject({ lane: SECOND });
    await submitMany(both, ['most room']);
    expect(await both.last('most room')).toMatchObject({ lane: LANE });
  });

  it('a lane that is short of funds gets no attempts until it is funded', async () => {
    const both = await start({ lanes: BOTH });
    both.chain.setBalance(SECOND, 20n * ONE_STRK);
    await both.round();
    await submitMany(both, ['a', 'b', 'c', 'd', 'e']);
    expect([await inFlight(both, LANE), await inFlight(both, SECOND)]).toEqual([4, 0]);
    expect(both.engine.status().lanes.map(({ state }) => state)).toEqual([
      'full',
      'short_of_funds',
    ]);
    both.chain.setBalance(SECOND, 200n * ONE_STRK);
    await both.round();
    await both.round(2_000);
    expect(await both.last('e')).toMatchObject({ state: 'broadcast', lane: SECOND });
    expect(both.engine.status().lanes.map(({ state }) => state)).toEqual(['full', 'ready']);
  });

  it('a lane always reserves the cost of a no-op', async () => {
    const one = await start();
    const { gasPrices } = await one.chain.head([LANE]);
    const { limits } = submission();
    const call = worstCaseFri(boundsFor(limits, gasPrices));
    const noop = worstCaseFri(
      boundsFor(
        { l2Gas: 5_000_000n, l1Gas: 0n, l1DataGas: 1_000n, priceMultiplier: 3n },
        gasPrices,
      ),
    );
    one.chain.setBalance(LANE, call + noop - 1n);
    await one.round();
    await submitMany(one, ['a']);
    expect(await one.last('a')).toMatchObject({ state: 'accepted' });
    one.chain.setBalance(LANE, call + noop);
    await one.round();
    await flush();
    expect(await one.last('a')).toMatchObject({ state: 'broadcast' });
  });

  it('a relay lane reserves the STRK that its calls may transfer, and other lanes do not', async () => {
    const both = await start({
      lanes: [
        { address: LANE, role: 'relay' },
        { address: OWNER, role: 'swap_owner' },
      ],
      transferFri: ONE_STRK,
    });
    const { gasPrices } = await both.chain.head([LANE]);
    const withoutFri = both.engine.neededFri(gasPrices) - ONE_STRK;
    const callFri = worstCaseFri(boundsFor(submission().limits, gasPrices));
    const noopFri = withoutFri / 2n;
    for (const lane of [LANE, OWNER]) both.chain.setBalance(lane, callFri + noopFri);
    await both.round();
    await both.submit({ key: 'withdrawal', role: 'relay' });
    await both.submit({ key: 'swap', role: 'swap_owner' });
    await flush();
    expect(await both.last('withdrawal')).toMatchObject({ state: 'accepted' });
    expect(await both.last('swap')).toMatchObject({ state: 'broadcast' });
    both.chain.setBalance(LANE, callFri + noopFri + ONE_STRK);
    await both.round();
    await flush();
    expect(await both.last('withdrawal')).toMatchObject({ state: 'broadcast' });
  });

  it('a lane assigns no nonce while the price is above the ceiling', async () => {
    const one = await start();
    one.chain.setGasPrices({ l2GasFri: 4n * 10n ** 11n });
    await one.round();
    await submitMany(one, ['a']);
    expect(await one.last('a')).toMatchObject({ state: 'accepted' });
    one.chain.setGasPrices({ l2GasFri: 8n * 10n ** 9n });
    await one.round();
    await flush();
    expect(await one.last('a')).toMatchObject({ state: 'broadcast' });
  });

  it('a lane that can not pay a usual call is reported as short of funds even if no attempt is waiting', async () => {
    const usual = await start({ usualLimits: submission().limits });
    usual.chain.setBalance(LANE, 20n * ONE_STRK);
    await usual.round();
    expect(usual.engine.status().lanes).toMatchObject([{ state: 'short_of_funds' }]);
  });

  it('a lane is reported as held elsewhere after the first write with a stale fence', async () => {
    const one = await start();
    await one.ledger.unlease(LANE, 'one', 1n);
    await one.ledger.lease(LANE, 'two', 15_000);
    expect(one.engine.status().lanes).toMatchObject([{ state: 'ready' }]);
    await submitMany(one, ['a']);
    expect(one.engine.status().lanes).toMatchObject([{ state: 'held_elsewhere' }]);
    expect(await one.last('a')).toMatchObject({ state: 'accepted' });
    expect(one.chain.sent).toEqual([]);
  });

  it('a lane gets only attempts of its own role', async () => {
    const roles = await start({
      lanes: [
        { address: LANE, role: 'relay' },
        { address: OWNER, role: 'swap_owner' },
      ],
    });
    await roles.submit({ key: 'swap', role: 'swap_owner' });
    await roles.submit({ key: 'curate', role: 'curator' });
    await flush();
    expect(await roles.last('swap')).toMatchObject({ lane: OWNER });
    expect(await roles.last('curate')).toMatchObject({ state: 'accepted' });
  });

  it('a lane gets the next attempt even if many older attempts are backed off', async () => {
    const one = await start();
    const refused = {
      answer: { kind: 'refused', code: 'FEE_BELOW_MINIMUM', cause: 'price' } as const,
      arrives: false,
    };
    one.chain.script(...Array.from({ length: 12 }, () => refused));
    await submitMany(
      one,
      Array.from({ length: 12 }, (_, index) => `refused for now ${index}`),
    );
    await submitMany(one, ['next']);
    expect(await one.last('next')).toMatchObject({ state: 'broadcast' });
    for (let round = 0; round < 12; round += 1) {
      one.chain.includeAll();
      await one.round(2_500);
    }
    expect(await one.last('refused for now 11')).toMatchObject({ state: 'succeeded' });
  });

  it('a slow lane does not block the other lanes', async () => {
    const both = await start({ lanes: BOTH });
    const slow = gate();
    const signCall = both.signer.signCall.bind(both.signer);
    both.signer.signCall = async (call, request) => {
      if (request.account === LANE) await slow.opened;
      return signCall(call, request);
    };
    await submitMany(both, ['slow']);
    await submitMany(both, ['a', 'b', 'c', 'd']);
    expect([await inFlight(both, LANE), await inFlight(both, SECOND)]).toEqual([0, 4]);
    slow.open();
    await flush();
    expect(await both.last('slow')).toMatchObject({ state: 'broadcast', lane: LANE });
  });

  it('a lane with a nonce gap gets the next attempt, even if another lane has more free slots', async () => {
    const both = await start({ lanes: BOTH });
    const answered = gate();
    both.chain.script({
      answer: { kind: 'refused', code: 'X', cause: 'call' },
      arrives: false,
      after: answered.opened,
    });
    await submitMany(both, ['refused', 'there', 'above']);
    expect([await inFlight(both, LANE), await inFlight(both, SECOND)]).toEqual([2, 1]);
    both.chain.include(both.chain.sent[1] ?? LANE);
    await both.round();
    answered.open();
    await flush();
    // The other lane has no attempts in flight and no higher balance, so the nonce gap on this lane
    // decides.
    await submitMany(both, ['next']);
    expect(await both.last('next')).toMatchObject({ lane: LANE, nonce: 0n });
  });

  it('a long queue for one contract does not delay the attempts for another contract', async () => {
    const one = await start({ maxInFlightPerLane: 2 });
    await submitMany(one, ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
    await submitMany(one, ['q1', 'q2'], OTHER_POOL);
    expect(await one.last('q1')).toMatchObject({ state: 'accepted' });
    one.chain.include(one.chain.sent[0] ?? LANE);
    await one.round();
    expect(await one.last('p3')).toMatchObject({ state: 'accepted' });
    expect(await one.last('q1')).toMatchObject({ state: 'broadcast' });
  });

  it('every accepted attempt is eventually sent', async () => {
    const one = await start({ maxInFlightPerLane: 2 });
    const names = Array.from({ length: 9 }, (_, index) => `n${index}`);
    await submitMany(one, names);
    const order: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      one.chain.includeAll();
      await one.round(1_000);
      for (const name of names)
        if ((await one.last(name)).state === 'succeeded' && !order.includes(name)) order.push(name);
    }
    expect(order).toEqual(names);
  });

  it('the queue timeout does not end an attempt that lost its nonce', async () => {
    const one = await start();
    one.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false });
    await submitMany(one, ['a']);
    one.chain.includeForeign(LANE);
    one.chain.script({
      answer: { kind: 'refused', code: 'FEE_BELOW_MINIMUM', cause: 'price' },
      arrives: false,
    });
    await one.round(70_000);
    expect(await one.last('a')).toMatchObject({ state: 'accepted', readmit: true });
    await one.round(500);
    await one.round(2_500);
    expect(await one.last('a')).toMatchObject({ state: 'broadcast', nonce: 1n });
  });
});
