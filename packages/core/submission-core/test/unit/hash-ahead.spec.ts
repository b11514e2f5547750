import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { gate } from '../support/gate.js';
import { World, flush, submission, type Wanted } from './world.js';

describe('expected call', () => {
  let world: World;
  /** Calldata of the calls that were hashed, in order. */
  let hashed: Felts[];
  beforeEach(async () => {
    world = new World();
    hashed = [];
    const hashCall = world.signer.hashCall.bind(world.signer);
    world.signer.hashCall = async (target, calldata) => {
      hashed.push(calldata);
      return hashCall(target, calldata);
    };
    await world.engine.start();
    await flush();
  });
  afterEach(() => world.engine.stop());
  /** Submits a call and returns the hashes of all sent transactions. */
  const sent = async (wanted: Partial<Wanted> = {}) => {
    await world.submit(wanted);
    await flush();
    return world.chain.sent;
  };

  it('an announced call is hashed only once, before its submission', async () => {
    const wanted = submission();
    world.service.expect(wanted);
    expect(hashed).toEqual([wanted.calldata]);
    expect(await sent(wanted)).toHaveLength(1);
    expect(hashed).toHaveLength(1);
    expect(await world.last()).toMatchObject({ state: 'broadcast' });
  });

  it('writes and sends nothing for a call that is expected but never submitted', async () => {
    world.service.expect(submission());
    await flush();
    expect(world.chain.sent).toEqual([]);
    expect(await world.ledger.lastAttempt(submission().key)).toBeNull();
  });

  it('a call is hashed only at its submission if another call is being hashed in advance', async () => {
    const thread = gate();
    const hashCall = world.signer.hashCall.bind(world.signer);
    world.signer.hashCall = async (...call) => {
      await thread.opened;
      return hashCall(...call);
    };
    const [first, second] = [submission(), submission({ key: 'k2', calldata: Felts.of([9n]) })];
    world.service.expect(first);
    world.service.expect(second);
    thread.open();
    await flush();
    expect(hashed).toEqual([first.calldata]);
    await sent(second);
    expect(hashed).toEqual([first.calldata, second.calldata]);
    // The first hash is complete, so the next expected call can be hashed.
    world.service.expect(submission({ calldata: Felts.of([8n]) }));
    await flush();
    expect(hashed).toHaveLength(3);
  });

  it('a call is hashed again at its submission if the first attempt to hash it failed', async () => {
    const hashCall = world.signer.hashCall.bind(world.signer);
    world.signer.hashCall = async () => {
      throw new Error('the thread died');
    };
    const failed = submission();
    world.service.expect(failed);
    await flush();
    world.signer.hashCall = hashCall;
    expect(await sent(failed)).toHaveLength(1);
    expect(hashed).toEqual([failed.calldata]);

    const moved = submission({ key: 'k2', calldata: Felts.of([9n]) });
    world.service.expect({ ...moved, target: { ...moved.target, entrypoint: 'another' } });
    expect(await sent(moved)).toHaveLength(2);
    expect(hashed).toHaveLength(3);
  });

  it('calls are hashed in advance only for roles that have a lane in this instance', async () => {
    world.service.expect(submission({ role: 'swap_owner' }));
    expect(hashed).toEqual([]);
  });
});
