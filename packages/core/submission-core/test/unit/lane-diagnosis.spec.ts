import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import type { AccountProblem, SubmissionSettings } from '../../src/index.js';
import { FakeNodeDown } from '../../src/testing/index.js';
import { LaneDiagnosis } from '../../src/application/lane/lane-diagnosis.js';
import { LaneBench } from '../support/lane.js';
import { LANE, World, flush } from './world.js';

const SECOND = toFelt('0x2a4e');
const BOTH: SubmissionSettings['lanes'] = [
  { address: LANE, role: 'relay' },
  { address: SECOND, role: 'relay' },
];
const RECHECK_MS = 30_000;

describe('LaneDiagnosis', () => {
  let world: World;
  let requested: number;
  afterEach(() => world.engine.stop());
  const start = async (
    change: Partial<SubmissionSettings> = {},
    problem: AccountProblem | null = null,
  ): Promise<void> => {
    world = new World(change);
    requested = 0;
    const problemOf = world.chain.problemOf.bind(world.chain);
    world.chain.problemOf = async (account) => {
      requested += 1;
      return problemOf(account);
    };
    world.chain.accountProblem(LANE, problem);
    await world.engine.start();
  };
  const states = (): unknown =>
    world.engine.status().lanes.map(({ state, reason }) => [state, reason]);
  const submit = async (key: string): Promise<void> => {
    await world.submit({
      key,
      calldata: Felts.of([BigInt(key.length), BigInt(key.charCodeAt(0))]),
    });
    await flush();
  };

  it('checks a lane’s account at the first poll, and not again while its sends succeed', async () => {
    await start();
    expect([requested, states()]).toEqual([1, [['ready', null]]]);
    await world.round();
    await world.round(RECHECK_MS);
    expect(requested).toBe(1);
  });

  it.each(['NOT_DEPLOYED', 'NO_ACCOUNT_CLASS', 'WRONG_KEY'] as const)(
    'a check of the account at the start with the result %s stops the lane from sending',
    async (problem) => {
      await start({}, problem);
      expect(states()).toEqual([['resting', problem]]);
      await submit('a');
      expect([await world.last('a'), world.chain.sent]).toMatchObject([{ state: 'accepted' }, []]);
    },
  );

  it('the account check is repeated while the account has a problem', async () => {
    await start({}, 'WRONG_KEY');
    await submit('a');
    world.chain.accountProblem(LANE, null);
    await world.round();
    expect(states()).toEqual([['resting', 'WRONG_KEY']]);
    await world.round(RECHECK_MS);
    await flush();
    expect(states()).toEqual([['ready', null]]);
    expect(await world.last('a')).toMatchObject({ state: 'broadcast' });
  });

  it('a lane stops sending after a refusal that blames its account if the account check fails', async () => {
    await start({ lanes: BOTH });
    world.chain.accountProblem(LANE, 'WRONG_KEY');
    await submit('a');
    await submit('b');
    await world.round(2_500);
    await world.round(2_500);
    expect(states()).toEqual([
      ['resting', 'WRONG_KEY'],
      ['ready', null],
    ]);
    for (const key of ['a', 'b'])
      expect(await world.last(key)).toMatchObject({ state: 'broadcast', lane: SECOND });
  });

  it('if a refusal blames the account but the account check passes, the attempt is tried on only one more lane', async () => {
    await start({ lanes: BOTH });
    for (const lane of [LANE, SECOND]) world.chain.refuse(lane, 'VALIDATION_FAILURE');
    await submit('a');
    expect(await world.last('a')).toMatchObject({
      state: 'accepted',
      avoidLane: expect.anything(),
    });
    await world.round(2_500);
    await world.round(2_500);
    expect(await world.last('a')).toMatchObject({
      state: 'refused',
      rejectionCode: 'VALIDATION_FAILURE',
    });
    expect(world.chain.sent).toHaveLength(2);
    expect(states()).toEqual([
      ['ready', null],
      ['ready', null],
    ]);
  });

  it.each([
    ['alone', [{ address: LANE, role: 'relay' }]],
    ['with a lane of another role', [...BOTH.slice(0, 1), { address: SECOND, role: 'curator' }]],
    [
      'with a lane that is retiring',
      [...BOTH.slice(0, 1), { address: SECOND, role: 'relay', isRetiring: true }],
    ],
  ] as const)(
    'an attempt that the lane’s account rejects is refused at once if the lane is %s',
    async (_where, lanes) => {
      await start({ lanes });
      world.chain.refuse(LANE, 'VALIDATION_FAILURE');
      await submit('a');
      expect(await world.last('a')).toMatchObject({
        state: 'refused',
        rejectionCode: 'VALIDATION_FAILURE',
      });
    },
  );

  it('a refusal is not recorded if the account can not be checked at the moment', async () => {
    await start();
    world.chain.refuse(LANE, 'VALIDATION_FAILURE');
    world.chain.problemOf = async () => {
      throw new FakeNodeDown('the account can not be read');
    };
    await submit('a');
    expect(await world.last('a')).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(states()).toEqual([['ready', null]]);
    expect((await world.ledger.openNonces(LANE))[0]?.transactions).toMatchObject([
      { gone: null, sendCount: 1 },
    ]);
  });

  /**
   * Makes each check read the account at once, but return its result only when the returned
   * function is called.
   */
  const slowAnswers = (): (() => Promise<void>) => {
    const problemOf = world.chain.problemOf.bind(world.chain);
    const waiting: (() => void)[] = [];
    world.chain.problemOf = async (account) => {
      const problem = await problemOf(account);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return problem;
    };
    return async () => {
      waiting.shift()?.();
      await flush();
    };
  };

  it('refusals that arrived before an account check began share this check', async () => {
    await start({ maxInFlightPerLane: 4 });
    const answer = slowAnswers();
    requested = 0;
    world.chain.accountProblem(LANE, 'WRONG_KEY');
    for (const key of ['a', 'bb', 'ccc', 'dddd']) await submit(key);
    expect(requested).toBe(1);
    await answer();
    expect(requested).toBe(2);
    await answer();
    expect(requested).toBe(2);
    for (const key of ['a', 'bb', 'ccc', 'dddd'])
      expect(await world.last(key)).toMatchObject({ state: 'accepted' });
  });

  it('an account check that began before a refusal is not used to judge this refusal', async () => {
    await start({ maxInFlightPerLane: 4 });
    world.chain.refuse(LANE, 'VALIDATION_FAILURE');
    const answer = slowAnswers();
    await submit('a');
    world.chain.accountProblem(LANE, 'WRONG_KEY');
    await submit('bb');
    await answer();
    await answer();
    expect(await world.last('a')).toMatchObject({ state: 'refused' });
    expect(await world.last('bb')).toMatchObject({ state: 'accepted' });
    expect(states()).toEqual([['resting', 'WRONG_KEY']]);
  });

  it('an attempt expires with NO_USABLE_LANE if the only lane of its role sends nothing', async () => {
    await start({}, 'WRONG_KEY');
    await submit('a');
    await world.round(60_000);
    await world.round();
    expect(await world.last('a')).toMatchObject({
      state: 'expired',
      rejectionCode: 'NO_USABLE_LANE',
    });
  });

  it('reports NO_USABLE_LANE for an attempt whose role has no lane', async () => {
    await start();
    await world.submit({ key: 'curate', role: 'curator' });
    await world.round(60_000);
    await world.round();
    expect(await world.last('curate')).toMatchObject({
      state: 'expired',
      rejectionCode: 'NO_USABLE_LANE',
    });
  });
});

