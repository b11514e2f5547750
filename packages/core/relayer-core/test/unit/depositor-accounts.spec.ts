import { describe, expect, it } from '@jest/globals';
import { toFelt, type Caller, type Felt } from '@sotto/kernel';
import { ACCOUNT_CLASS, DEPOSITOR, aDepositWorld, from } from '../support/deposit-world.js';
import { NOW_MS } from '../support/world.js';

/** Waits until all work is finished or waits for the test. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
};

/** Creates a gate at which accounts wait until the test opens the gate. */
function aGate(): { readonly done: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { done: promise, open: resolve };
}

const accountAt = (index: number): Felt => toFelt(BigInt(0x51_000 + index));
const HONEST = from('198.51.100.9', '198.51.100.0/24');
/** Returns a caller. Each network has two callers with different addresses. */
const strangerAt = (index: number): Caller =>
  from(`203.0.${Math.floor(index / 2)}.${index % 2}`, `203.0.${Math.floor(index / 2)}.0/24`);

/** Returns a caller in its own /56 network. All these callers are in one /48 network. */
const inOne48 = (index: number): Caller => ({
  name: `2001:db8:1:${index}00::/64`,
  networks: [`2001:db8:1:${index}00::/56`, '2001:db8:1::/48'],
});

/**
 * World with the honest depositor’s account and this many other accounts. The other accounts are
 * funded and respond slowly.
 */
function aSlowWorld(accounts: number, known: readonly Felt[] = []) {
  const world = aDepositWorld({}, known);
  const gate = aGate();
  const slow = Array.from({ length: accounts }, (_, index) => accountAt(index));
  for (const depositor of slow) {
    world.fund(depositor, 100n);
    world.consents.thinkUntil(depositor, gate.done);
    world.consents.missDeadlines(depositor);
  }
  const attack = (index: number, changes: object = {}): Promise<unknown> =>
    world
      .deposit({
        depositor: accountAt(index),
        commitment: BigInt(1_000 + index),
        caller: strangerAt(index),
        ...changes,
      })
      .then(
        () => 'accepted',
        (error: unknown) => Object(error).code,
      );
  return { ...world, gate, attack, slow };
}

