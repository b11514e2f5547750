import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felts } from '@sotto/kernel';
import type { Attempt } from '@sotto/submission-core';
import { PrivateActionRevalidator } from '../../src/index.js';
import {
  ONE,
  FEE_ADDRESS,
  STRK,
  aPrivateActionWorld,
  aRequest,
} from '../support/private-action-world.js';

let world = aPrivateActionWorld();
let stored: Felts | null = null;
let subject = aRevalidator();
beforeEach(async () => {
  world = aPrivateActionWorld();
  subject = aRevalidator();
  await world.submit(aRequest({ payments: [[FEE_ADDRESS, STRK.address, 3n * ONE]] }));
  stored = world.submissions.accepted[0]?.calldata ?? null;
});

function aRevalidator(): PrivateActionRevalidator {
  const ledger = { calldata: async () => stored };
  return new PrivateActionRevalidator(world.admission, ledger, world.clock);
}

const attempt = (changes: Partial<Attempt> = {}): Attempt => {
  const [accepted] = world.submissions.attempts;
  if (accepted === undefined) throw new Error('nothing was accepted');
  return { ...accepted, acceptedAtMs: world.clock.nowMs() - 60_000, ...changes };
};

describe('PrivateActionRevalidator', () => {
  it('accepts actions that still apply', async () => {
    expect(await subject.rejectionOf(attempt())).toBeNull();
  });

  it('reads nothing for an attempt that was just admitted', async () => {
    const before = world.reads.length;
    await subject.rejectionOf(attempt({ acceptedAtMs: world.clock.nowMs() - 1_000 }));
    expect(world.reads).toHaveLength(before);
  });

  it.each([
    ['other actions took a storage address', { taken: [toFelt(0x11n)] }, 'PRIVATE_ACTIONS_APPLIED'],
    ['the pool was upgraded', { classHash: toFelt('0x9') }, 'PROOF_FACTS_MISMATCH'],
    ['the fee of the pool rose', { feeFri: 1n }, 'FEE_TOO_LOW'],
  ] as const)('rejects actions if %s', async (_what, changes, code) => {
    const { taken = [], ...pool } = { taken: undefined, ...changes };
    world.state.taken = taken;
    world.state.pool = { ...world.state.pool, ...pool };
    expect(await subject.rejectionOf(attempt({ readmit: true }))).toBe(code);
  });

  it('lets actions wait while the pool is paused', async () => {
    world.state.pool = { ...world.state.pool, isPaused: true };
    await expect(subject.rejectionOf(attempt())).rejects.toMatchObject({
      code: 'PRIVACY_POOL_PAUSED',
    });
  });

  it('lets actions wait after a rollback until their base block is old enough', async () => {
    world.state.pool = { ...world.state.pool, headNumber: 149 };
    await expect(subject.rejectionOf(attempt())).rejects.toMatchObject({ code: 'PROOF_TOO_YOUNG' });
  });

  it('leaves the last block to the machine', async () => {
    world.state.pool = { ...world.state.pool, headNumber: 592 };
    expect(await subject.rejectionOf(attempt())).toBeNull();
  });

  it('ignores other kinds, and attempts that were signed', async () => {
    stored = null;
    expect(await subject.rejectionOf(attempt({ kind: 'withdraw' }))).toBeNull();
    expect(await subject.rejectionOf(attempt({ state: 'broadcast' }))).toBeNull();
    await expect(subject.rejectionOf(attempt())).rejects.toThrow('calldata');
  });
});
