import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually, type WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld, type SandboxAccount, type SandboxPool } from '@sotto/sandbox';
import { depositBody } from './support/deposits.js';
import { Scrape } from './support/metrics.js';
import {
  addressText,
  commitmentText,
  commitmentsOf,
  forgedWithdrawalOf,
  notesOf,
} from './support/notes.js';
import {
  at,
  codeOf,
  codesOf,
  FEE_SATS,
  HONEST,
  neighbour,
  rented,
  repeated,
  StrangersStage,
  withdrawalFrom,
  type Caller,
} from './support/strangers.js';
import { QUOTED, SOLD_SATS, SWAP_PAIR } from './support/swap-stage.js';

const { accounts, pools, tokens } = sandboxWorld;
/**
 * Loss budget of a pool, in fri. One network may use up a quarter of the budget. A reverted
 * transaction costs about 0.3 STRK, so two such transactions use up the quarter.
 */
const LOSS_BUDGET_FRI = 2n * 10n ** 18n;
const DEPOSITS_PER_HOUR = 8;
const DEPOSITS_PER_DEPOSITOR = 2;
const L2_GAS_FRI = 8_000_000_000n;

const swapped = notesOf(91n, 12);
const outputs = notesOf(92n, 12);
const poorPool = pools.sentinel_1x;
const rationedPool = pools.sentinel_2x;
const poor = notesOf(93n, 3);
const [, spent] = poor;
const tried = notesOf(94n, 6);
const commitments = commitmentsOf(notesOf(95n, 24));
const strangersTree = notesOf(96n, 3);

const withdrawalOf = (index: number, fee = FEE_SATS): WithdrawalBody =>
  withdrawalFrom(pools.swap_input_2, tried, index, fee);

/** Returns a caller with an address of a different /24 than {@link neighbour}. */
const second = (host: number): Caller => at(`198.18.0.${host}`);
const NETWORK = ['DEPOSITS_RATIONED', 'network'];
/** Returns the execution status of a deposit, or the code and scope of its rejection. */
const endOf = async (answer: Promise<Answer>): Promise<unknown> => {
  const { body } = await answer;
  const { code, details, execution_status: execution } = Object(body);
  return code === undefined ? execution : [code, details.scope];
};

