import { beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import {
  ANY_CALLER,
  FairSemaphore,
  SubmitPrivateAction,
  dayOf,
  unpackPayload,
  type SignedOutsideCalls,
} from '../../src/index.js';
import { WITHDRAWAL_LIMITS } from '../../src/testing/index.js';
import {
  FEE_ADDRESS,
  LANE,
  ONE,
  SPONSOR_KEY,
  STRK,
  aPrivateActionWorld,
  aRequest,
  type Sample,
} from '../support/private-action-world.js';
import { NOW_MS } from '../support/world.js';

let world = aPrivateActionWorld();
beforeEach(() => {
  world = aPrivateActionWorld();
});

const NOW_SECONDS = BigInt(NOW_MS / 1_000);
const someCalls = (changes: Partial<SignedOutsideCalls> = {}): SignedOutsideCalls => ({
  account: toFelt('0x5e7'),
  caller: ANY_CALLER,
  nonce: toFelt('0x77'),
  executeAfter: NOW_SECONDS - 60n,
  executeBefore: NOW_SECONDS + 600n,
  calls: [{ to: toFelt('0x70'), selector: toFelt('0xa9'), calldata: Felts.of([1n]) }],
  signature: Felts.of([8n, 9n]),
  ...changes,
});
const withCalls = (sample: Sample, changes: Partial<SignedOutsideCalls> = {}) =>
  aRequest(sample, { outsideCalls: someCalls(changes) });
const sponsored = (baseBlock: number, sponsorKey?: string) =>
  aRequest(
    { payments: [], baseBlock },
    { feeMode: 'sponsored', ...(sponsorKey === undefined ? {} : { sponsorKey }) },
  );
/** Payload of the attempt as it would be signed now. */
const payload = () => unpackPayload(world.submissions.accepted[0]?.calldata ?? Felts.of([]));

describe('newer proofs of a waiting attempt', () => {
  it('a newer proof does not make the service pay a pool fee that the fee does not cover', async () => {
    await world.submit();
    world.state.pool = { ...world.state.pool, feeFri: ONE };
    const { submissionId } = await world.submit(aRequest({ baseBlock: 160 }));
    expect(submissionId).toBe(world.submissions.attempts[0]?.id);
    expect(payload()?.poolFee).toBeNull();
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(600);
  });

  it('a newer proof does not raise the cost of an attempt by more than half above its fee', async () => {
    const payments = [[FEE_ADDRESS, STRK.address, (7n * ONE) / 10n]] as const;
    await world.submit(aRequest({ payments }));
    world.state.pool = { ...world.state.pool, feeFri: (37n * ONE) / 100n };
    await world.submit(aRequest({ payments, baseBlock: 160 }));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(600);
    world.state.pool = { ...world.state.pool, feeFri: ONE / 10n };
    await world.submit(aRequest({ payments, baseBlock: 160 }));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(610);
  });

  it('a promise that the first request used still holds for a newer proof', async () => {
    const quote = await world.quotes.execute({
      poolAddress: aRequest().poolAddress,
      token: STRK.address,
    });
    const sample = { payments: [[FEE_ADDRESS, STRK.address, quote.feeAmount]] } as const;
    world.simulator.use({ l2Gas: 115_000_000n, l1Gas: 0n, l1DataGas: 400n });
    await world.submit(aRequest(sample));
    await world.submit(aRequest({ ...sample, baseBlock: 160 }));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(610);
  });

  it('a newer proof can’t bring calls that need more gas than the limit of the attempt', async () => {
    await world.submit(withCalls({}));
    world.simulator.use({ l2Gas: 120_000_000n, l1Gas: 0n, l1DataGas: 400n });
    await world.submit(withCalls({ baseBlock: 160 }, { account: toFelt('0x5e8') }));
    expect(payload()?.outsideExecution?.account).toBe('0x5e7');
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(600);
  });

  it('a newer proof can’t bring calls that expire before the time of the attempt', async () => {
    await world.submit(withCalls({}));
    await world.submit(withCalls({ baseBlock: 160 }, { executeBefore: NOW_SECONDS + 300n }));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(600);
    await world.submit(withCalls({ baseBlock: 160 }));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(610);
  });

  it('a newer proof of sponsored actions reserves nothing, and needs the sponsor’s key', async () => {
    await world.submit(sponsored(150, SPONSOR_KEY));
    for (const block of [155, 160, 165]) await world.submit(sponsored(block, SPONSOR_KEY));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(615);
    await expect(world.submit(sponsored(170))).rejects.toMatchObject({ code: 'SPONSOR_UNKNOWN' });
    expect(world.submissions.accepted).toHaveLength(1);
  });
});

describe('requests that share something', () => {
  it('a signed call of an account is sent with one set of actions only', async () => {
    await world.submit(withCalls({ spent: [0x11n] }));
    await expect(world.submit(withCalls({ spent: [0x12n] }))).rejects.toMatchObject({
      code: 'PRIVATE_ACTIONS_IN_PROGRESS',
    });
    await world.submit(withCalls({ spent: [0x12n] }, { nonce: toFelt('0x78') }));
    await world.submit(withCalls({ spent: [0x13n] }, { account: toFelt('0x5e8') }));
    expect(world.submissions.accepted).toHaveLength(3);
  });

  it('concurrent requests with different accounts do not share an admission', async () => {
    const [first, second] = await Promise.allSettled([
      world.submit(withCalls({}, { account: LANE })),
      world.submit(withCalls({})),
    ]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
    await Promise.all([
      world.submit(withCalls({ spent: [0x21n] }, { account: toFelt('0x5e8'), nonce: toFelt(1n) })),
      world.submit(withCalls({ spent: [0x21n] }, { account: toFelt('0x5e9'), nonce: toFelt(1n) })),
    ]);
    // Each request was simulated with its own account.
    const accounts = world.simulator.simulated.map(
      ({ calldata }) => unpackPayload(calldata)?.outsideExecution?.account,
    );
    expect(new Set(accounts)).toEqual(new Set(['0x5e7', '0x5e8', '0x5e9']));
  });
});

const callerOf = (network: number, host = 1) => ({
  name: `10.0.${network}.${host}`,
  networks: [`10.0.${network}.0/24`],
});

/** Lets everything run that waits for no answer. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1)
    await new Promise((resolve) => void setImmediate(resolve));
}

/** Sends sponsored actions that spend one note, from an address of a network. */
const spends = (spent: number, network?: number) =>
  world.subject.execute({
    ...aRequest(
      { spent: [BigInt(spent)], payments: [] },
      { feeMode: 'sponsored', sponsorKey: SPONSOR_KEY },
    ),
    ...(network === undefined ? {} : { caller: callerOf(network, spent) }),
    waitMs: 0,
  });

describe('callers of one network', () => {
  const exhausted = { code: 'SPONSOR_BUDGET_EXHAUSTED' };

  it('a network can’t use more than its part of a sponsor’s budget', async () => {
    world = aPrivateActionWorld({ budgetPerDayFri: 4n * ONE, budgetPerNetworkFri: ONE });
    await spends(1, 1);
    await expect(spends(2, 1)).rejects.toMatchObject(exhausted);
    await spends(3, 2);
    await spends(4);
    expect(world.submissions.accepted).toHaveLength(3);
  });

  it('a request that the sponsor’s budget rejects uses nothing of its network’s part', async () => {
    world = aPrivateActionWorld({ budgetPerDayFri: 2n * ONE, budgetPerNetworkFri: 2n * ONE });
    await world.budgets.reserve('wallet', dayOf(NOW_MS), 2n * ONE, 2n * ONE);
    for (const spent of [1, 2, 3]) await expect(spends(spent, 1)).rejects.toMatchObject(exhausted);
    await world.budgets.release('wallet', dayOf(NOW_MS), 2n * ONE);
    await spends(4, 1);
    await spends(5, 1);
    expect(world.submissions.accepted).toHaveLength(2);
  });

  it('concurrent sponsored actions that share a note are charged exactly once', async () => {
    const budgetPerDayFri = 3n * ONE;
    world = aPrivateActionWorld({ budgetPerDayFri, budgetPerNetworkFri: budgetPerDayFri });
    const conflicting = (amount: bigint, host: number) =>
      world.subject.execute({
        ...aRequest(
          { payments: [[toFelt('0x70'), STRK.address, amount]] },
          { feeMode: 'sponsored', sponsorKey: SPONSOR_KEY },
        ),
        caller: callerOf(1, host),
        waitMs: 0,
      });
    const results = await Promise.allSettled([1, 2, 3, 4].map((n) => conflicting(BigInt(n), n)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reservedFri = world.submissions.accepted[0]?.terms?.costFri ?? 0n;
    const day = dayOf(NOW_MS);
    const leftFri = budgetPerDayFri - reservedFri;
    expect(await world.budgets.reserve('wallet', day, leftFri + 1n, budgetPerDayFri)).toBe(false);
    expect(await world.budgets.reserve('wallet', day, leftFri, budgetPerDayFri)).toBe(true);
  });

  it('concurrent copies of a sponsored request need its budget once', async () => {
    world = aPrivateActionWorld({ budgetPerDayFri: ONE, budgetPerNetworkFri: ONE });
    const copies = Array.from({ length: 6 }, (_, host) =>
      world.subject.execute({
        ...aRequest({ payments: [] }, { feeMode: 'sponsored', sponsorKey: SPONSOR_KEY }),
        caller: callerOf(1, host),
        waitMs: 0,
      }),
    );
    const ids = (await Promise.all(copies)).map(({ submissionId }) => submissionId);
    expect(new Set(ids).size).toBe(1);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a failure of the store uses nothing of a network’s part', async () => {
    world = aPrivateActionWorld({ budgetPerDayFri: 8n * ONE, budgetPerNetworkFri: ONE });
    for (const fails of [3, 2, 1]) {
      world.budgets.fail();
      await expect(spends(fails, 1)).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    }
    world.budgets.fail(null);
    await spends(4, 1);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('slow simulations of one network use at most two slots', async () => {
    const answered = Promise.withResolvers<void>();
    const simulated: bigint[] = [];
    world.simulator.simulate = async (call) => {
      simulated.push(unpackPayload(call.calldata)?.calldata.at(2) ?? 0n);
      await answered.promise;
      return { ok: false, reason: 'slow' };
    };
    const { admission, submissions, guarding, budgets, promised, clock } = world;
    const { guard, claims: locks } = guarding;
    const slots = new FairSemaphore({ slots: 16, slotsPerName: 12, waitingPerName: 64 });
    const subject = new SubmitPrivateAction(
      admission,
      submissions,
      { guard, slots, locks, budgets, promised, clock },
      WITHDRAWAL_LIMITS,
    );
    const sends = (spent: number, network: number) =>
      subject.execute({
        ...aRequest({ spent: [BigInt(spent)] }),
        caller: callerOf(network, spent),
        waitMs: 0,
      });
    const slow = Array.from({ length: 12 }, async (_, index) => sends(index + 1, 1));
    await turns();
    expect(simulated).toHaveLength(2);
    const other = sends(99, 2);
    await turns();
    expect(simulated.slice(2)).toEqual([99n]);
    answered.resolve();
    await Promise.allSettled([...slow, other]);
  });
});

describe('repeats after the time of the calls', () => {
  it('a late repeat is answered in flight and after a success, and never begins or renews anything', async () => {
    const late = new Error('too late');
    const repeats = (sample: Sample) =>
      world.subject.execute({ ...aRequest(sample), waitMs: 0, unlessKnown: late });
    await expect(repeats({})).rejects.toBe(late);
    const { submissionId } = await world.submit();
    const { deadlineBlock } = world.submissions.accepted[0] ?? {};
    expect(await repeats({ baseBlock: 180 })).toMatchObject({ submissionId });
    expect(world.submissions.accepted).toMatchObject([{ deadlineBlock }]);
    const other = { payments: [[FEE_ADDRESS, STRK.address, ONE + 1n]] } as const;
    await expect(repeats(other)).rejects.toMatchObject({ code: 'PRIVATE_ACTIONS_IN_PROGRESS' });
    world.submissions.execute(submissionId, 'REVERTED');
    await expect(repeats({})).rejects.toBe(late);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a repeat of actions that succeeded gets their answer after the calls expired', async () => {
    const { submissionId } = await world.submit(withCalls({}));
    world.submissions.execute(submissionId, 'SUCCEEDED');
    world.clock.pass(600_000);
    const again = await world.submit(withCalls({}));
    expect(again).toMatchObject({ submissionId, answer: { kind: 'executed' } });
  });
});
