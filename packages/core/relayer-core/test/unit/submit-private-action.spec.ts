import { beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { dayOf, unpackPayload } from '../../src/index.js';
import {
  ALLOWED_CONTRACT,
  FEE_ADDRESS,
  LANE,
  ONE,
  SPONSOR_KEY,
  STRK,
  aPrivateActionWorld,
  aRequest,
  privacyPool,
} from '../support/private-action-world.js';
import { NOW_MS } from '../support/world.js';

let world = aPrivateActionWorld();
beforeEach(() => {
  world = aPrivateActionWorld();
});

const USDC = toFelt('0x1002');
/** Cost of the simulated gas at the test's prices: 78 M × 8 gfri and 400 × 30 Mfri. */
const COST_FRI = 78_000_000n * 8_000_000_000n + 400n * 30_000_000n;

describe('SubmitPrivateAction', () => {
  it('sends the actions with their facts and their proof, and names the last block', async () => {
    const { submissionId, answer } = await world.submit();
    expect(answer.kind).toBe('pending');
    const [accepted] = world.submissions.accepted;
    expect(accepted).toMatchObject({
      kind: 'private_action',
      subject: privacyPool.address,
      role: 'relay',
      replayProtected: true,
      deadlineBlock: 600,
      target: { to: privacyPool.address, entrypoint: 'apply_actions' },
      terms: { feeAmount: ONE, feeToken: STRK.address, costFri: COST_FRI },
    });
    const payload = unpackPayload(accepted?.calldata ?? Felts.of([]));
    const request = aRequest();
    expect(payload?.calldata.equals(request.calldata)).toBe(true);
    expect(payload?.facts.equals(request.proofFacts)).toBe(true);
    expect(payload?.proof).toEqual(request.proof);
    expect(payload?.poolFee).toBeNull();
    expect(world.submissions.attempts[0]?.id).toBe(submissionId);
  });

  it('limits the gas to a quarter above the gas of the simulation', async () => {
    await world.submit();
    expect(world.submissions.accepted[0]?.limits).toMatchObject({
      l2Gas: (78_000_000n * 5n) / 4n + 5_000_000n,
      l1DataGas: 500n + 512n,
    });
  });

  it('simulates the whole transaction as an account of the service', async () => {
    world.state.pool = { ...world.state.pool, feeFri: 5n };
    await world.submit();
    const [simulated] = world.simulator.simulated;
    expect(world.submissions.accepted[0]?.calldata).toBe(simulated?.calldata);
    expect(simulated?.as).toBe('0x1a7e');
    expect(unpackPayload(simulated?.calldata ?? Felts.of([]))?.poolFee).toEqual({
      token: STRK.address,
      amountFri: 5n,
    });
  });

  it('repeats get the same submission, with the same and with a newer proof', async () => {
    const first = await world.submit();
    expect((await world.submit()).submissionId).toBe(first.submissionId);
    const newer = await world.submit(aRequest({ baseBlock: 160 }));
    expect(newer.submissionId).toBe(first.submissionId);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a newer proof replaces the proof of a waiting attempt, and an older one does not', async () => {
    await world.submit();
    await world.submit(aRequest({ baseBlock: 140 }));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(600);
    await world.submit(aRequest({ baseBlock: 160 }));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(610);
  });

  it('a newer proof that the chain rejects replaces nothing', async () => {
    await world.submit();
    const newer = aRequest({ baseBlock: 160 });
    const facts = newer.proofFacts.toHex().with(5, '0xbad');
    await world.submit({ ...newer, proofFacts: Felts.parse(facts) });
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(600);
  });

  it('a signed attempt keeps its proof', async () => {
    const { submissionId } = await world.submit();
    world.submissions.broadcast(submissionId);
    await world.submit(aRequest({ baseBlock: 160 }));
    expect(world.submissions.attempts[0]?.deadlineBlock).toBe(600);
  });

  it('actions that share one storage address with actions in flight are rejected', async () => {
    await world.submit(aRequest({ spent: [0x11n, 0x12n] }));
    await expect(world.submit(aRequest({ spent: [0x12n, 0x13n] }))).rejects.toMatchObject({
      code: 'PRIVATE_ACTIONS_IN_PROGRESS',
    });
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('other actions with the same storage addresses are rejected', async () => {
    await world.submit();
    const other = aRequest({ payments: [[FEE_ADDRESS, STRK.address, 2n * ONE]] });
    await expect(world.submit(other)).rejects.toMatchObject({
      code: 'PRIVATE_ACTIONS_IN_PROGRESS',
    });
  });

  it('locks of a rejected request do not block other actions', async () => {
    world.submissions.fill('relay');
    await expect(world.submit(aRequest({ spent: [0x11n, 0x12n] }))).rejects.toMatchObject({
      code: 'QUEUE_FULL',
    });
    world.submissions.makeRoom();
    await world.submit(aRequest({ spent: [0x12n, 0x13n] }));
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('actions that succeeded are answered from the ledger', async () => {
    const { submissionId } = await world.submit();
    world.submissions.execute(submissionId, 'SUCCEEDED');
    world.state.taken = [toFelt(0x11n)];
    const again = await world.submit(aRequest({ baseBlock: 170 }));
    expect(again).toMatchObject({ submissionId, answer: { kind: 'executed' } });
  });

  it('actions that reverted may be proven and sent again', async () => {
    const { submissionId } = await world.submit();
    world.submissions.execute(submissionId, 'REVERTED', 'PROOF_EXPIRED');
    const again = await world.submit(aRequest({ baseBlock: 170 }));
    expect(again.submissionId).not.toBe(submissionId);
    expect(world.submissions.accepted).toHaveLength(2);
  });

  it.each([
    ['an unknown pool', {}, { poolAddress: toFelt('0x1') }, 'POOL_NOT_SUPPORTED'],
    ['a cut call', {}, { calldata: Felts.of([3n, 0n]) }, 'PRIVATE_ACTIONS_UNREADABLE'],
    ['actions without replay protection', { spent: [] }, {}, 'PRIVATE_ACTIONS_UNREADABLE'],
    ['unreadable facts', {}, { proofFacts: Felts.of([1n]) }, 'PROOF_FACTS_UNREADABLE'],
    ['no proof', {}, { proof: new Uint8Array() }, 'PROOF_MISSING'],
    ['a huge proof', {}, { proof: new Uint8Array(2 ** 21 + 1) }, 'PRIVATE_ACTIONS_TOO_LARGE'],
    ['a strange contract', { invoked: toFelt('0x666') }, {}, 'INVOKED_CONTRACT_NOT_ALLOWED'],
    ['a deposit of the service', { depositor: LANE }, {}, 'DEPOSITOR_NOT_ALLOWED'],
    ['no fee', { payments: [] }, {}, 'PRIVATE_ACTION_FEE_MISSING'],
    [
      'a fee to another address',
      { payments: [[toFelt('0xdead'), STRK.address, ONE]] as const },
      {},
      'PRIVATE_ACTION_FEE_MISSING',
    ],
    [
      'a fee in a token without a price',
      { payments: [[FEE_ADDRESS, toFelt('0x999'), ONE]] as const },
      {},
      'FEE_TOKEN_NOT_SERVED',
    ],
    [
      'a fee below half the cost',
      { payments: [[FEE_ADDRESS, STRK.address, COST_FRI / 2n - ONE / 50n]] as const },
      {},
      'FEE_TOO_LOW',
    ],
    ['a proof that is too young', { baseBlock: 195 }, {}, 'PROOF_TOO_YOUNG'],
    ['tampered actions', {}, { calldata: tampered() }, 'PROOF_FACTS_MISMATCH'],
    ['a sponsored request without a key', {}, { feeMode: 'sponsored' }, 'SPONSOR_UNKNOWN'],
    [
      'a sponsored request with a wrong key',
      {},
      { feeMode: 'sponsored', sponsorKey: 'guess' },
      'SPONSOR_UNKNOWN',
    ],
  ] as const)('rejects %s before anything is sent', async (_what, sample, changes, code) => {
    await expect(world.submit(aRequest(sample, changes))).rejects.toMatchObject({ code });
    expect(world.submissions.accepted).toEqual([]);
    expect(world.simulator.simulated).toEqual([]);
  });

  it('accepts a fee that equals the cost, and one in another token', async () => {
    await world.submit(
      aRequest({ spent: [1n], payments: [[FEE_ADDRESS, STRK.address, COST_FRI]] }),
    );
    // 0.624012 STRK at 0.04 USD are 0.02496048 USDC.
    await world.submit(aRequest({ spent: [2n], payments: [[FEE_ADDRESS, USDC, 24_961n]] }));
    await expect(
      world.submit(aRequest({ spent: [3n], payments: [[FEE_ADDRESS, USDC, 24_960n]] })),
    ).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { offered: '24960', required: '24961' },
    });
    expect(world.submissions.accepted).toHaveLength(2);
  });

  it('rejects a fee below the cost that the simulation shows', async () => {
    const low = aRequest({ payments: [[FEE_ADDRESS, STRK.address, COST_FRI - 1n]] });
    await expect(world.submit(low)).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
    expect(world.submissions.accepted).toEqual([]);
  });

  it('allows the contracts of the profile', async () => {
    await world.submit(aRequest({ invoked: ALLOWED_CONTRACT }));
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it.each([
    ['a paused pool', { isPaused: true }, 'PRIVACY_POOL_PAUSED'],
    ['a pool of another version', { version: 'before 2.0' }, 'POOL_VERSION_MISMATCH'],
    ['a pool that has expired the proof', { headNumber: 591 }, 'PROOF_EXPIRED'],
    ['an upgraded pool', { classHash: toFelt('0x9') }, 'PROOF_FACTS_MISMATCH'],
  ] as const)('rejects requests to %s', async (_what, changes, code) => {
    world.state.pool = { ...world.state.pool, ...changes };
    await expect(world.submit()).rejects.toMatchObject({ code });
  });

  it('rejects requests while the pool charges more than the maximum', async () => {
    world.state.pool = { ...world.state.pool, feeFri: ONE + 1n };
    const rich = aRequest({ payments: [[FEE_ADDRESS, STRK.address, 9n * ONE]] });
    await expect(world.submit(rich)).rejects.toMatchObject({
      code: 'POOL_FEE_TOO_HIGH',
      details: { fee: String(ONE + 1n), maximum: String(ONE) },
    });
  });

  it('rejects actions that the pool has applied', async () => {
    world.state.taken = [toFelt(0x11n)];
    await expect(world.submit()).rejects.toMatchObject({ code: 'PRIVATE_ACTIONS_APPLIED' });
  });

  it('rejects actions whose simulation reverts', async () => {
    world.simulator.revert('NON_ZERO_VALUE');
    await expect(world.submit()).rejects.toMatchObject({ code: 'SIMULATION_REVERTED' });
    expect(world.submissions.accepted).toEqual([]);
  });

  it('the fee covers the fee of the pool too, which is not counted as income', async () => {
    world.state.pool = { ...world.state.pool, feeFri: ONE };
    await expect(world.submit()).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
    await world.submit(aRequest({ payments: [[FEE_ADDRESS, STRK.address, 2n * ONE]] }));
    expect(world.submissions.accepted[0]?.terms?.feeAmount).toBe(ONE);
  });

  it('failed reads of the pool open the breaker, failed simulations do not', async () => {
    world.simulator.fail();
    for (const spent of [1n, 2n, 3n, 4n])
      await expect(world.submit(aRequest({ spent: [spent] }))).rejects.toThrow('the node is down');
    world.simulator.fail(null);
    await world.submit();
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a dry run reports every check and sends nothing', async () => {
    const report = await world.subject.dryRun(aRequest({ baseBlock: 195 }));
    expect(report.admissible).toBe(false);
    expect(report.checks.find(({ status }) => status === 'failed')).toMatchObject({
      check: 'base_block_age',
      code: 'PROOF_TOO_YOUNG',
      details: { acceptedFromBlock: 206 },
    });
    expect((await world.subject.dryRun(aRequest())).admissible).toBe(true);
    expect(world.submissions.accepted).toEqual([]);
  });
});

const sponsored = (spent: bigint) =>
  aRequest({ spent: [spent], payments: [] }, { feeMode: 'sponsored', sponsorKey: SPONSOR_KEY });

const pays = (amount: bigint) =>
  aRequest(
    { payments: [[FEE_ADDRESS, STRK.address, amount]] },
    { feeMode: 'sponsored_private', sponsorKey: SPONSOR_KEY },
  );

describe('sponsored private actions', () => {
  it('a sponsor pays the gas, and the attempt names the sponsor', async () => {
    await world.submit(sponsored(1n));
    expect(world.submissions.accepted[0]?.terms).toMatchObject({
      feeAmount: 0n,
      bounds: 'sponsor=wallet',
    });
  });

  it('the budget of a day limits all requests of a sponsor', async () => {
    for (const spent of [1n, 2n]) await world.submit(sponsored(spent));
    await expect(world.submit(sponsored(3n))).rejects.toMatchObject({
      code: 'SPONSOR_BUDGET_EXHAUSTED',
    });
    expect(world.submissions.accepted).toHaveLength(2);
  });

  it('a sponsor is charged with the whole gas limit', async () => {
    await world.submit(sponsored(1n));
    const { terms, limits } = world.submissions.accepted[0] ?? {};
    expect(limits?.l2Gas).toBe(102_500_000n);
    const costFri = (COST_FRI * 102_500_000n + 77_999_999n) / 78_000_000n;
    expect(terms?.costFri).toBe(costFri);
    expect(
      await world.budgets.reserve('wallet', dayOf(NOW_MS), 2n * ONE - costFri + 1n, 2n * ONE),
    ).toBe(false);
    expect(await world.budgets.reserve('wallet', dayOf(NOW_MS), 2n * ONE - costFri, 2n * ONE)).toBe(
      true,
    );
  });

  it('a repeated request reserves nothing', async () => {
    for (let repeat = 0; repeat < 5; repeat += 1) await world.submit(sponsored(1n));
    await world.submit(sponsored(2n));
    expect(world.submissions.accepted).toHaveLength(2);
  });

  it('a request that is not written gives its reservation back', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const blocked = world.subject.execute({
        ...sponsored(1n),
        waitMs: 0,
        beforeSubmission: async () => {
          world.submissions.fill('relay');
        },
      });
      await expect(blocked).rejects.toMatchObject({ code: 'QUEUE_FULL' });
      world.submissions.makeRoom();
    }
    await world.submit(sponsored(2n));
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('sponsored_private charges the user the fee of the pool', async () => {
    world.state.pool = { ...world.state.pool, feeFri: ONE };
    await expect(world.submit(pays(ONE - 1n))).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
    await world.submit(pays(ONE));
    expect(world.submissions.accepted).toHaveLength(1);
  });
});

/** Actions that pay the fee to another address than the proven actions. */
function tampered(): Felts {
  const { calldata } = aRequest();
  const felts = calldata.toHex().map((felt) => BigInt(felt));
  return Felts.of(felts.with(felts.indexOf(ONE), ONE + 1n));
}
