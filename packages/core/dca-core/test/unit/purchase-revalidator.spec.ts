import { beforeEach, describe, expect, it } from '@jest/globals';
import { PurchaseRevalidator } from '../../src/index.js';
import { ACCOUNT, PurchaseWorld } from '../support/world.js';

const FRESH_MS = 5_000;

describe('PurchaseRevalidator', () => {
  let world: PurchaseWorld;
  let subject: PurchaseRevalidator;
  beforeEach(async () => {
    world = new PurchaseWorld();
    subject = new PurchaseRevalidator(
      { ledger: world.ledger, simulator: world, clock: world.clock },
      { account: ACCOUNT, freshMs: FRESH_MS },
    );
    world.create();
    await world.round();
    world.simulated.length = 0;
  });

  it('a queued execution is not simulated again while its last simulation is fresh', async () => {
    world.clock.advance(FRESH_MS - 1);
    expect(await subject.rejectionOf(await world.lastAttempt())).toBeNull();
    expect(world.simulated).toEqual([]);
  });

  it('a queued execution is simulated again later, and accepted if the simulation succeeds', async () => {
    world.clock.advance(FRESH_MS);
    const attempt = await world.lastAttempt();
    expect(await subject.rejectionOf(attempt)).toBeNull();
    const calldata = await world.ledger.calldata(attempt.id);
    expect(world.simulated).toMatchObject([attempt.target]);
    expect(calldata && world.simulated[0]?.calldata.equals(calldata)).toBe(true);
  });

  it.each([
    ['another keeper has executed it', () => world.chain.execute(1n)],
    ['its owner has cancelled it', () => world.chain.change(1n, { isCancelled: true })],
  ])('rejects a queued execution once %s', async (_what, step) => {
    step();
    world.chain.mine();
    world.clock.advance(FRESH_MS);
    expect(await subject.rejectionOf(await world.lastAttempt())).toBe('SIMULATION_REVERTED');
  });

  it('ignores executions that were already sent and attempts of other kinds', async () => {
    const attempt = await world.lastAttempt();
    await world.send(attempt);
    world.chain.execute(1n);
    world.pass(3_600);
    world.chain.change(1n, { isCancelled: true });
    expect(await subject.rejectionOf(await world.lastAttempt())).toBeNull();
    expect(await subject.rejectionOf({ ...attempt, kind: 'withdraw' })).toBeNull();
    expect(world.simulated).toEqual([]);
  });
});