describe('account check', () => {
  let lane: LaneBench;
  let diagnosis: LaneDiagnosis;
  beforeEach(async () => {
    lane = await LaneBench.held();
    diagnosis = new LaneDiagnosis(lane.account);
  });

  it('logs the account check when its result changes', async () => {
    await diagnosis.recheck();
    expect(lane.said).toEqual([]);
    lane.chain.accountProblem(LANE, 'WRONG_KEY');
    expect(await diagnosis.causeOf(true)).toBe('lane');
    expect(await diagnosis.causeOf(true)).toBe('lane');
    const resting = { level: 'error', fields: { lane: LANE, problem: 'WRONG_KEY' } };
    expect(lane.said).toEqual([resting]);
    lane.chain.accountProblem(LANE, null);
    expect(await diagnosis.causeOf(true)).toBe('account');
    expect(await diagnosis.causeOf(true)).toBe('account');
    expect(lane.said).toEqual([resting, { level: 'info', fields: { lane: LANE } }]);
  });

  it('repeats a failed account check only after half a minute', async () => {
    lane.chain.accountProblem(LANE, 'WRONG_KEY');
    await diagnosis.recheck();
    lane.chain.accountProblem(LANE, null);
    lane.clock.advance(RECHECK_MS - 1);
    await diagnosis.recheck();
    expect(diagnosis.problem).toBe('WRONG_KEY');
    lane.clock.advance(1);
    await diagnosis.recheck();
    expect(diagnosis.problem).toBeNull();
  });

  it('the account check returns no cause if the node does not respond', async () => {
    lane.chain.failReads();
    expect(await diagnosis.causeOf(true)).toBeNull();
    expect(lane.said).toMatchObject([{ level: 'warn', fields: { code: 'NODE_UNAVAILABLE' } }]);
    const defect = new TypeError('no such thing');
    lane.chain.problemOf = async () => Promise.reject(defect);
    await expect(diagnosis.causeOf(true)).rejects.toBe(defect);
  });
});
