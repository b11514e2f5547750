import { describe, expect, it } from '@jest/globals';
import { SettlementWindow, PoolCircuitBreaker } from '../../src/index.js';
import { LIMITS, SNAPSHOT_MS, aGuard, anEntry } from '../support/guard-world.js';
import { usdcPool } from '../support/estimate-world.js';
import { calldataWith, goodCalldata } from '../support/vector.js';
import { NOW_MS, aWorld, pool } from '../support/world.js';

describe('what a request hears of a pause', () => {
  it('is its cause and its end, and no reason where none was given', async () => {
    const { guarding } = aWorld();
    for (let count = 0; count < LIMITS.revertsInARow; count += 1)
      guarding.money.end(anEntry(pool, NOW_MS - 1_500, { state: 'reverted' }));
    const refusal = await guarding.guard.peek(pool, 'relay');
    expect(refusal?.details).toEqual({ cause: 'reverts' });
    expect(refusal?.retryAfterSeconds).toBe(59);
  });

  it('is to come back in a minute while its end is unknown', async () => {
    const { guarding } = aWorld();
    await guarding.control.pause(pool.address, 'upgrade');
    expect(await guarding.guard.peek(pool, 'relay')).toMatchObject({
      retryAfterSeconds: 60,
      details: { cause: 'operator' },
    });
  });

  it('while node or prices fail is the same for each request: none holds the trial before its time', async () => {
    const { guarding, clock } = aWorld();
    for (let count = 0; count < LIMITS.upstreamFailuresInARow; count += 1)
      await guarding.guard.recordUpstream(pool, false);
    clock.pass(10_000);
    for (let count = 0; count < 2; count += 1) {
      expect(await guarding.guard.peek(pool, 'relay')).toMatchObject({
        retryAfterSeconds: 50,
        details: { cause: 'upstream' },
      });
    }
  });
});

describe('the trial after a run of reverts', () => {
  it('is not used up by a withdrawal that is refused', async () => {
    const world = aWorld();
    for (let count = 0; count < LIMITS.revertsInARow; count += 1) {
      world.guarding.money.end(anEntry(pool, NOW_MS - LIMITS.pauseMs, { state: 'reverted' }));
    }
    const unsound = calldataWith({ recipient: 5n, nullifierHash: 7n });
    await expect(world.submit(unsound)).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    await world.submit(goodCalldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });
});

describe('an answer of node and prices', () => {
  it('ends the run of its own pool, whatever stands beside it', async () => {
    const { clock, submissions } = aWorld();
    const { controls, control, guard } = aGuard(clock, submissions, [usdcPool, pool]);
    await control.pause(usdcPool.address, 'upgrade');
    await guard.recordUpstream(pool, false);
    clock.pass(SNAPSHOT_MS);
    await guard.recordUpstream(pool, true);
    expect((await controls.all()).map(({ upstream }) => upstream.failures)).toEqual([0, 0]);
  });

  it('is not written where there is no run to end', async () => {
    const { guarding } = aWorld();
    let writes = 0;
    guarding.controls.upstreamAnswered = async () => {
      writes += 1;
    };
    await guarding.guard.recordUpstream(pool, true);
    expect(writes).toBe(0);
  });
});

describe('a guard without pauses by configuration', () => {
  it('has every pool open', async () => {
    const { clock, guarding } = aWorld();
    const { money, controls, claims } = guarding;
    const guard = new PoolCircuitBreaker(
      new SettlementWindow(money, controls, clock),
      controls,
      claims,
      clock,
      {
        limits: LIMITS,
        pools: [pool],
      },
    );
    expect(await guard.peek(pool, 'relay')).toBeNull();
  });
});
