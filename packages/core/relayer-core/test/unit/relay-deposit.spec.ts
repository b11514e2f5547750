import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { DEPOSIT_LIMITS, spentNote, type RelayDepositInput } from '../../src/index.js';
import {
  ACCOUNT_CLASS,
  DENOMINATION,
  DEPOSITOR,
  RELAY_ACCOUNT,
  aDepositWorld,
  depositPool,
  depositsFrom,
  from,
  secondPool,
  times,
  type DepositWorld,
} from '../support/deposit-world.js';
import { spoiled } from '../support/spoiled-deposits.js';
import { NOW_MS, policy, pool } from '../support/world.js';

const OTHER = toFelt('0xb0b');

const waits = (retryAfterSeconds: number): object => ({
  code: 'DEPOSITOR_TOO_SLOW',
  retryAfterSeconds,
});

describe('RelayDeposit', () => {
  it('S5: submits the deposit after the depositor’s account has accepted the consent', async () => {
    const { deposit, submissions, simulator, requested } = aDepositWorld();
    expect(await deposit()).toMatchObject({
      submissionId: 'attempt-1',
      answer: { kind: 'pending' },
      leafIndex: null,
      batch: null,
    });
    expect(requested()).toEqual([1, 1, 1, 1]);
    const call = { to: pool.address, entrypoint: 'deposit' };
    expect(submissions.accepted).toMatchObject([
      {
        key: `${policy.chainId}|${pool.address}|deposit|0x1`,
        role: 'relay',
        target: call,
        limits: DEPOSIT_LIMITS,
        terms: null,
        replayProtected: true,
        sendWithinMs: 600_000,
      },
    ]);
    expect(submissions.accepted[0]?.calldata.toHex()).toEqual(['0x1', '0x0', DEPOSITOR]);
    expect(simulator.simulated).toMatchObject([{ ...call, as: RELAY_ACCOUNT }]);
    const [attempt] = submissions.attempts;
    expect(attempt).toMatchObject({ kind: 'deposit', subject: pool.address, memo: '0x1' });
    expect(attempt && spentNote(attempt)).toBeNull();
  });

  it('key and fingerprint of a deposit do not contain the depositor’s address', async () => {
    const { deposit, submissions } = aDepositWorld();
    await deposit();
    const [{ key, fingerprint, memo } = { key: '', fingerprint: '', memo: '' }] =
      submissions.accepted;
    expect(`${key} ${fingerprint} ${memo}`).not.toContain(DEPOSITOR.slice(2));
  });

  it('returns leaf and batch once the deposit is on chain, and leaf -1 if the deposit reverted', async () => {
    const { deposit, submissions, landed } = aDepositWorld();
    await deposit();
    submissions.execute('attempt-1', 'SUCCEEDED');
    const answered = await deposit();
    expect(answered).toMatchObject({ answer: { kind: 'pending' }, leafIndex: null });
    const transactionHash =
      answered.answer.kind === 'pending' ? answered.answer.transactionHash : null;
    const batch = { id: 2, start: 6, size: 3 };
    landed.setDeposit(pool.address, transactionHash ?? toFelt('0x0'), {
      commitment: 1n,
      leafIndex: 8,
      batch,
    });
    expect(await deposit()).toMatchObject({
      answer: { kind: 'executed', execution: 'SUCCEEDED' },
      leafIndex: 8,
      batch,
    });

    const reverted = aDepositWorld();
    reverted.submissions.executeAll('REVERTED');
    expect(await reverted.deposit()).toMatchObject({
      answer: { execution: 'REVERTED' },
      leafIndex: -1,
      batch: null,
    });
  });

  it('returns the same submission for an equal deposit request, even if the signature differs', async () => {
    const { deposit, submissions, landed, clock, requested } = aDepositWorld();
    await deposit();
    const before = requested();
    expect(await deposit({ signature: Felts.of([9n]), expiresAtMs: 0 })).toMatchObject({
      submissionId: 'attempt-1',
    });
    submissions.execute('attempt-1', 'SUCCEEDED');
    landed.setDeposit(pool.address, toFelt('0x0'), { commitment: 1n, leafIndex: 8, batch: null });
    clock.pass(7_200_000);
    expect(await deposit()).toMatchObject({ submissionId: 'attempt-1' });
    expect(requested()).toEqual(before);
  });

  it('begins a new attempt of a deposit after an attempt that ended without success', async () => {
    const { deposit, submissions } = aDepositWorld();
    await deposit();
    submissions.end('attempt-1', 'refused', 'ALLOWANCE');
    expect(await deposit()).toMatchObject({ submissionId: 'attempt-2' });
  });

  it('rejects a deposit with a commitment that another depositor’s deposit already uses', async () => {
    const { deposit, submissions, sign, fund } = aDepositWorld();
    sign(1n, OTHER);
    fund(OTHER, 1n);
    await deposit();
    await expect(deposit({ depositor: OTHER })).rejects.toMatchObject({
      code: 'DEPOSIT_IN_PROGRESS',
      kind: 'conflict',
      details: {},
    });
    submissions.execute('attempt-1', 'SUCCEEDED');
    await expect(deposit({ depositor: OTHER })).rejects.toMatchObject({
      code: 'DEPOSIT_EXISTS',
      kind: 'conflict',
    });
  });

  it.each(spoiled)(
    'rejects a deposit with $code, and makes no reads after the failed check',
    async ({ code, requested, spoil }) => {
      const world = aDepositWorld();
      const changes = (await spoil(world)) ?? {};
      await expect(world.deposit(changes)).rejects.toMatchObject({ code });
      expect(world.requested()).toEqual(requested);
    },
  );

  it('reports only the first failed check in the fixed order of the deposit checks', async () => {
    const wrong: string[] = [];
    for (const [index, first] of spoiled.entries()) {
      for (const second of spoiled.slice(index + 1)) {
        const world = aDepositWorld();
        const later = (await second.spoil(world)) ?? {};
        const earlier = (await first.spoil(world)) ?? {};
        const changes = { ...later, ...earlier };
        const code = await world.deposit(changes).then(
          () => 'accepted',
          (error: unknown) => String(Reflect.get(Object(error), 'code')),
        );
        if (code !== first.code) wrong.push(`${first.code} before ${second.code}: ${code}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    [
      'a commitment of the field’s order',
      {
        commitment: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
      },
      'COMMITMENT_INVALID',
    ],
    [
      'an address that no contract has',
      { depositor: toFelt(2n ** 251n) },
      'DEPOSITOR_NOT_DEPLOYED',
    ],
    ['the zero address', { depositor: toFelt('0x0') }, 'DEPOSITOR_NOT_DEPLOYED'],
    ['no signature', { signature: Felts.of([]) }, 'DEPOSIT_SIGNATURE_INVALID'],
    [
      'a signature without end',
      { signature: Felts.of(Array.from({ length: 129 }, () => 1n)) },
      'DEPOSIT_SIGNATURE_INVALID',
    ],
    [
      'a consent for more than an hour',
      { expiresAtMs: NOW_MS + 3_601_000 },
      'DEPOSIT_EXPIRY_TOO_FAR',
    ],
  ] as const)('rejects a deposit with %s before any read', async (_what, changes, code) => {
    const { deposit, requested } = aDepositWorld();
    await expect(deposit(changes)).rejects.toMatchObject({ code });
    expect(requested()).toEqual([0, 0, 0, 0]);
  });

  it('T10: an account that missed a deadline is not called for one minute, and for two minutes after a second missed deadline', async () => {
    const { deposit, consents, clock, requested } = aDepositWorld();
    consents.missDeadlines(DEPOSITOR);
    const late = { code: 'DEPOSIT_SIGNATURE_UNCHECKED', kind: 'timeout' };
    await expect(deposit()).rejects.toMatchObject(late);
    await expect(deposit()).rejects.toMatchObject(waits(60));
    clock.pass(60_000);
    await expect(deposit()).rejects.toMatchObject(late);
    clock.pass(119_001);
    await expect(deposit()).rejects.toMatchObject(waits(1));
    expect(requested()).toEqual([4, 2, 0, 0]);
    clock.pass(999);
    consents.missDeadlines(DEPOSITOR, false);
    await deposit();
  });

  it('rethrows the error of a failed read, and writes nothing', async () => {
    for (const spoil of [
      ({ reader }: DepositWorld) => reader.failReads(),
      ({ consents }: DepositWorld) => consents.fail(),
      ({ simulator }: DepositWorld) => simulator.fail(),
      ({ store }: DepositWorld) => store.fail(),
    ]) {
      const world = aDepositWorld();
      spoil(world);
      await expect(world.deposit()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
      expect(world.submissions.attempts).toEqual([]);
    }
  });

  it('concurrent deposits of one depositor can’t use the same allowance twice', async () => {
    const { deposit, sign, fund, submissions } = aDepositWorld();
    fund(DEPOSITOR, 2n);
    const commitments = [1n, 2n, 3n, 4n];
    for (const commitment of commitments) sign(commitment);
    const ended = await Promise.allSettled(
      commitments.map((commitment) => deposit({ commitment })),
    );
    expect(ended.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    const rejections = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(rejections).toMatchObject([
      { code: 'DEPOSIT_BALANCE_TOO_LOW' },
      { code: 'DEPOSIT_BALANCE_TOO_LOW' },
    ]);
    expect(submissions.accepted).toHaveLength(2);
  });

  it('accepts a deposit when the chain already contains the depositor’s last deposit, which the ledger has not settled', async () => {
    for (const served of [pool, secondPool]) {
      const { deposit, sign, fund, reader, submissions } = aDepositWorld();
      fund(DEPOSITOR, 4n);
      sign(2n, DEPOSITOR, NOW_MS + 600_000, served);
      await deposit({ commitment: 2n, poolAddress: served.address });
      reader.setDepositPool(served.address, {
        ...depositPool,
        denomination: served === pool ? DENOMINATION : 2n * DENOMINATION,
        nextIndex: 8,
        commitments: [77n, 2n],
      });
      fund(DEPOSITOR, 1n);
      expect(await deposit()).toMatchObject({ submissionId: 'attempt-2' });
      expect(submissions.accepted).toHaveLength(2);
    }
  });

  it('subtracts a deposit that the ledger settles while the older state of the chain is read', async () => {
    const { deposit, sign, reader, submissions } = aDepositWorld();
    await deposit();
    sign(2n);
    const read = reader.depositFacts.bind(reader);
    reader.depositFacts = async (question) => {
      const facts = await read(question);
      submissions.execute('attempt-1', 'SUCCEEDED');
      return facts;
    };
    await expect(deposit({ commitment: 2n })).rejects.toMatchObject({
      code: 'DEPOSIT_BALANCE_TOO_LOW',
    });
  });

  it('the required balance includes deposits in flight to other pools of the same token', async () => {
    const { deposit, sign, fund, reader, submissions } = aDepositWorld();
    fund(DEPOSITOR, 2n);
    sign(2n, DEPOSITOR, NOW_MS + 600_000, secondPool);
    await deposit({ commitment: 2n, poolAddress: secondPool.address });
    fund(DEPOSITOR, 2n);
    // The other pool’s denomination is twice as large. The deposit to that pool and this deposit
    // together need one denomination more than the balance. The allowance for this pool is not
    // affected.
    await expect(deposit()).rejects.toMatchObject({
      code: 'DEPOSIT_BALANCE_TOO_LOW',
      details: { required: String(3n * DENOMINATION) },
    });
    reader.setDepositor(DEPOSITOR, {
      classHash: ACCOUNT_CLASS,
      balance: 3n * DENOMINATION,
      allowance: DENOMINATION,
    });
    expect(await deposit()).toMatchObject({ submissionId: 'attempt-2' });
    expect(submissions.accepted).toHaveLength(2);
  });

  describe('rations', () => {
    it.each([
      ['depositor', { perDepositor: 1 }],
      ['pool', { perPool: 1 }],
      ['network', { perNetwork: 1 }],
    ] as const)(
      'limits the deposits of a %s within an hour, including deposits that have already landed',
      async (scope, rations) => {
        const { deposit, sign, fund, submissions, clock } = aDepositWorld(rations);
        fund(DEPOSITOR, 9n);
        sign(2n);
        await deposit({ caller: from('a', 'n') });
        submissions.execute('attempt-1', 'SUCCEEDED');
        clock.pass(60_000);
        await expect(deposit({ commitment: 2n, caller: from('b', 'n') })).rejects.toMatchObject({
          code: 'DEPOSITS_RATIONED',
          kind: 'rate_limited',
          details: { scope },
          retryAfterSeconds: 3_540,
        });
        clock.pass(3_540_000);
        sign(2n, DEPOSITOR, clock.nowMs() + 600_000);
        expect(
          await deposit({
            commitment: 2n,
            expiresAtMs: clock.nowMs() + 600_000,
            caller: from('b', 'n'),
          }),
        ).toBeDefined();
      },
    );

    it('hourly limits do not include deposits that were never on chain, or deposits of other networks', async () => {
      const { deposit, sign, fund, submissions } = aDepositWorld({
        perDepositor: 1,
        perPool: 1,
        perNetwork: 1,
      });
      fund(DEPOSITOR, 9n);
      sign(2n);
      await deposit({ caller: from('a', 'n') });
      submissions.end('attempt-1', 'refused', 'X');
      expect(await deposit({ commitment: 2n, caller: from('b', 'other') })).toMatchObject({
        submissionId: 'attempt-2',
      });
    });

    it('T12 accepts at most a quarter of the pool’s hourly limit from one network, for all its addresses', async () => {
      const world = aDepositWorld({ perPool: 24 });
      const ends = await depositsFrom(
        world,
        times(12, (index) => [`56 of ${index}`, 'one 48']),
      );
      expect(ends).toEqual(times(12, (index) => (index < 6 ? 'accepted' : 'network')));
      expect(await depositsFrom(world, [['elsewhere']], 2_000)).toEqual(['accepted']);
    });

    it('T12: half of the pool’s hourly limit is reserved for networks that made no deposit within the hour', async () => {
      const world = aDepositWorld({ perPool: 8 });
      const attackers = times(4, (index) => [`56 of ${index}`, `48 of ${index}`]);
      expect(await depositsFrom(world, [...attackers, ...attackers])).toEqual([
        ...times(4, () => 'accepted'),
        ...times(4, () => 'network'),
      ]);
      const others = times(5, (index) => [`other 56 of ${index}`, `other 48 of ${index}`]);
      expect(await depositsFrom(world, others, 2_000)).toEqual([
        ...times(4, () => 'accepted'),
        'pool',
      ]);
      world.clock.pass(3_600_000);
      expect(await depositsFrom(world, attackers.slice(0, 1), 3_000)).toEqual(['accepted']);
    });

    it('T12: reverted deposits use up only the depositor’s hourly limit', async () => {
      const world = aDepositWorld({ perPool: 8 });
      const network = ['56', '48'];
      for (const round of times(9, (index) => index)) {
        expect(await depositsFrom(world, [network], 1_000 + round)).toEqual(['accepted']);
        world.submissions.execute(`attempt-${round + 1}`, 'REVERTED');
      }
      const depositor = toFelt(0xd00000n + 1_000n);
      const again = aDepositWorld({ perDepositor: 1 });
      again.fund(depositor, 2n);
      for (const commitment of [1n, 2n]) again.sign(commitment, depositor);
      await again.deposit({ depositor });
      again.submissions.execute('attempt-1', 'REVERTED');
      await expect(again.deposit({ depositor, commitment: 2n })).rejects.toMatchObject({
        details: { scope: 'depositor' },
      });
    });

    it('T12: a /48 network may begin four times as many deposits as a /56 network', async () => {
      const world = aDepositWorld({ perNetwork: 2 });
      for (const round of times(8, (index) => index)) {
        const nested = [`56 number ${round}`, '48'];
        expect(await depositsFrom(world, [nested], 1_000 + round)).toEqual(['accepted']);
        world.submissions.execute(`attempt-${round + 1}`, 'REVERTED');
      }
      expect(await depositsFrom(world, [['another 56', '48'], ['elsewhere']], 2_000)).toEqual([
        'network',
        'accepted',
      ]);
    });

    it('T12 reports the number of deposits that the pool still accepts within the hour', async () => {
      const world = aDepositWorld({ perPool: 8 });
      const left = async (): Promise<number> =>
        (await world.poolDeposits(8))(pool.address, 7).rationLeft;
      await depositsFrom(world, [['a'], ['b'], ['c']]);
      expect(await left()).toBe(5);
      world.submissions.execute('attempt-1', 'REVERTED');
      world.submissions.execute('attempt-2', 'SUCCEEDED');
      expect(await left()).toBe(6);
      world.clock.pass(3_600_000);
      expect(await left()).toBe(8);
    });

    it('makes no network wait between its deposits if the hourly limit is a whole tree', async () => {
      const world = aDepositWorld({ perPool: 1_024 });
      world.reader.setDepositPool(pool.address, { ...depositPool, nextIndex: 900 });
      expect(await depositsFrom(world, [['48'], ['48'], ['48']])).toEqual(
        times(3, () => 'accepted'),
      );
    });

    it('T12 makes a network wait longer between its deposits as the tree fills, but not other networks', async () => {
      const world = aDepositWorld();
      const setLeft = (left: number): void =>
        world.reader.setDepositPool(pool.address, { ...depositPool, nextIndex: 1_024 - left });
      setLeft(515);
      const network = ['56', '48'];
      expect(await depositsFrom(world, [network, network, network, network])).toEqual([
        'accepted',
        'accepted',
        'accepted',
        'accepted',
      ]);
      for (const index of times(4, (number) => number + 1))
        world.submissions.execute(`attempt-${index}`, 'SUCCEEDED');
      setLeft(256);
      expect(await depositsFrom(world, [network, ['elsewhere']], 2_000)).toEqual([
        'network',
        'accepted',
      ]);
      world.clock.pass(1_200_000 + 5_000);
      expect(await depositsFrom(world, [network, network], 3_000)).toEqual(['accepted', 'network']);
    });

    it.each([{ perDepositor: 0 }, { perPool: 0 }, { perNetwork: 0 }])(
      'every deposit is rejected if the configured limits are %o',
      async (rations) => {
        await expect(aDepositWorld(rations).deposit()).rejects.toMatchObject({
          code: 'DEPOSITS_RATIONED',
          retryAfterSeconds: 3_600,
        });
      },
    );

    it('deposits never fill the reserved leaves of a pool', async () => {
      const { deposit, sign, fund, reader } = aDepositWorld({ leafReserve: 24 });
      reader.setDepositPool(pool.address, { ...depositPool, nextIndex: 1_024 - 26 });
      fund(DEPOSITOR, 9n);
      for (const commitment of [2n, 3n]) sign(commitment);
      await deposit();
      await deposit({ commitment: 2n });
      await expect(deposit({ commitment: 3n })).rejects.toMatchObject({
        code: 'POOL_NEARLY_FULL',
        details: { leavesLeft: 24 },
      });
    });
  });
});
