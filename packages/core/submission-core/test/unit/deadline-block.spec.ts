import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { AttemptState, TransactionRow } from '../../src/index.js';
import { FakeChain, LedgerDriver } from '../../src/testing/index.js';
import { LaneBench } from '../support/lane.js';
import { World, flush, inMemory, LANE, type Wanted } from './world.js';

describe('last block of an attempt', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.engine.start();
  });
  afterEach(() => world.engine.stop());

  const height = async (): Promise<number> => (await world.chain.head([])).blockNumber;
  const kinds = async (): Promise<readonly TransactionRow['kind'][]> => {
    const [nonce] = await world.ledger.openNonces(LANE);
    return nonce?.transactions.map(({ kind }) => kind) ?? [];
  };
  const state = async (): Promise<AttemptState> => (await world.last()).state;
  /** Polls the chain until two polls in a row have read its height. */
  const polls = async (): Promise<void> => {
    await world.round();
    await world.round();
  };
  /** Sends a call that the node then loses, so that the call is not included. */
  const sendAndLose = async (blocks: number): Promise<void> => {
    await world.submit({ deadlineBlock: (await height()) + blocks });
    await flush();
    world.chain.drop(world.chain.sent[0] ?? LANE);
  };
  /** Accepts an attempt that no lane can pay for, so that nothing is signed. */
  const submitUnsigned = async (blocks: number): Promise<Wanted> => {
    world.chain.setBalance(LANE, 0n);
    await world.round();
    await world.submit({ deadlineBlock: (await height()) + blocks });
    const [wanted] = world.requested.slice(-1);
    if (wanted === undefined) throw new Error('nothing was requested');
    return wanted;
  };
  /** Makes the next polls read this many blocks above the chain's height; 0 for the true height. */
  const reportHeight = (above: number): void => {
    const { chain } = world;
    chain.head = async (accounts) => {
      const head = await FakeChain.prototype.head.call(chain, accounts);
      return { ...head, blockNumber: head.blockNumber + above };
    };
  };

  it('a call with enough blocks left is sent', async () => {
    await world.submit({ deadlineBlock: (await height()) + 6 });
    await flush();
    expect(world.chain.sent).toHaveLength(1);
    world.chain.includeAll();
    await world.round();
    expect(await state()).toBe('succeeded');
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
    await submitUnsigned(20);
    world.chain.mine(19);
    await polls();
    expect(await world.last()).toMatchObject({ state: 'accepted', readmit: false });
    world.chain.mine();
    await polls();
    expect(await world.last()).toMatchObject({
      state: 'expired',
      rejectionCode: 'DEADLINE_BLOCK_PASSED',
    });
    expect(world.chain.sent).toEqual([]);
  });

  it('a no-op is stored against a sent call at the last block, and only its inclusion ends the attempt', async () => {
    await sendAndLose(10);
    world.chain.mine(9);
    await polls();
    expect(await kinds()).toEqual(['call']);
    world.chain.mine();
    await polls();
    expect(await kinds()).toEqual(['call', 'noop']);
    expect(await state()).toBe('broadcast');
    world.chain.mine(5);
    await polls();
    expect(await state()).toBe('broadcast');
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

  it('a call that is included after its last block and still succeeds ends its attempt as succeeded', async () => {
    await world.submit({ deadlineBlock: (await height()) + 10 });
    await flush();
    const [hash = LANE] = world.chain.sent;
    world.chain.mine(11);
    // The owner of the called contract has made the proofs valid for longer.
    world.chain.include(hash);
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded', transactionHash: hash });
  });

  it('an attempt whose no-op was included expires, and gets its nonce back if the block is undone', async () => {
    await sendAndLose(10);
    world.chain.mine(10);
    await polls();
    world.chain.includeAll();
    await world.round();
    expect(await state()).toBe('expired');
    world.chain.rollback((await height()) - 1, 'waiting');
    world.chain.mine();
    await polls();
    expect(await state()).toBe('broadcast');
    expect(await kinds()).toEqual(['call', 'noop']);
  });

  it('a call whose price is too low is not signed again if few blocks are left', async () => {
    await world.submit({ deadlineBlock: (await height()) + 10 });
    await flush();
    world.chain.mine(5);
    world.chain.setGasPrices({ l2GasFri: 90_000_000_000n });
    await polls();
    expect(await kinds()).toEqual(['call']);
    world.chain.mine(5);
    await polls();
    expect(await kinds()).toEqual(['call', 'noop']);
  });

  it('a call whose price is too low is signed again if enough blocks are left', async () => {
    await world.submit({ deadlineBlock: (await height()) + 10 });
    await flush();
    world.chain.setGasPrices({ l2GasFri: 90_000_000_000n });
    await polls();
    expect(await kinds()).toEqual(['call', 'call']);
  });

  it('a restarted process does not send a late call again, and stores a no-op against it', async () => {
    await sendAndLose(10);
    const [hash] = world.chain.sent;
    await world.engine.stop();
    world.chain.mine(30);
    world = world.restarted();
    await world.engine.start();
    await polls();
    expect(world.chain.sent.filter((sent) => sent === hash)).toHaveLength(1);
    expect(await kinds()).toEqual(['call', 'noop']);
    world.chain.includeAll();
    await world.round();
    expect(await state()).toBe('expired');
  });

  it('a newer call of the same effect brings its own last block', async () => {
    const { effect, calldata } = await submitUnsigned(20);
    const attempt = await world.last();
    const newer = { effect, fingerprint: 'newer', calldata, deadlineBlock: (await height()) + 40 };
    expect(await world.service.renew(attempt, newer)).toBe(true);
    const earlier = { ...newer, fingerprint: 'earlier', deadlineBlock: (await height()) + 39 };
    expect(await world.service.renew(attempt, earlier)).toBe(false);
    world.chain.mine(30);
    await polls();
    expect(await state()).toBe('accepted');
    world.chain.mine(10);
    await polls();
    expect(await state()).toBe('expired');
  });

  it('an attempt whose signed call lost its nonce does not expire by height in the queue', async () => {
    await sendAndLose(20);
    world.chain.setBalance(LANE, 0n);
    world.chain.includeForeign(LANE);
    await polls();
    expect(await world.last()).toMatchObject({ state: 'accepted', readmit: true });
    world.chain.mine(30);
    await polls();
    expect(await state()).toBe('accepted');
    // A lane that could send the call ends the attempt, since its nonce was consumed.
    world.chain.setBalance(LANE, 10n ** 24n);
    await polls();
    expect(await world.last()).toMatchObject({
      state: 'expired',
      rejectionCode: 'DEADLINE_BLOCK_PASSED',
    });
    expect(world.chain.sent).toHaveLength(1);
  });

  it('an attempt that is signed while it expires by height, and then loses its nonce, does not expire', async () => {
    await sendAndLose(20);
    world.chain.setBalance(LANE, 0n);
    world.chain.includeForeign(LANE);
    await polls();
    const ledger = inMemory(world.ledger);
    const waiting = ledger.waiting.bind(ledger);
    // The queue was read before the call was signed.
    ledger.waiting = async (...queue) =>
      (await waiting(...queue)).map((attempt) => ({ ...attempt, readmit: false }));
    world.chain.mine(30);
    await polls();
    expect(await state()).toBe('accepted');
  });

  it('a single height of a wrong node ends no attempt and cancels no call', async () => {
    await sendAndLose(20);
    await world.submit({ key: 'waits', deadlineBlock: (await height()) + 20 });
    await flush();
    reportHeight(1_000_000);
    await world.round();
    reportHeight(0);
    await polls();
    expect(await kinds()).toEqual(['call']);
    expect(await state()).toBe('broadcast');
    expect(await world.last('waits')).toMatchObject({ state: 'broadcast' });
  });

  it('a call is not signed at the low height of a lagging node', async () => {
    world.chain.mine(100);
    await polls();
    const deadlineBlock = (await height()) + 5;
    reportHeight(-50);
    await polls();
    await world.submit({ deadlineBlock });
    await polls();
    expect(world.chain.sent).toEqual([]);
    expect(await state()).toBe('accepted');
    reportHeight(0);
    await polls();
    expect(await state()).toBe('expired');
    expect(world.chain.sent).toEqual([]);
  });

  it('an attempt in quarantine gets a no-op and does not end before its nonce is consumed', async () => {
    await sendAndLose(20);
    await world.engine.stop();
    const lease = await world.ledger.lease(LANE, 'one', 15_000);
    await world.ledger.apply({
      type: 'quarantine',
      lane: LANE,
      fence: lease?.fence ?? 0n,
      until: 8n,
      isAged: false,
    });
    world.chain.mine(30);
    world = world.restarted();
    await world.engine.start();
    await polls();
    expect(await state()).toBe('broadcast');
    expect(await kinds()).toEqual(['call', 'noop']);
  });

  it('a waiting attempt does not expire by height while the ledger is behind its chain', async () => {
    await submitUnsigned(20);
    await world.engine.stop();
    const lease = await world.ledger.lease(LANE, 'one', 15_000);
    await world.ledger.apply({
      type: 'quarantine',
      lane: LANE,
      fence: lease?.fence ?? 0n,
      until: 8n,
      isAged: false,
    });
    world.chain.mine(30);
    world = world.restarted();
    await world.engine.start();
    await polls();
    expect(await state()).toBe('accepted');
  });

  it('a second account with an old height does not delay the end of an attempt', async () => {
    const second = toFelt('0x2a2e');
    await world.engine.stop();
    world = world.restarted({
      lanes: [
        { address: LANE, role: 'relay' },
        { address: second, role: 'relay', isLeftToOthers: true },
      ],
    });
    await world.engine.start();
    await submitUnsigned(20);
    world.chain.mine(20);
    await polls();
    expect(await state()).toBe('expired');
  });
});

