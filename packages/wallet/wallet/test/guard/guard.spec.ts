import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  createNote,
  Withdrawal,
  type GuardCode,
  type Note,
  type WalletStorage,
} from '../../src/advanced.js';
import { FakePool } from '../../src/testing/index.js';
import { readAll } from '../support/read-all.js';
import { codesIn, DEPOSITOR, GuardWorld, lastOf, RECIPIENT } from '../support/guard-world.js';
import { letPass, passTime } from '../support/virtual-time.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const OTHER = '0x7beef00000000000000000000000000000000000000000000000000000beef';

let world: GuardWorld;
beforeEach(() => {
  jest.useFakeTimers();
  world = new GuardWorld();
});
afterEach(() => void jest.useRealTimers());

/** Withdraws another note to the recipient, so that the recipient is used. */
async function useRecipient(): Promise<void> {
  expect((await world.end(world.seed())).type).toBe('settled');
}

/** Storage that delays the write of the first admission, and all later writes, until `proceed`. */
class SlowStorage implements WalletStorage {
  readonly admitting: Promise<void>;
  proceed: () => void = () => undefined;
  readonly #storage: WalletStorage;
  readonly #proceeds = new Promise<void>((resolve) => (this.proceed = resolve));
  #isSlow = false;
  #admit: () => void = () => undefined;

