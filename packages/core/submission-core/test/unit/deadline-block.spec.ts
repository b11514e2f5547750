import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { World, flush, LANE } from './world.js';

describe('the last block of an attempt', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.engine.start();
  });
  afterEach(() => world.engine.stop());

  const height = async (): Promise<number> => (await world.chain.head([])).blockNumber;
  const kinds = async (): Promise<readonly string[]> => {
    const [nonce] = await world.ledger.openNonces(LANE);
    return nonce?.transactions.map(({ kind }) => kind) ?? [];
  };
  /** Sends a call that the node then loses, so that the call is not included. */
  const sendAndLose = async (deadlineBlock: number): Promise<void> => {
    await world.submit({ deadlineBlock });
    await flush();
    world.chain.drop(world.chain.sent[0] ?? LANE);
  };

  it('a call with enough blocks left is sent', async () => {
    await world.submit({ deadlineBlock: (await height()) + 6 });
    await flush();
    expect(world.chain.sent).toHaveLength(1);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
  });

  it('a call whose last block is too near is never signed, and its attempt expires', async () => {
    await world.submit({ deadlineBlock: (await height()) + 5 });
    await flush();
    expect(world.chain.sent).toEqual([]);
    expect(await world.last()).toMatchObject({
      state: 'expired',
      rejectionCode: 'DEADLINE_BLOCK_PASSED',
      nonce: null,
    });
  });

  it('an attempt of which nothing was signed expires by height alone', async () => {
    world.chain.setBalance(LANE, 0n);
    await world.round();
    await world.submit({ deadlineBlock: (await height()) + 20 });
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'accepted', readmit: false });
    world.chain.mine(20);
    await world.round();
    expect(await world.last()).toMatchObject({
      state: 'expired',
      rejectionCode: 'DEADLINE_BLOCK_PASSED',
    });
    expect(world.chain.sent).toEqual([]);
  });

  it('a no-op takes the nonce of a sent call at the last block, and only its inclusion ends the attempt', async () => {
    const deadlineBlock = (await height()) + 10;
    await sendAndLose(deadlineBlock);
    world.chain.mine(9);
    await world.round();
    expect(await kinds()).toEqual(['call']);
    world.chain.mine();
    await world.round();
    expect(await height()).toBe(deadlineBlock);
    expect(await kinds()).toEqual(['call', 'noop']);
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    world.chain.mine(5);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({
      state: 'expired',
      rejectionCode: 'DEADLINE_BLOCK_PASSED',
    });
  });

  it('a call that is included too late ends its attempt as reverted', async () => {
    await world.submit({ deadlineBlock: (await height()) + 10 });
    await flush();
    const [hash = LANE] = world.chain.sent;
    world.chain.mine(11);
    world.chain.include(hash, { execution: 'REVERTED', revertReason: 'PROOF_EXPIRED' });
    await world.round();
    expect(await world.last()).toMatchObject({
      state: 'reverted',
      transactionHash: hash,
      revertReason: 'PROOF_EXPIRED',
    });
  });

  it('a restarted process ends what expired while it was down as the chain says', async () => {
    await sendAndLose((await height()) + 10);
    await world.engine.stop();
    world.chain.mine(30);
    world = world.restarted();
    await world.engine.start();
    await world.round();
    expect(await kinds()).toEqual(['call', 'noop']);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'expired' });
  });

  it('a newer call of the same effect brings its own last block', async () => {
    world.chain.setBalance(LANE, 0n);
    await world.round();
    const { attempt } = await world.submit({ deadlineBlock: (await height()) + 20 });
    const newer = {
      effect: attempt.effect,
      fingerprint: 'newer',
      calldata: world.requested[0]?.calldata,
      deadlineBlock: (await height()) + 40,
    };
    if (newer.calldata === undefined) throw new Error('nothing was requested');
    expect(await world.service.renew(attempt, { ...newer, calldata: newer.calldata })).toBe(true);
    world.chain.mine(30);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'accepted' });
    world.chain.mine(10);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'expired' });
  });
});