describe('last block of an attempt whose preparation is slow', () => {
  it.each([
    [1, 0],
    [0, 1],
  ])(
    'a lane signs a call only if enough blocks are left after the call was hashed (%i blocks later: %i signed)',
    async (later, signed) => {
      const lane = await LaneBench.held();
      const head = await lane.head();
      const attempt = await lane.accepted('a', { deadlineBlock: head.blockNumber + 6 });
      const hashCall = lane.signer.hashCall.bind(lane.signer);
      lane.signer.hashCall = async (...call) => {
        lane.account.heights.note(head.blockNumber + later);
        return hashCall(...call);
      };
      lane.fresh();
      await lane.account.prepare(attempt, head);
      await lane.sender.idle();
      expect(lane.ledger.events).toEqual(signed === 0 ? [] : ['store']);
      expect(lane.hints.isBackedOff(attempt)).toBe(signed === 0);
      expect(lane.chain.sent).toHaveLength(signed);
    },
  );

  it('a lane does not sign a call at a head that is older than its last poll', async () => {
    const lane = await LaneBench.held();
    const head = await lane.head();
    const attempt = await lane.accepted('a', { deadlineBlock: head.blockNumber + 6 });
    lane.chain.mine();
    await lane.poll();
    await lane.account.prepare(attempt, head);
    await lane.sender.idle();
    expect(lane.chain.sent).toEqual([]);
    expect(await lane.now(attempt)).toMatchObject({ state: 'accepted' });
  });

  it('a lane does not end an attempt by the last block of its previous call', async () => {
    const lane = await LaneBench.held();
    const previous = await lane.accepted('a', { deadlineBlock: 5 });
    const newer = { effect: previous.effect, fingerprint: 'newer', deadlineBlock: 100 };
    await new LedgerDriver(lane.ledger).renew(previous, 'newer', newer);
    await lane.account.prepare(previous, await lane.head());
    expect(await lane.now(previous)).toMatchObject({ state: 'accepted', deadlineBlock: 100 });
    expect(lane.chain.sent).toEqual([]);
  });
});