  constructor(storage: WalletStorage) {
    this.#storage = storage;
    this.admitting = new Promise((resolve) => (this.#admit = resolve));
  }

  async read(key: string): Promise<string | undefined> {
    return this.#storage.read(key);
  }

  async replace(key: string, expected: string | undefined, next: string | undefined) {
    if (!this.#isSlow && next?.includes('"by":"guard"') === true) {
      this.#isSlow = true;
      this.#admit();
    }
    if (this.#isSlow) await this.#proceeds;
    return this.#storage.replace(key, expected, next);
  }

  async keys(prefix: string): Promise<readonly string[]> {
    return this.#storage.keys(prefix);
  }
}

describe('the guard', () => {
  const cases: readonly (readonly [GuardCode, () => Promise<Note>, object, string])[] = [
    ['CROWD_TOO_SMALL', async () => world.seed(2), { size: 2, minimum: 3 }, RECIPIENT],
    [
      'TOO_SOON',
      async () => (await world.deposit()).note,
      { untilMs: expect.any(Number) },
      RECIPIENT,
    ],
    [
      'RECIPIENT_IS_DEPOSITOR',
      async () => {
        const note = world.seed();
        await world.recordDeposit(note);
        return note;
      },
      {},
      DEPOSITOR,
    ],
    [
      'RECIPIENT_REUSED',
      async () => {
        await useRecipient();
        return world.seed();
      },
      { usedBy: 'withdrawal' },
      RECIPIENT,
    ],
  ];

  it.each(cases)(
    'the guard refuses a withdrawal with %s, and its values',
    async (code, stage, values, recipient) => {
      const note = await stage();
      const before = world.chain.transactions.length;
      const event = await world.end(note, { recipient });
      expect(event).toMatchObject({
        type: 'failed',
        error: { code, refusals: [{ code, ...values }], message: expect.any(String) },
      });
      expect(world.chain.transactions).toHaveLength(before);
      expect(JSON.stringify(event)).not.toContain(recipient.slice(4));
    },
  );

  it.each(cases)(
    'the guard admits a withdrawal with %s if the caller overrides it by name',
    async (code, stage, _values, recipient) => {
      const note = await stage();
      expect(codesIn(await world.end(note, { recipient }))).toEqual([code]);
      expect((await world.end(note, { recipient, allow: [code] })).type).toBe('settled');
    },
  );

  it.each(cases)(
    'the overrides of all other refusals do not admit a withdrawal with %s',
    async (code, stage, _values, recipient) => {
      const note = await stage();
      const all: readonly GuardCode[] = cases.map(([name]) => name);
      const allow = all.filter((name) => name !== code);
      expect(codesIn(await world.end(note, { recipient, allow }))).toEqual([code]);
    },
  );

  it('the guard reports all refusals at once', async () => {
    const { note } = await world.deposit(2);
    await world.recordDeposit(note);
    await world.recordDeposit(createNote());
    expect(codesIn(await world.end(note, { recipient: DEPOSITOR }))).toEqual([
      'CROWD_TOO_SMALL',
      'TOO_SOON',
      'RECIPIENT_IS_DEPOSITOR',
      'RECIPIENT_REUSED',
    ]);
  });

  it('the guard admits a withdrawal from the time that the refusal names', async () => {
    const { note, atMs } = await world.deposit();
    const event = await world.end(note);
    expect(event).toMatchObject({
      error: { code: 'TOO_SOON', retry: 'later', refusals: [{ untilMs: atMs + HOUR_MS }] },
    });
    await letPass(atMs + HOUR_MS - Date.now() - 1_000);
    expect(codesIn(await world.end(note))).toEqual(['TOO_SOON']);
    await letPass(1_000);
    expect((await world.end(note)).type).toBe('settled');
  });

  it('the guard admits an address that only a refused withdrawal of another note names', async () => {
    expect(codesIn(await world.end(world.seed(2)))).toEqual(['CROWD_TOO_SMALL']);
    expect((await world.end(world.seed())).type).toBe('settled');
  });

  it('the guard does not count the repeats of one withdrawal as a reuse of its address', async () => {
    const note = world.seed();
    world.relayer.fee = 200n;
    expect((await world.end(note)).type).toBe('needs-new-quote');
    expect((await world.end(note, { maxFee: 200n })).type).toBe('settled');
  });
});

describe('the bounds of the guard', () => {
  it('a higher minimum of the caller holds for a repeat that does not name it', async () => {
    const note = world.seed(3);
    const refused = { refusals: [{ code: 'CROWD_TOO_SMALL', size: 3, minimum: 5 }] };
    expect(await world.end(note, { bounds: { leastCrowd: 5 } })).toMatchObject({ error: refused });
    expect(await world.end(note)).toMatchObject({ error: refused });
    expect((await world.end(note, { allow: ['CROWD_TOO_SMALL'] })).type).toBe('settled');
  });

  it('a lower minimum of the caller has no effect', async () => {
    const { note } = await world.deposit(2);
    const bounds = { leastCrowd: 1, leastAgeMs: 0 };
    expect(codesIn(await world.end(note, { bounds }))).toEqual(['CROWD_TOO_SMALL', 'TOO_SOON']);
  });

  it('an override holds after a reload at which the caller does not name it', async () => {
    const note = world.seed(1);
    world.chain.isReachable = false;
    const withdrawal = world.begin(note, { allow: ['CROWD_TOO_SMALL'] });
    const reading = async (): Promise<void> => {
      for await (const { type } of withdrawal.events()) if (type === 'waiting') return;
    };
    await passTime(reading());
    world.chain.isReachable = true;
    const means = { note, ...world.means() };
    const resumed = await Withdrawal.resume(world.storage, withdrawal.id, means);
    expect((await lastOf(resumed)).type).toBe('settled');
  });

  it('an override applies only to its own withdrawal', async () => {
    expect((await world.end(world.seed(1), { allow: ['CROWD_TOO_SMALL'] })).type).toBe('settled');
    expect(codesIn(await world.end(world.seed(1), { recipient: OTHER }))).toEqual([
      'CROWD_TOO_SMALL',
    ]);
  });

  it('an override does not hold for another recipient of the same note', async () => {
    await useRecipient();
    const note = world.seed();
    world.relayer.fee = 200n;
    const allow: readonly GuardCode[] = ['RECIPIENT_REUSED'];
    expect((await world.end(note, { allow })).type).toBe('needs-new-quote');
    world.relayer.fee = 20n;
    await world.recordDeposit(createNote());
    expect(codesIn(await world.end(note, { recipient: DEPOSITOR }))).toEqual(['RECIPIENT_REUSED']);
  });

  it('an admitted withdrawal is not refused when it resumes', async () => {
    const note = world.seed();
    world.relayer.isAccepting = false;
    const withdrawal = world.begin(note);
    const reading = async (): Promise<void> => {
      for await (const event of withdrawal.events())
        if (event.type === 'waiting' && event.error.code === 'NO_USABLE_RELAYER') return;
    };
    await passTime(reading());
    // The recipient is now also used by another note, with an override.
    const other = world.seed();
    world.relayer.isAccepting = true;
    expect(codesIn(await world.end(other))).toEqual(['RECIPIENT_REUSED']);
    expect((await world.end(other, { allow: ['RECIPIENT_REUSED'] })).type).toBe('settled');
    const means = { note, ...world.means() };
    const resumed = await Withdrawal.resume(world.storage, withdrawal.id, means);
    expect((await lastOf(resumed)).type).toBe('settled');
    expect(world.paid).toBe(2);
  });
});

describe('two tabs', () => {
  it('two withdrawals that start at once do not both pay one address', async () => {
    for (let round = 0; round < 8; round += 1) {
      world = new GuardWorld();
      const notes = [world.seed(), world.seed(), world.seed()];
      const ends = await passTime(
        Promise.all(notes.map((note) => readAll(world.begin(note).events()))),
        100_000_000,
      );
      const codes = ends.map((events) => events.slice(-1).flatMap(codesIn).join());
      expect(codes.toSorted()).toEqual(['RECIPIENT_REUSED', 'RECIPIENT_REUSED', 'settled']);
      expect(world.paid).toBe(1);
    }
  });

  it('a tab whose machine slept between check and admission checks again', async () => {
    const storage = new SlowStorage(world.storage);
    const sleeping = readAll(world.begin(world.seed(), { storage }).events());
    await storage.admitting;
    // The machine wakes: its clock has advanced, and the turn's lease has expired.
    jest.setSystemTime(Date.now() + MINUTE_MS);
    const awake = readAll(world.begin(world.seed()).events());
    await letPass(5_000);
    storage.proceed();
    const [one, other] = await passTime(Promise.all([sleeping, awake]), 100_000_000);
    expect(one.at(-1)).toMatchObject({ type: 'failed', error: { code: 'RECIPIENT_REUSED' } });
    expect(other.at(-1)?.type).toBe('settled');
    expect(world.paid).toBe(1);
  });

  it('an admission that the storage writes after its timeout is checked again by the next run', async () => {
    const storage = new SlowStorage(world.storage);
    const note = world.seed();
    const withdrawal = world.begin(note, { storage });
    await expect(lastOf(withdrawal)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect((await world.end(world.seed())).type).toBe('settled');
    storage.proceed();
    await letPass(1_000);
    const late = await world.storage.read(`sotto/withdrawal/${withdrawal.id}`);
    expect(late).toContain('"isConfirmed":false');
    const means = { note, ...world.means() };
    const resumed = await Withdrawal.resume(world.storage, withdrawal.id, means);
    expect(codesIn(await lastOf(resumed))).toEqual(['RECIPIENT_REUSED']);
    expect(world.paid).toBe(1);
  });
});

describe('clocks, nodes and storages that are wrong', () => {
  it.each([
    ['fast', HOUR_MS],
    ['slow', -HOUR_MS],
  ])(
    'a machine’s clock that is an hour %s does not change the minimum age',
    async (_name, errorMs) => {
      world.chain.clockErrorMs = -errorMs;
      const { note } = await world.deposit();
      await world.recordDeposit(note, OTHER, Date.now());
      expect(codesIn(await world.end(note))).toEqual(['TOO_SOON']);
      await letPass(HOUR_MS + 10_000);
      expect((await world.end(note)).type).toBe('settled');
    },
  );

  it('a clock that is set forward by an hour after the deposit does not shorten the age', async () => {
    const { note } = await world.deposit();
    await world.recordDeposit(note, OTHER, Date.now());
    const frozenMs = Date.now();
    world.chain.nowMs = () => frozenMs;
    jest.setSystemTime(Date.now() + HOUR_MS);
    expect(codesIn(await world.end(note))).toEqual(['TOO_SOON']);
  });

  it('a node that reports old deposits does not shorten the age of this wallet’s deposit', async () => {
    const { note } = await world.deposit();
    await world.recordDeposit(note, OTHER, Date.now());
    for (const [index, leaf] of world.chain.leaves.entries())
      world.chain.leaves[index] = { ...leaf, atMs: 0 };
    expect(codesIn(await world.end(note))).toEqual(['TOO_SOON']);
  });

  it('a node whose blocks have future times does not shorten the age of this wallet’s deposit', async () => {
    const { note } = await world.deposit();
    await world.recordDeposit(note, OTHER, Date.now());
    world.chain.nowMs = () => Date.now() + 24 * HOUR_MS;
    expect(codesIn(await world.end(note))).toEqual(['TOO_SOON']);
  });

  it('a node that reports a deposit of the future delays the withdrawal by the minimum age only', async () => {
    const { note } = await world.deposit();
    world.chain.nowMs = () => 1_000;
    const beganMs = Date.now();
    const event = await world.end(note);
    const [refusal] = event.type === 'failed' ? (event.error.refusals ?? []) : [];
    const untilMs = refusal?.code === 'TOO_SOON' ? refusal.untilMs : null;
    expect(untilMs).toBeGreaterThanOrEqual(beganMs + HOUR_MS);
    expect(untilMs).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  });

  it('the guard refuses a deposit without any known time, unless the caller overrides it', async () => {
    const note = world.seed();
    const pool = new FakePool(world.chain);
    const placeOf = pool.placeOf.bind(pool);
    pool.placeOf = (commitment) => {
      const place = placeOf(commitment);
      return place && { ...place, depositedAtMs: undefined };
    };
    expect(await world.end(note, { pool })).toMatchObject({
      error: { refusals: [{ code: 'TOO_SOON', untilMs: null }] },
    });
    expect((await world.end(note, { pool, allow: ['TOO_SOON'] })).type).toBe('settled');
  });

  it.each([
    '',
    '{',
    'null',
    '{"format":2}',
    '{"format":1,"revision":0,"lease":null,"entry":{}}',
    '{"format":1,"revision":0,"lease":null,"entry":{"chainId":"0x1","recipient":7}}',
    `{"format":1,"revision":0,"lease":null,"entry":{"chainId":"0x1","commitment":"0x1","recipient":"0xzz"}}`,
  ])(
    'a damaged record %j counts as a use of every address, which the caller may override',
    async (text) => {
      await world.storage.replace('sotto/withdrawal/1-2-3', undefined, text);
      const note = world.seed();
      expect(await world.end(note)).toMatchObject({
        error: { refusals: [{ code: 'RECIPIENT_REUSED', usedBy: 'unreadable' }] },
      });
      expect((await world.end(note, { allow: ['RECIPIENT_REUSED'] })).type).toBe('settled');
    },
  );

  it.each([
    '',
    '{}',
    'null',
    '{"format":1,"revision":0,"lease":{"holder":"x","untilMs":"never"},"entry":{}}',
    '{"format":1,"revision":0,"lease":{"holder":"x","untilMs":1e300},"entry":{}}',
  ])('a damaged record %j of the guard’s turn does not block withdrawals', async (text) => {
    const key = `sotto/guard/${BigInt(world.chain.chainId).toString(16)}`;
    await world.storage.replace(key, undefined, text);
    expect((await world.end(world.seed())).type).toBe('settled');
  });

  it('damaged terms of a stored withdrawal admit nothing', async () => {
    const note = world.seed(1);
    world.chain.isReachable = false;
    const withdrawal = world.begin(note);
    const reading = async (): Promise<void> => {
      for await (const { type } of withdrawal.events()) if (type === 'waiting') return;
    };
    await passTime(reading());
    world.chain.isReachable = true;
    const key = `sotto/withdrawal/${withdrawal.id}`;
    const text = (await world.storage.read(key)) ?? '';
    for (const damage of [
      { guard: 7 },
      { guard: { allow: 'all', leastCrowd: null } },
      { guard: null },
    ]) {
      const stored = JSON.parse(text);
      const next = JSON.stringify({
        ...stored,
        lease: null,
        entry: { ...stored.entry, ...damage },
      });
      await world.storage.replace(key, await world.storage.read(key), next);
      const resumed = await Withdrawal.resume(world.storage, withdrawal.id, {
        note,
        ...world.means(),
      });
      expect(codesIn(await lastOf(resumed))).toEqual(['CROWD_TOO_SMALL']);
    }
  });

  it('a relayer that reports a code of the guard is reported without refusals of the guard', async () => {
    world.relayer.fault = (path) =>
      path.endsWith('/withdraw')
        ? { code: 'CROWD_TOO_SMALL', retry: 'never', status: 422 }
        : undefined;
    const event = await world.end(world.seed());
    expect(event).toMatchObject({ type: 'failed', error: { code: 'CROWD_TOO_SMALL' } });
    expect(event).not.toHaveProperty('error.refusals');
  });
});
