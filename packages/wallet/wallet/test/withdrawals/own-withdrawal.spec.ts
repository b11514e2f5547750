import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  createNote,
  ownWithdrawal,
  type AccountCall,
  type Note,
  type OwnWithdrawal,
  type OwnWithdrawalOptions,
} from '../../src/advanced.js';
import { FakeSwapPoolView, readFakeProof } from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';
import { codesIn, DEPOSITOR, GuardWorld, RECIPIENT } from '../support/guard-world.js';
import { readAll } from '../support/read-all.js';
import { SwapWorld } from '../support/swap-world.js';
import { letPass, passTime } from '../support/virtual-time.js';

let world: GuardWorld;
beforeEach(() => {
  jest.useFakeTimers();
  world = new GuardWorld();
  // Every relayer is down.
  world.relayer.fault = () => 'lost';
});
afterEach(() => void jest.useRealTimers());

function build(note: Note, changes: Partial<OwnWithdrawalOptions> = {}): Promise<OwnWithdrawal> {
  const { pool, prover } = world.means();
  const terms = { recipient: RECIPIENT, storage: world.storage, note, pool, prover };
  return ownWithdrawal({ ...terms, allow: ['SENDER_IS_PUBLIC'], ...changes });
}

/** Sends the call from the user's account. */
function execute({ calldata }: AccountCall): void {
  const { nullifierHash, recipient } = readFakeProof(calldata);
  world.chain.withdraw(nullifierHash, recipient);
}

const untyped = (value: unknown): OwnWithdrawalOptions['allow'] => Object(value);

describe('an own withdrawal', () => {
  it('builds the pool’s withdraw call, whose proof pays the recipient and no fee', async () => {
    const note = world.seed();
    const { call, admittedBy, warnings } = await build(note);
    expect(call).toMatchObject({ contractAddress: world.chain.pool, entrypoint: 'withdraw' });
    expect(readFakeProof(call.calldata)).toEqual({
      nullifierHash: note.nullifierHash,
      recipient: BigInt(RECIPIENT),
      relayer: BigInt(RECIPIENT),
      fee: 0n,
    });
    expect([admittedBy, warnings]).toEqual(['self-relay', []]);
    expect(world.relayer.requests).toEqual([]);
    execute(call);
    expect(world.paid).toBe(1);
  });

  it.each([[], undefined, 'SENDER_IS_PUBLIC', ['CROWD_TOO_SMALL'], [true]])(
    'rejects the acknowledgement %j',
    async (allow) => {
      const note = world.seed();
      expect(await codeOf(() => build(note, { allow: untyped(allow) }))).toBe('SENDER_IS_PUBLIC');
      expect(world.prover.proofs).toBe(0);
    },
  );

  it('builds the call against the guard, whose refusals are warnings', async () => {
    const { note } = await world.deposit(2);
    await world.recordDeposit(note);
    await world.recordDeposit(createNote());
    const { admittedBy, warnings } = await build(note, { recipient: DEPOSITOR });
    expect(admittedBy).toBe('self-relay');
    expect(warnings.map(({ code }) => code)).toEqual([
      'CROWD_TOO_SMALL',
      'TOO_SOON',
      'RECIPIENT_IS_DEPOSITOR',
      'RECIPIENT_REUSED',
    ]);
  });

  it('stores its recipient as used, and neither nullifier, secret nor proof of the note', async () => {
    const note = world.seed();
    const { call } = await build(note);
    const keys = await world.storage.keys('');
    const texts = await Promise.all(keys.map((key) => world.storage.read(key)));
    for (const secret of [note.nullifier, note.secret])
      expect(texts.join('')).not.toContain(secret.toString(16));
    expect(texts.join('')).not.toContain(`"${call.calldata[0]}"`);
    world.relayer.fault = () => undefined;
    expect(codesIn(await world.end(world.seed()))).toEqual(['RECIPIENT_REUSED']);
  });

  it.each([
    ['RECIPIENT_MALFORMED', '0x0'],
    ['RECIPIENT_UNSPENDABLE', '0x1234'],
  ])('rejects an invalid recipient: %s', async (code, recipient) => {
    expect(await codeOf(() => build(world.seed(), { recipient }))).toBe(code);
  });

  it('rejects a note that is spent, not deposited or without batch', async () => {
    expect(await codeOf(() => build(createNote()))).toBe('NOTE_NOT_DEPOSITED');
    const waiting = createNote();
    world.chain.deposit(waiting.commitment);
    await letPass(10_000);
    expect(await codeOf(() => build(waiting))).toBe('NOTE_WAITS_FOR_BATCH');
    const spent = world.seed();
    world.chain.withdraw(spent.nullifierHash, 1n);
    await letPass(10_000);
    expect(await codeOf(() => build(spent))).toBe('NOTE_SPENT');
  });

  it('a signal aborts the proof', async () => {
    const note = world.seed();
    const reason = new Error('the page is closed');
    const signal = AbortSignal.abort(reason);
    await expect(build(note, { signal })).rejects.toBe(reason);
  });

  it('settles a relayed withdrawal to the same recipient, whose relayers are down', async () => {
    const note = world.seed();
    const relayed = readAll(world.begin(note).events());
    await letPass(60_000);
    execute((await build(note)).call);
    const events = await passTime(relayed);
    expect(events.at(-1)?.type).toBe('settled');
    expect(world.paid).toBe(1);
  });

  it('withdraws a swapped note from the swap pool', async () => {
    const { swapChain } = new SwapWorld();
    const note = createNote();
    swapChain.leaves.push({ commitment: note.commitment, atMs: 0 });
    const { call } = await build(note, { pool: new FakeSwapPoolView(swapChain) });
    expect(call.contractAddress).toBe(swapChain.pool);
  });
});

describe('an own withdrawal of a note at risk', () => {
  it('builds the call while the kit waits for relayers that are down, and ends the swap as withdrawn', async () => {
    const swaps = new SwapWorld();
    swaps.first.isPriceMoving = true;
    const reading = (async () => {
      const events = [];
      for await (const event of swaps.begin().events()) {
        events.push(event.type);
        if (event.type === 'reverted')
          for (const relayer of swaps.relayers) relayer.fault = () => 'lost';
      }
      return events;
    })();
    await letPass(120_000);
    const { pool, prover } = swaps.means();
    const { note, storage } = swaps;
    const recipient = RECIPIENT;
    const { call, admittedBy } = await ownWithdrawal({
      note,
      pool,
      prover,
      storage,
      recipient,
      allow: ['SENDER_IS_PUBLIC'],
    });
    expect(admittedBy).toBe('at-risk');
    const proof = readFakeProof(call.calldata);
    swaps.chain.withdraw(proof.nullifierHash, proof.recipient);
    const events = await passTime(reading);
    expect(events.at(-1)).toBe('withdrawn');
    expect(swaps.chain.paymentsTo(BigInt(RECIPIENT))).toBe(1);
  });
});
