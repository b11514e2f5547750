import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '@sotto/load-kit';
import { type Answer, eventually, type WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld, type SandboxAccount, type SandboxPool } from '@sotto/sandbox';
import type { Note } from '@sotto/wallet';
import { depositBody } from './support/deposits.js';
import { Scrape } from './support/metrics.js';
import {
  addressText,
  commitmentText,
  commitmentsOf,
  forgedWithdrawalOf,
  notesOf,
} from './support/notes.js';
import { Stack } from './support/stack.js';
import { QUOTED, SOLD_SATS, SWAP_PAIR } from './support/swap-stage.js';
import { vector } from './support/withdrawals.js';

const { accounts, pools, swapPool, tokens } = sandboxWorld;
const TOKEN = 'token-of-the-operator';
const STRK = 10n ** 18n;
/** A reverted transaction costs about 0.3 STRK: two use up the quarter of a network. */
const LOSS_BUDGET_FRI = 2n * STRK;
const DEPOSITS_PER_HOUR = 8;
const DEPOSITS_PER_DEPOSITOR = 2;
const FEE_SATS = 900n;
const L2_GAS_FRI = 8_000_000_000n;

type Caller = Readonly<Record<string, string>>;
/** Callers, as a trusted proxy names them. */
const at = (address: string): Caller => ({ 'x-forwarded-for': address });
const HONEST = at('198.51.100.9');
/** An address of one /24. */
const neighbour = (host: number): Caller => at(`203.0.113.${host}`);
/** An address of one /48, in its own /56. */
const rented = (index: number): Caller => at(`2001:db8:1:${(index * 256).toString(16)}::1`);

const swapped = notesOf(91n, 12);
const outputs = notesOf(92n, 12);
const cheap = notesOf(93n, 3);
const tried = notesOf(94n, 6);
const commitments = commitmentsOf(notesOf(95n, 24));
const [UNKNOWN_ROOT_NOTES, SPENT] = [notesOf(96n, 3), 1];

/** Outputs of private swaps in the swap pool, as swaps would have made them. */
const OUTPUTS = 24;
const OUTPUT_WEI = 10n ** 16n;
const OUTPUT_ROOT = 0x5077_0001n;
const KNOWN_ROOTS = 30;

const codeOf = ({ body }: Answer): unknown => Object(body).code ?? Object(body).execution_status;
const codesOf = (answers: readonly Answer[]): readonly unknown[] => answers.map(codeOf);
const repeated = <T>(count: number, value: T): readonly T[] =>
  Array.from({ length: count }, () => value);