describe('DepositorAccounts', () => {
  it('T10: calls at most four accounts at a time and one account per network', async () => {
    const { consents, attack, gate } = aSlowWorld(40);
    const ofOneNetwork = [0, 1, 2, 3].map(async (index) =>
      attack(index, { caller: from(`203.0.113.${index}`, '203.0.113.0/24') }),
    );
    await turns();
    expect(consents.running).toHaveLength(1);
    // The limit applies to the /48 network, regardless of the smaller networks in it.
    const ofOne48 = [36, 37, 38, 39].map(async (index) =>
      attack(index, { caller: inOne48(index) }),
    );
    await turns();
    expect(consents.running).toHaveLength(2);
    const others = Array.from({ length: 32 }, async (_, index) => attack(4 + index));
    await turns();
    expect(consents.running).toHaveLength(4);
    gate.open();
    expect(new Set(await Promise.all([...ofOneNetwork, ...ofOne48, ...others]))).toEqual(
      new Set(['DEPOSIT_SIGNATURE_UNCHECKED']),
    );
  });

  it('T10: a depositor with an unknown account class waits for at most one account call of each waiting network', async () => {
    const { deposit, consents, attack, gate, requested, clock } = aSlowWorld(40);
    const attacks = Array.from({ length: 40 }, async (_, index) => attack(index));
    await turns();
    const honest = deposit({ caller: HONEST });
    await turns();
    expect(consents.running).toHaveLength(4);
    gate.open();
    await Promise.all([honest, ...attacks]);
    // Four calls are already running. Before the honest depositor’s call, each of the 20 networks
    // gets at most one call.
    expect(consents.calls.indexOf(DEPOSITOR)).toBeLessThanOrEqual(4 + 20);
    expect(clock.nowMs()).toBe(NOW_MS);
    // All 40 accounts are now known to be slow, so they are rejected without a call.
    const calls = requested()[1];
    const again = await Promise.all(Array.from({ length: 40 }, async (_, index) => attack(index)));
    expect(new Set(again)).toEqual(new Set(['DEPOSITOR_TOO_SLOW']));
    expect(requested()[1]).toBe(calls);
  });

  it('T10 calls an account of a known class at once, even if attackers have many slow accounts', async () => {
    const { deposit, consents, attack, gate, reader, slow } = aSlowWorld(40, [ACCOUNT_CLASS]);
    for (const depositor of slow)
      reader.setDepositor(depositor, {
        classHash: toFelt('0xbad'),
        balance: 1_000_000n,
        allowance: 1_000_000n,
      });
    const attacks = Array.from({ length: 40 }, async (_, index) => attack(index));
    await turns();
    await deposit({ caller: HONEST });
    expect(consents.running).toHaveLength(4);
    gate.open();
    await Promise.all(attacks);
  });

  it('T10 makes only one account call at a time per caller and per depositor', async () => {
    const { consents, attack, gate } = aSlowWorld(3);
    const caller = strangerAt(0);
    const ofCaller = [0, 1].map(async (index) => attack(index, { caller }));
    await turns();
    expect(consents.running).toHaveLength(1);
    const ofDepositor = [2, 2, 2].map(async (index, place) =>
      attack(index, { commitment: BigInt(place + 1), caller: strangerAt(10 + place) }),
    );
    await turns();
    expect(consents.running.map(({ depositor }) => depositor)).toEqual([
      accountAt(0),
      accountAt(2),
    ]);
    gate.open();
    await Promise.all(ofCaller);
    // The first call missed its deadline. Therefore the account is not called again for requests of
    // the first caller’s network.
    expect(await Promise.all(ofDepositor)).toEqual([
      'DEPOSIT_SIGNATURE_UNCHECKED',
      'DEPOSITOR_TOO_SLOW',
      'DEPOSIT_SIGNATURE_UNCHECKED',
    ]);
  });

  it('T10: a depositor’s request is not delayed by another caller’s forged request that timed out', async () => {
    const { deposit, consents, fund } = aDepositWorld();
    fund(DEPOSITOR, 10n);
    consents.missDeadlines(DEPOSITOR);
    const forged = { commitment: 2n, caller: strangerAt(0) };
    await expect(deposit(forged)).rejects.toMatchObject({ code: 'DEPOSIT_SIGNATURE_UNCHECKED' });
    consents.missDeadlines(DEPOSITOR, false);
    // Only requests from the stranger’s network must wait, because that network sent the forged
    // signature.
    for (const index of [0, 1])
      await expect(deposit({ ...forged, caller: strangerAt(index) })).rejects.toMatchObject({
        code: 'DEPOSITOR_TOO_SLOW',
        retryAfterSeconds: 60,
      });
    await deposit({ caller: HONEST });
  });

  it('T10: queues only a few requests of each network, and rejects further requests at once', async () => {
    const { attack, gate } = aSlowWorld(1);
    const codes: unknown[] = [];
    const attacks = Array.from({ length: 60 }, async (_, index) => {
      const caller = from(`203.0.113.${index % 3}`, '203.0.113.0/24');
      codes.push(await attack(0, { commitment: BigInt(1_000 + index), caller }));
    });
    await turns();
    // One request runs and sixteen requests wait; the others are rejected.
    expect(codes).toEqual(Array.from({ length: 60 - 17 }, () => 'OVERLOADED'));
    gate.open();
    await Promise.all(attacks);
  });

  it('T10: account calls remain possible for other depositors while twenty networks send requests for one slow account', async () => {
    const { deposit, consents, attack, gate } = aSlowWorld(1);
    const attacks = Array.from({ length: 20 }, async (_, index) =>
      attack(0, { commitment: BigInt(1_000 + index), caller: strangerAt(2 * index) }),
    );
    await turns();
    expect(consents.running).toHaveLength(1);
    await deposit({ caller: HONEST });
    gate.open();
    expect(new Set(await Promise.all(attacks))).toEqual(new Set(['DEPOSIT_SIGNATURE_UNCHECKED']));
  });

  it('T10: a failed check is counted only for its caller, whose thirteenth request is rejected', async () => {
    const { deposit, clock, requested, fund, sign } = aDepositWorld();
    const stranger = strangerAt(0);
    fund(DEPOSITOR, 1_000n);
    const forged = { commitment: 2n, caller: stranger };
    for (let count = 0; count < 12; count += 1)
      await expect(deposit(forged)).rejects.toMatchObject({ code: 'DEPOSIT_SIGNATURE_INVALID' });
    await expect(deposit(forged)).rejects.toMatchObject({
      code: 'DEPOSITS_RATIONED',
      details: { scope: 'caller' },
      retryAfterSeconds: 3_600,
    });
    expect(requested()[1]).toBe(12);
    // Another address of the stranger’s network may still make a deposit, for the same depositor.
    await deposit({ caller: strangerAt(1) });
    clock.pass(3_600_001);
    sign(3n, DEPOSITOR, NOW_MS + 7_000_000);
    await deposit({ commitment: 3n, caller: stranger, expiresAtMs: NOW_MS + 7_000_000 });
  });

  it('T10: checks the hourly limits again immediately before a depositor’s account is called', async () => {
    const world = aDepositWorld({ perPool: 1 });
    const { deposit, consents, fund, sign } = world;
    const gate = aGate();
    const [slow, other] = [accountAt(1), accountAt(2)];
    fund(slow, 1n);
    fund(other, 1n);
    consents.thinkUntil(slow, gate.done);
    const first = deposit({ depositor: slow, commitment: 2n, caller: HONEST });
    const second = deposit({ caller: HONEST });
    await turns();
    sign(3n, other);
    await deposit({ depositor: other, commitment: 3n, caller: strangerAt(0) });
    gate.open();
    await expect(first).rejects.toMatchObject({ code: 'DEPOSIT_SIGNATURE_INVALID' });
    await expect(second).rejects.toMatchObject({ code: 'DEPOSITS_RATIONED' });
    expect(consents.calls).toEqual([slow, other]);
  });
});
