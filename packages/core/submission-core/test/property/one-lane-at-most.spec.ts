import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { refOf } from '../../src/domain/rows.js';
import type { AccountProblem, Attempt, RejectionCause, SendAnswer } from '../../src/index.js';
import {
  InMemoryLedger,
  LedgerDriver,
  aSignedTransaction,
  written,
} from '../../src/testing/index.js';
import { World, flush } from '../unit/world.js';

const REFUSED: SendAnswer = { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'account' };
const LANES = [toFelt('0x1a4e'), toFelt('0x2a4e'), toFelt('0x3a4e'), toFelt('0x4a4e')];
const problem = fc.option(
  fc.constantFrom<AccountProblem>('WRONG_KEY', 'NOT_DEPLOYED', 'NO_ACCOUNT_CLASS'),
  { nil: null, freq: 3 },
);

/**
 * Random scenario: lanes whose accounts may have a problem, and submissions of which some are
 * rejected by every account.
 */
const scenario = fc.record({
  problems: fc.array(problem, { minLength: 1, maxLength: LANES.length }),
  poisoned: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  /** True if the account problems appear only after the lanes have started to work. */
  isLate: fc.boolean(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

interface Outcome {
  readonly states: readonly string[];
  readonly resting: readonly Felt[];
  /** For each submission, the number of lanes without an account problem from which it was sent. */
  readonly triedOn: readonly number[];
}

async function play({ problems, poisoned, isLate }: Scenario): Promise<Outcome> {
  const lanes = LANES.slice(0, problems.length);
  const world = new World({ lanes: lanes.map((address) => ({ address, role: 'relay' })) });
  const tried = new Map<string, Set<Felt>>();
  poison(world, poisoned, tried);
  const breakAccounts = (): void => {
    for (const [index, lane] of lanes.entries())
      world.chain.accountProblem(lane, problems[index] ?? null);
  };
  if (!isLate) breakAccounts();
  await world.engine.start();
  if (isLate) breakAccounts();
  for (const [index] of poisoned.entries()) {
    await world.submit({ key: `S${index}`, calldata: Felts.of([BigInt(index)]) });
    await flush();
  }
  for (let round = 0; round < 12; round += 1) {
    world.chain.includeAll();
    await world.round(2_500);
  }
  const states = await Promise.all(
    poisoned.map(async (_, index) => (await world.last(`S${index}`)).state),
  );
  const resting = world.engine
    .status()
    .lanes.flatMap(({ address, state }) => (state === 'resting' ? [address] : []));
  await world.engine.stop();
  const sound = new Set(lanes.filter((_, index) => problems[index] === null));
  const triedOn = poisoned.map(
    (_, index) => [...(tried.get(`S${index}`) ?? [])].filter((lane) => sound.has(lane)).length,
  );
  return { states, resting, triedOn };
}

/** Makes every account reject transactions that contain the call of a poisoned submission. */
function poison(world: World, poisoned: readonly boolean[], tried: Map<string, Set<Felt>>): void {
  const carried = new Map<string, { readonly index: number; readonly lane: Felt }>();
  const signCall = world.signer.signCall.bind(world.signer);
  world.signer.signCall = async (call, request) => {
    const signed = await signCall(call, request);
    const index = poisoned.findIndex((_, at) => call.calldata.equals(Felts.of([BigInt(at)])));
    carried.set(new TextDecoder().decode(signed.bytes), { index, lane: request.account });
    return signed;
  };
  const send = world.chain.send.bind(world.chain);
  world.chain.send = async (bytes) => {
    const { index, lane } = carried.get(new TextDecoder().decode(bytes)) ?? {
      index: -1,
      lane: LANES[0],
    };
    if (lane !== undefined && index >= 0)
      tried.set(`S${index}`, (tried.get(`S${index}`) ?? new Set()).add(lane));
    return poisoned[index] ? REFUSED : send(bytes);
  };
}

describe('limit of lanes that one attempt can rest', () => {
  it('a submission that every account rejects stops no working lane', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { states, resting, triedOn } = await play(given);
        const broken = LANES.filter((_, index) => (given.problems[index] ?? null) !== null);
        const hasSound = given.problems.includes(null);
        expect(resting.filter((lane) => !broken.includes(lane))).toEqual([]);
        for (const [index, isPoisoned] of given.poisoned.entries()) {
          expect(triedOn[index]).toBeLessThanOrEqual(isPoisoned ? 2 : 1);
          const end = isPoisoned ? 'refused' : 'succeeded';
          expect(states[index]).toBe(hasSound ? end : 'accepted');
        }
      }),
      { numRuns: 60 },
    );
  });

  it('an attempt ends as refused at the latest after the refusals of two working lanes', async () => {
    const step = fc.record({
      cause: fc.constantFrom<RejectionCause>('price', 'funds', 'lane', 'account'),
      lane: fc.nat(LANES.length - 1),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const ledger = new InMemoryLedger({ clock: { nowMs: () => 5_000 } });
        const drivers = LANES.map((lane) => new LedgerDriver(ledger, lane));
        for (const driver of drivers) {
          await driver.lease();
          await driver.introduce(0n);
        }
        let attempt: Attempt = written(await new LedgerDriver(ledger).request('a'));
        let byAccount = 0;
        for (const [index, { cause, lane }] of steps.entries()) {
          const driver = drivers[lane];
          if (driver === undefined) throw new Error('there is a driver for each lane');
          const transaction = aSignedTransaction(`step ${index}`, 24_000_000_000n + BigInt(index));
          await driver.store(refOf(attempt), 0n, transaction);
          attempt = written(await driver.refuse(0n, transaction.hash, { cause }));
          if (cause === 'account') byAccount += 1;
          expect(byAccount).toBeLessThanOrEqual(2);
          const isRefused = attempt.state === 'refused';
          expect([attempt.lane, attempt.nonce]).toEqual([null, null]);
          expect(isRefused || attempt.state === 'accepted').toBe(true);
          expect(isRefused && cause !== 'account').toBe(false);
          expect(!isRefused && byAccount === 2).toBe(false);
          if (isRefused) return;
        }
      }),
      { numRuns: 200 },
    );
  });
});