describe('strangers beside other callers', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      env: {
        OPERATOR_API_TOKEN: TOKEN,
        TRUST_PROXY: '1',
        METRICS_PORT: '0',
        LOSS_BUDGET_PER_POOL_FRI: String(LOSS_BUDGET_FRI),
        BREAKER_REVERTS: '2',
        BREAKER_PAUSE_MS: '1000',
        DEPOSITS_PER_HOUR_PER_POOL: String(DEPOSITS_PER_HOUR),
        DEPOSITS_PER_HOUR_PER_DEPOSITOR: String(DEPOSITS_PER_DEPOSITOR),
      },
      deposit: async (chain) => {
        await chain.depositInto(pools.swap_input_1, commitmentsOf(swapped));
        await chain.depositInto(pools.swap_input_2, commitmentsOf(tried));
        await chain.depositInto(pools.sentinel_1x, commitmentsOf(cheap));
      },
    });
    fillSwapPool();
    const spent = cheap[SPENT]?.nullifierHash ?? 0n;
    set(pools.sentinel_1x.address, `nullifier:${spent.toString(16)}`, 1n);
    for (const owner of [accounts.depositor, accounts.buyer])
      allow(owner, pools.sentinel_2x, true);
    allow(accounts.treasury, pools.stable_10, true);
    stack.chain.control.mine();
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const set = (address: bigint, key: string, value: bigint): void =>
    stack.chain.control.setStorage(address, key, value);
  const allow = (owner: SandboxAccount, pool: SandboxPool, isAllowed: boolean): void => {
    const key = `allowance:${owner.address.toString(16)}:${pool.address.toString(16)}`;
    set(pool.token, key, isAllowed ? 100n * pool.denomination : 0n);
  };

  /** The pool's row in an operator's status. */
  async function statusOf(key: string): Promise<{
    readonly withdrawals: { readonly state: string };
    readonly money: Readonly<Record<string, string | number>>;
  }> {
    const as = { authorization: `Bearer ${TOKEN}` };
    const { body } = await stack.service.get('/api/operator/status', as);
    const listed: readonly { readonly key: string }[] = Object(body).pools;
    return Object(listed.find((pool) => pool.key === key));
  }
  const settled = (answer: Answer): Promise<unknown> =>
    eventually('the submission to end', async () => {
      const { body } = await stack.service.get(answer.headers.get('location') ?? '');
      return ['reverted', 'succeeded'].includes(Object(body).state) && body;
    });

  /** Lets the chain stand still until this many transactions of the account wait, then changes it. */
  async function sentBefore(
    change: () => void,
    sender: SandboxAccount,
    waiting: () => number,
    send: () => readonly Promise<Answer>[],
  ): Promise<readonly Answer[]> {
    const { control } = stack.chain;
    control.pause();
    const answers = send();
    await eventually(
      'the transactions to be sent',
      () => stack.chain.waiting(sender).length === waiting(),
    );
    change();
    control.resume();
    return Promise.all(answers);
  }

  const withdrawalFrom = (
    pool: SandboxPool,
    notes: readonly Note[],
    index: number,
    fee = FEE_SATS,
  ): WithdrawalBody => ({
    poolAddress: addressText(pool),
    calldata: forgedWithdrawalOf({
      notes,
      index,
      fee,
      recipient: accounts.recipient2.address,
    }),
  });
  const withdraw = (body: WithdrawalBody, headers: Caller): Promise<Answer> =>
    stack.service.withdraw(body, { headers });

  describe('swaps of one /48', () => {
    const setMarket = (mille: bigint): void =>
      stack.chain.control.aggregator.setRate({
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
      return stack.service.post('/api/relayer/private-swap', body, caller);
    };
    const paidFri = (): bigint =>
      stack.chain.inclusions(accounts.swapOwner).reduce((sum, { feeFri }) => sum + feeFri, 0n);

    /** Swaps of as many addresses, which the market leaves behind before the next block. */
    async function slip(indexes: readonly number[]): Promise<readonly Answer[]> {
      let refused = 0;
      const answers = await sentBefore(
        () => setMarket(975n),
        accounts.swapOwner,
        () => indexes.length - refused,
        () =>
          indexes.map(async (index) => {
            const answer = await swap(index, rented(index));
            if (answer.status === 429) refused += 1;
            return answer;
          }),
      );
      setMarket(1_000n);
      await Promise.all(
        answers.filter((answer) => answer.headers.has('location')).map(settled),
      );
      return answers;
    }

    it('T6 cost the operator a quarter of the budget however many addresses send them, and no other network is refused', async () => {
      setMarket(1_000n);
      const first = await slip([0, 1, 2, 3, 4, 5, 6, 7]);
      const codes = new Set(codesOf(first));
      expect(codes).toEqual(new Set(['REVERTED', 'CALLER_BUDGET_EXHAUSTED']));
      const dearestFri = stack.chain
        .inclusions(accounts.swapOwner)
        .reduce((most, { feeFri }) => (feeFri > most ? feeFri : most), 0n);
      const refused = [0, 1, 2, 3, 4, 5, 6, 7].filter(
        (index) => first[index]?.status === 429,
      );
      await slip(refused);
      const lostFri = paidFri();
      const last = await Promise.all([8, 9].map((index) => swap(index, rented(index))));
      expect(codesOf(last)).toEqual(repeated(2, 'CALLER_BUDGET_EXHAUSTED'));
      expect(last.map(({ status, body }) => [status, Object(body).details])).toEqual(
        repeated(2, [429, { cause: 'losses' }]),
      );
      expect(paidFri()).toBe(lostFri);
      expect(lostFri).toBeLessThanOrEqual(LOSS_BUDGET_FRI / 4n + dearestFri);

      expect(codeOf(await swap(10, HONEST))).toBe('SUCCEEDED');
      expect(codeOf(await withdraw(withdrawalFrom(pools.swap_input_1, swapped, 11), HONEST))).toBe(
        'SUCCEEDED',
      );
    });
  });

  describe('requests that cannot be paid', () => {
    const pool = pools.sentinel_1x;
    const SIMULATE = 'starknet_simulateTransactions';
    const simulations = (): number => stack.chain.control.counters().calls[SIMULATE] ?? 0;
    const reads = async (): Promise<number> =>
      (await Scrape.of(stack.service)).value('sotto_port_call_seconds_count', {
        port: 'pool_reader',
        method: 'withdrawalFacts',
        outcome: 'ok',
      }) ?? 0;

    it('T9 are refused before a simulation, and read once in a block', async () => {
      const { control } = stack.chain;
      control.pause();
      const poor = withdrawalFrom(pool, cheap, 0, 1n);
      const [simulated, read] = [simulations(), await reads()];
      expect(codeOf(await withdraw(poor, neighbour(1)))).toBe('FEE_TOO_LOW');
      const many = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          // Any caller can change the hints, which the proof does not state.
          const calldata = poor.calldata.with(-1, toFelt(BigInt(index + 1)));
          return withdraw({ ...poor, calldata }, neighbour(index % 8));
        }),
      );
      expect(codesOf(many)).toEqual(repeated(40, 'FEE_TOO_LOW'));
      expect(await reads()).toBe(read + 1);
      control.mine();
      await eventually('the refusal to be read again', async () => {
        expect(codeOf(await withdraw(poor, neighbour(1)))).toBe('FEE_TOO_LOW');
        return (await reads()) === read + 2;
      });

      const unknown = withdrawalFrom(pool, UNKNOWN_ROOT_NOTES, 0);
      const spent = withdrawalFrom(pool, cheap, SPENT);
      const known = [
        await withdraw(unknown, neighbour(1)),
        await withdraw(unknown, neighbour(2)),
        await withdraw(spent, neighbour(1)),
      ];
      expect(codesOf(known)).toEqual(['ROOT_UNKNOWN', 'ROOT_UNKNOWN', 'NULLIFIER_SPENT']);
      expect(simulations()).toBe(simulated);
      control.resume();
      expect(codeOf(await withdraw(withdrawalFrom(pool, cheap, 0), HONEST))).toBe('SUCCEEDED');
      expect(simulations()).toBeGreaterThan(simulated);
    });
  });

  describe('fees below cost', () => {
    let spent = 0;
    const output = (fee: bigint): WithdrawalBody => {
      const leaf = spent++;
      return {
        poolAddress: addressText(swapPool),
        calldata: forgedCalldata({
          root: OUTPUT_ROOT,
          relayer: BigInt(vector.relayer),
          fee,
          batchStart: BigInt(leaf),
          batchSize: 1n,
          nullifierHash: 0xabc_def0n + BigInt(leaf),
          recipient: accounts.recipient3.address,
        }),
      };
    };

    /** Ten withdrawals with exactly the required fee, included at a higher gas price. */
    async function atDearerGas(feeWei: bigint, percent: bigint): Promise<void> {
      const { control } = stack.chain;
      const answers = await sentBefore(
        () => control.setGasPrices({ l2Gas: (L2_GAS_FRI * (100n + percent)) / 100n }),
        accounts.lane1,
        () => 10,
        () =>
          Array.from({ length: 10 }, (_, index) => withdraw(output(feeWei), neighbour(index + 1))),
      );
      control.setGasPrices({ l2Gas: L2_GAS_FRI });
      control.mine();
      expect(codesOf(answers)).toEqual(repeated(10, 'SUCCEEDED'));
      await Promise.all(answers.map(settled));
    }

    it('T11 pause the pool for no caller and count against the network that pays them', async () => {
      const asked = await withdraw(output(1n), neighbour(1));
      const leastWei = BigInt(Object(Object(asked.body).details).required);
      await atDearerGas(leastWei, 1n);
      expect(await statusOf('swap_pool')).toMatchObject({
        withdrawals: { state: 'open' },
        money: { lostFri: '0', losses: 0 },
      });
      await atDearerGas(leastWei, 60n);
      expect((await statusOf('swap_pool')).withdrawals.state).toBe('open');
      const refused = await withdraw(output(leastWei), neighbour(99));
      expect([refused.status, codeOf(refused), Object(refused.body).details]).toEqual([
        429,
        'CALLER_BUDGET_EXHAUSTED',
        { cause: 'losses' },
      ]);
      expect(codeOf(await withdraw(output(2n * leastWei), HONEST))).toBe('SUCCEEDED');
    });
  });

  describe('the trial of a paused pool', () => {
    const withdrawal = (index: number, fee = FEE_SATS): WithdrawalBody =>
      withdrawalFrom(pools.swap_input_2, tried, index, fee);

    it('T11 is used up neither by cheap requests of a network nor by its repeated reverts', async () => {
      for (const index of [0, 1]) {
        stack.chain.control.revertNext({ reason: 'staged', sender: accounts.lane1.address });
        await settled(await withdraw(withdrawal(index), HONEST));
      }
      const paused = await withdraw(withdrawal(3), HONEST);
      expect([codeOf(paused), Object(paused.body).details]).toEqual([
        'POOL_PAUSED',
        { cause: 'reverts' },
      ]);
      await eventually('the trial to begin', async () => {
        const code = codeOf(await withdraw(withdrawal(3, 1n), neighbour(1)));
        return code === 'FEE_TOO_LOW';
      });
      await Promise.all(
        [1n, 2n, 3n, 4n].map((fee) => withdraw(withdrawal(3, fee), neighbour(Number(fee)))),
      );
      // The caller spends the note directly, so that its trial decides nothing.
      stack.chain.control.pause();
      await stack.chain.relayByAnother(withdrawal(2).calldata, pools.swap_input_2.address);
      const [reverted] = await sentBefore(
        () => undefined,
        accounts.lane1,
        () => 1,
        () => [withdraw(withdrawal(2), neighbour(1))],
      );
      if (reverted === undefined) throw new Error('nothing was sent');
      expect(codeOf(reverted)).toBe('REVERTED');
      await settled(reverted);
      await eventually('the trial to be free', async () => {
        // Asked first each time: it would get the trial that the other caller waits for.
        expect(codeOf(await withdraw(withdrawal(4), neighbour(2)))).toBe('POOL_PAUSED');
        return codeOf(await withdraw(withdrawal(3), HONEST)) === 'SUCCEEDED';
      });
    });
  });

  describe('deposits of two networks', () => {
    const pool = pools.sentinel_2x;
    let begun = 0;
    const deposit = (
      account: SandboxAccount,
      caller: Caller,
      into: SandboxPool = pool,
    ): Promise<Answer> =>
      stack.service.post(
        '/api/relayer/deposit',
        depositBody(into, commitments[begun++] ?? 0n, account),
        caller,
      );
    const endOf = async (answer: Promise<Answer>): Promise<unknown> => {
      const { body } = await answer;
      return Object(body).code === undefined
        ? Object(body).execution_status
        : [Object(body).code, Object(body).details.scope];
    };
    /** Resolves when the pools list shows this many deposits as left. */
    const rationIs = (left: number): Promise<unknown> =>
      eventually(`${left} deposits to be left`, async () => {
        const { body } = await stack.service.get('/api/relayer/pools');
        const listed: readonly { readonly address: string }[] = Object(body).pools;
        const row = listed.find(({ address }) => BigInt(address) === pool.address);
        const { depositRation } = Object(row);
        expect(depositRation).toMatchObject({
          perHour: DEPOSITS_PER_HOUR,
          perNetwork: DEPOSITS_PER_HOUR / 4,
        });
        return depositRation.left === left;
      });
    const second = (host: number): Caller => at(`198.18.0.${host}`);
    const REFUSED = ['DEPOSITS_RATIONED', 'network'];

    it('T12 take a quarter of a pool each, reverted ones count against their depositor, and another network still deposits', async () => {
      const { crowd1, crowd2, depositor, buyer } = accounts;
      await rationIs(8);
      expect(await endOf(deposit(crowd1, neighbour(1)))).toBe('SUCCEEDED');
      expect(await endOf(deposit(crowd2, neighbour(2)))).toBe('SUCCEEDED');
      expect(await endOf(deposit(crowd1, neighbour(3)))).toEqual(REFUSED);

      for (let count = 0; count < DEPOSITS_PER_DEPOSITOR; count += 1) {
        const [reverted] = await sentBefore(
          () => allow(depositor, pool, false),
          accounts.lane1,
          () => 1,
          () => [deposit(depositor, second(1))],
        );
        expect(Object(reverted?.body).execution_status).toBe('REVERTED');
        allow(depositor, pool, true);
      }
      await rationIs(6);
      expect(await endOf(deposit(depositor, second(2)))).toEqual([
        'DEPOSITS_RATIONED',
        'depositor',
      ]);
      expect(await endOf(deposit(buyer, second(3)))).toBe('SUCCEEDED');
      expect(await endOf(deposit(buyer, second(4)))).toBe('SUCCEEDED');
      expect(await endOf(deposit(crowd2, second(5)))).toEqual(REFUSED);
      expect(await endOf(deposit(crowd1, HONEST))).toBe('SUCCEEDED');
      await rationIs(3);
    });

    it('T12 of one network wait longer as the tree fills, and those of another network do not', async () => {
      const filling = pools.stable_10;
      const fillTo = (leaves: number): void => {
        set(filling.address, 'next_index', BigInt(leaves));
        stack.chain.control.mine();
      };
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
      // 20 minutes with 256 leaves left, and 40 with 128.
      const [shorter = 0, longer = 0] = waits;
      expect(shorter).toBeGreaterThan(1_000);
      expect(longer - shorter).toBeGreaterThan(1_000);
      expect(await endOf(deposit(accounts.treasury, HONEST, filling))).toBe('SUCCEEDED');
    });
  });

  const fillSwapPool = (): void => {
    const { address } = swapPool;
    set(address, 'next_index', BigInt(OUTPUTS));
    set(address, `root:${OUTPUTS % KNOWN_ROOTS}`, OUTPUT_ROOT);
    set(address, 'active_deposits', BigInt(OUTPUTS));
    stack.chain.control.mint(address, OUTPUT_WEI * BigInt(OUTPUTS), tokens.ETH.address);
    for (let leaf = 0; leaf < OUTPUTS; leaf += 1) {
      set(address, `leaf_token:${leaf}`, tokens.ETH.address);
      set(address, `leaf_amount:${leaf}`, OUTPUT_WEI);
    }
  };
});