describe('strangers and other callers', () => {
  let stage: StrangersStage;
  beforeAll(async () => {
    stage = await StrangersStage.start(
      {
        LOSS_BUDGET_PER_POOL_FRI: String(LOSS_BUDGET_FRI),
        BREAKER_REVERTS: '2',
        BREAKER_PAUSE_MS: '3000',
        DEPOSITS_PER_HOUR_PER_POOL: String(DEPOSITS_PER_HOUR),
        DEPOSITS_PER_HOUR_PER_DEPOSITOR: String(DEPOSITS_PER_DEPOSITOR),
      },
      [
        [pools.swap_input_1, swapped],
        [pools.swap_input_2, tried],
        [poorPool, poor],
      ],
    );
  });
  afterEach(() => stage.stack.chain.control.resume());
  afterAll(() => stage.stack.stop());

  const setMarket = (mille: bigint): void =>
    stage.stack.chain.control.aggregator.setRate({
      ...SWAP_PAIR,
      sellAmount: SOLD_SATS,
      buyAmount: (QUOTED * mille) / 1_000n,
    });
  const swap = (index: number, caller: Caller): Promise<Answer> => {
    const output = outputs[index];
    if (output === undefined) throw new RangeError('there is no such note');
    const body = {
      wbtcPool: addressText(pools.swap_input_1),
      proofCalldata: forgedWithdrawalOf({ notes: swapped, index, fee: FEE_SATS }),
      newCommitment: commitmentText(output),
      outputToken: addressText(tokens.ETH),
      slippage: 0.01,
    };
    return stage.stack.service.post('/api/relayer/private-swap', body, caller);
  };
  const feesFri = (): readonly bigint[] =>
    stage.stack.chain.inclusions(accounts.swapOwner).map(({ feeFri }) => feeFri);

  /** Sends one swap from each address, all at once, and moves the market before the next block. */
  async function slip(indexes: readonly number[]): Promise<readonly Answer[]> {
    let sending = indexes.length;
    const answers = await stage.heldBack({
      sender: accounts.swapOwner,
      waiting: () => sending,
      send: () =>
        indexes.map(async (index) => {
          const answer = await swap(index, rented(index));
          if (answer.status === 429) sending -= 1;
          return answer;
        }),
      change: () => setMarket(975n),
    });
    setMarket(1_000n);
    const sent = answers.filter(({ status }) => status !== 429);
    await Promise.all(sent.map((answer) => stage.settled(answer)));
    return answers;
  }

  it('T6: swaps from one /48 network cost at most a quarter of the loss budget', async () => {
    setMarket(1_000n);
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    const first = await slip(all);
    expect(new Set(codesOf(first))).toEqual(new Set(['REVERTED', 'CALLER_BUDGET_EXHAUSTED']));
    await slip(all.filter((index) => first[index]?.status === 429));
    const lost = feesFri();
    const last = await Promise.all([8, 9].map((index) => swap(index, rented(index))));
    expect(last.map(({ status, body }) => ({ status, ...Object(body) }))).toMatchObject(
      repeated(2, {
        status: 429,
        code: 'CALLER_BUDGET_EXHAUSTED',
        details: { cause: 'losses' },
      }),
    );
    expect(feesFri()).toEqual(lost);
    const dearestFri = lost.reduce((most, feeFri) => (feeFri > most ? feeFri : most), 0n);
    const lostFri = lost.reduce((sum, feeFri) => sum + feeFri, 0n);
    expect(lostFri).toBeLessThanOrEqual(LOSS_BUDGET_FRI / 4n + dearestFri);

    expect(codeOf(await swap(10, HONEST))).toBe('SUCCEEDED');
    const withdrawal = withdrawalFrom(pools.swap_input_1, swapped, 11);
    expect(codeOf(await stage.withdraw(withdrawal, HONEST))).toBe('SUCCEEDED');
  });

  const simulations = (): number =>
    stage.stack.chain.control.counters().calls['starknet_simulateTransactions'] ?? 0;
  const reads = async (): Promise<number> =>
    (await Scrape.of(stage.stack.service)).value('sotto_port_call_seconds_count', {
      port: 'pool_reader',
      method: 'withdrawalFacts',
      outcome: 'ok',
    }) ?? 0;

  it('T9: requests with too low a fee are rejected without a simulation', async () => {
    const { control } = stage.stack.chain;
    if (spent === undefined) throw new RangeError('there is no such note');
    stage.spend(poorPool, spent);
    control.mine();
    control.pause();
    const cheap = withdrawalFrom(poorPool, poor, 0, 1n);
    const simulated = simulations();
    const readsOfOne = async (): Promise<number> => {
      const before = await reads();
      expect(codeOf(await stage.withdraw(cheap, neighbour(1)))).toBe('FEE_TOO_LOW');
      return (await reads()) - before;
    };
    await eventually('the rejection to be stored', async () => (await readsOfOne()) === 0);
    const readsOfMany = async (): Promise<number> => {
      const before = await reads();
      const many = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          // Any caller can change the hints, because the proof does not cover them.
          const last = toFelt(BigInt(index + 1));
          const calldata = cheap.calldata.with(cheap.calldata.length - 1, last);
          return stage.withdraw({ ...cheap, calldata }, neighbour(index % 8));
        }),
      );
      expect(codesOf(many)).toEqual(repeated(40, 'FEE_TOO_LOW'));
      return (await reads()) - before;
    };
    // The service may see the last block during one of the groups, and then reads for this group.
    const groups = [await readsOfMany(), await readsOfMany(), await readsOfMany()];
    expect(groups.filter((count) => count > 0).length).toBeLessThan(2);
    control.mine();
    await eventually('the rejection to be read again', async () => (await readsOfOne()) === 1);

    const unknown = withdrawalFrom(poorPool, strangersTree, 0);
    const known = [
      await stage.withdraw(unknown, neighbour(1)),
      await stage.withdraw(unknown, neighbour(2)),
      await stage.withdraw(withdrawalFrom(poorPool, poor, 1), neighbour(1)),
    ];
    expect(codesOf(known)).toEqual(['ROOT_UNKNOWN', 'ROOT_UNKNOWN', 'NULLIFIER_SPENT']);
    expect(simulations()).toBe(simulated);
    control.resume();
    expect(codeOf(await stage.withdraw(withdrawalFrom(poorPool, poor, 0), HONEST))).toBe(
      'SUCCEEDED',
    );
    expect(simulations()).toBeGreaterThan(simulated);
  });

  /**
   * Sends ten withdrawals with this fee from one network. The block that includes these withdrawals
   * has a gas price that is higher by this percentage.
   */
  async function atDearerGas(feeWei: bigint, percent: bigint): Promise<void> {
    const { control } = stage.stack.chain;
    const hosts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const answers = await stage.heldBack({
      sender: accounts.lane1,
      waiting: () => hosts.length,
      send: () => hosts.map((host) => stage.withdraw(stage.nextOutput(feeWei), neighbour(host))),
      change: () => control.setGasPrices({ l2Gas: (L2_GAS_FRI * (100n + percent)) / 100n }),
    });
    control.setGasPrices({ l2Gas: L2_GAS_FRI });
    control.mine();
    expect(codesOf(answers)).toEqual(repeated(hosts.length, 'SUCCEEDED'));
    await Promise.all(answers.map((answer) => stage.settled(answer)));
  }

  it('T11: withdrawals with fees below the cost do not pause the pool', async () => {
    const requested = await stage.withdraw(stage.nextOutput(1n), neighbour(1));
    const leastWei = BigInt(Object(Object(requested.body).details).required);
    // The increase of the gas price exceeds the fee's margin of one or two percent. The service
    // loses less than half of the cost.
    await atDearerGas(leastWei, 60n);
    const status = await eventually('the losses to be counted', async () => {
      const seen = await stage.poolStatus('swap_pool');
      return Object(seen).money.lostFri !== '0' && seen;
    });
    expect(status).toMatchObject({ withdrawals: { state: 'open' }, money: { losses: 0 } });
    const refused = await stage.withdraw(stage.nextOutput(leastWei), neighbour(99));
    expect([refused.status, codeOf(refused), Object(refused.body).details]).toEqual([
      429,
      'CALLER_BUDGET_EXHAUSTED',
      { cause: 'losses' },
    ]);
    const paid = await stage.withdraw(stage.nextOutput(2n * leastWei), HONEST);
    expect(codeOf(paid)).toBe('SUCCEEDED');
  });

  it('T11: underpaid requests or repeated reverts of one network do not use up a paused pool’s trial withdrawal', async () => {
    const { chain } = stage.stack;
    for (const index of [0, 1]) {
      chain.control.revertNext({ reason: 'staged', sender: accounts.lane1.address });
      await stage.settled(await stage.withdraw(withdrawalOf(index), HONEST));
    }
    await eventually('the pool to be paused', async () => {
      const { withdrawals } = Object(await stage.poolStatus('swap_input_2'));
      return withdrawals.state === 'paused';
    });
    const paused = await stage.withdraw(withdrawalOf(3), HONEST);
    expect([codeOf(paused), Object(paused.body).details]).toEqual([
      'POOL_PAUSED',
      { cause: 'reverts' },
    ]);
    await eventually('the trial to begin', async () => {
      const answer = await stage.withdraw(withdrawalOf(3, 1n), neighbour(1));
      return codeOf(answer) === 'FEE_TOO_LOW';
    });
    const [late] = await stage.heldBack({
      sender: accounts.lane1,
      waiting: () => 1,
      send: () => [
        // The caller whose request is the trial spends the note outside the service. So the trial
        // neither resumes nor pauses the pool.
        chain
          .relayByAnother(withdrawalOf(2).calldata, pools.swap_input_2.address)
          .then(() => stage.withdraw(withdrawalOf(2), neighbour(1))),
      ],
      change: () => undefined,
    });
    if (late === undefined) throw new Error('nothing was sent');
    expect(codeOf(late)).toBe('REVERTED');
    await stage.settled(late);
    await eventually('the trial to be free', async () => {
      // In each repetition, a caller from the network of the failed trial sends its request before
      // the honest caller. If this request were accepted, it would use up the trial that the honest
      // caller needs.
      expect(codeOf(await stage.withdraw(withdrawalOf(4), neighbour(2)))).toBe('POOL_PAUSED');
      return codeOf(await stage.withdraw(withdrawalOf(3), HONEST)) === 'SUCCEEDED';
    });
  });

  let begun = 0;
  const deposit = (
    account: SandboxAccount,
    caller: Caller,
    into: SandboxPool = rationedPool,
  ): Promise<Answer> => {
    const body = depositBody(into, commitments[begun++] ?? 0n, account);
    return stage.stack.service.post('/api/relayer/deposit', body, caller);
  };
  /** Resolves when the list of pools reports this many deposits as left. */
  const rationIs = (left: number): Promise<unknown> =>
    eventually(`${left} deposits to be left`, async () => {
      const { body } = await stage.stack.service.get('/api/relayer/pools');
      const listed: readonly { readonly address: string }[] = Object(body).pools;
      const row = listed.find(({ address }) => BigInt(address) === rationedPool.address);
      const { depositRation } = Object(row);
      expect(depositRation).toMatchObject({
        perHour: DEPOSITS_PER_HOUR,
        perNetwork: DEPOSITS_PER_HOUR / 4,
      });
      return depositRation.left === left;
    });

  it('T12: a network gets at most a quarter of a pool’s deposits', async () => {
    const { crowd1, crowd2, depositor, buyer } = accounts;
    for (const owner of [depositor, buyer]) stage.allow(owner, rationedPool, true);
    stage.stack.chain.control.mine();
    await rationIs(8);
    expect(await endOf(deposit(crowd1, neighbour(1)))).toBe('SUCCEEDED');
    expect(await endOf(deposit(crowd2, neighbour(2)))).toBe('SUCCEEDED');
    expect(await endOf(deposit(crowd1, neighbour(3)))).toEqual(NETWORK);

    for (let count = 0; count < DEPOSITS_PER_DEPOSITOR; count += 1) {
      const [reverted] = await stage.heldBack({
        sender: accounts.lane1,
        waiting: () => 1,
        send: () => [deposit(depositor, second(1))],
        change: () => stage.allow(depositor, rationedPool, false),
      });
      if (reverted === undefined) throw new Error('nothing was sent');
      expect(codeOf(reverted)).toBe('REVERTED');
      await stage.settled(reverted);
      stage.allow(depositor, rationedPool, true);
    }
    const rationed = await endOf(deposit(depositor, second(2)));
    expect(rationed).toEqual(['DEPOSITS_RATIONED', 'depositor']);
    expect(await endOf(deposit(buyer, second(3)))).toBe('SUCCEEDED');
    expect(await endOf(deposit(buyer, second(4)))).toBe('SUCCEEDED');
    await rationIs(4);
    expect(await endOf(deposit(crowd2, second(5)))).toEqual(NETWORK);
    expect(await endOf(deposit(crowd1, HONEST))).toBe('SUCCEEDED');
    await rationIs(3);
  });

  it('T12: deposits of one network wait longer as the pool’s tree fills, unlike deposits of a second network', async () => {
    const filling = pools.stable_10;
    const fillTo = (leaves: number): void => {
      stage.set(filling.address, 'next_index', BigInt(leaves));
      stage.stack.chain.control.mine();
    };
    stage.allow(accounts.treasury, filling, true);
    fillTo(600);
    expect(await endOf(deposit(accounts.crowd2, neighbour(1), filling))).toBe('SUCCEEDED');
    const waits: number[] = [];
    for (const leaves of [768, 896]) {
      fillTo(leaves);
      const refused = await deposit(accounts.treasury, neighbour(2), filling);
      expect([codeOf(refused), Object(refused.body).details]).toEqual([
        'DEPOSITS_RATIONED',
        { scope: 'network' },
      ]);
      waits.push(Number(refused.headers.get('retry-after')));
    }
    // The wait is 20 minutes with 256 leaves left, and 40 minutes with 128 leaves left.
    const [shorter = 0, longer = 0] = waits;
    expect(shorter).toBeGreaterThan(1_000);
    expect(longer - shorter).toBeGreaterThan(1_000);
    expect(await endOf(deposit(accounts.treasury, HONEST, filling))).toBe('SUCCEEDED');
  });
});
