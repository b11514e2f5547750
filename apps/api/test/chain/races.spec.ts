import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { describeOnChain } from './support/describe-on-chain.js';
import { ProofBot, type BotSight } from './support/proof-bot.js';
import { Site } from './support/site.js';
import { ForgedWithdrawals, anyLeaves, bodyFor } from './support/withdrawals.js';

/**
 * Number of races that each row of `ROWS` runs. If it is 0, this file is skipped, because it
 * measures and does not test.
 */
const RACES = Number(process.env['SOTTO_RACES'] ?? 0);
const BATCH = 3;

/** Actions by which an owner tries to save the note of a reverted swap. */
const OWNERS = [
  ['swaps the note again at ACCEPTED_ON_L2', 'again'],
  ['withdraws through the relayer at ACCEPTED_ON_L2', 'relayer'],
  ['withdraws by an own account at PRE_CONFIRMED', 'direct'],
] as const;
type Owner = (typeof OWNERS)[number][1];
const SIGHTS: readonly BotSight[] = ['pre_confirmed', 'latest'];
const ROWS = OWNERS.flatMap(([text, owner], at) =>
  SIGHTS.map((sight, of) => [text, sight, owner, at * SIGHTS.length + of] as const),
);

const ADD = 'starknet_addInvokeTransaction';
const POOL = 'swap_input_1';
/**
 * Minimum block time in milliseconds. The chain produces a block every 2 s to 9.5 s, as the
 * Starknet network does.
 */
const BLOCK_MS = 2_000;
const OWNER_PAUSE_MS = 100;
/**
 * Time in milliseconds between signing and arrival of a swap. The market moves during this time.
 */
const ON_THE_WAY_MS = 3_000;
const FAIR = 19_600_000n;
/**
 * Output after the market moved: outside the tolerance of 1 %, but within the maximum impact below
 * the fair value.
 */
const MOVED = (FAIR * 98n) / 100n;
const TIMEOUT_MS = 3_600_000;

/**
 * Leaves for all races, one leaf per race: `RACES` races for each row of `ROWS`, and `RACES` races
 * without a bot.
 */
const leaves = anyLeaves(Math.ceil((RACES * (ROWS.length + 1)) / BATCH) * BATCH);
const withdrawals = new ForgedWithdrawals(leaves, 400n);

(RACES === 0 ? describe.skip : describe)('the races that SOTTO_RACES=<count> measures', () => {
  describeOnChain('a race for the note of a reverted swap', (node) => {
    let site: Site;
    beforeAll(async () => {
      site = await Site.start((how) => node.start({ ...how, blockMs: BLOCK_MS }), {
        deposits: { [POOL]: leaves },
        verificationKey: trapdoorKey,
        env: UNLIMITED,
      });
    }, TIMEOUT_MS);
    afterAll(() => site.stop());

    const world = () => site.chain.world;
    const isSpent = (index: number) => site.chain.isSpent(POOL, withdrawals.nullifierOf(index));
    const setRate = (buyAmount: bigint) => {
      const { WBTC, USDC } = world().tokens;
      const rate = { sell: WBTC.address, buy: USDC.address, sellAmount: 19_600n, buyAmount };
      return site.chain.setRate(rate);
    };
    const swap = (index: number) =>
      site.client.POST('/api/relayer/private-swap', {
        params: { header: { prefer: 'respond-async' } },
        body: {
          wbtcPool: toFelt(world().pools[POOL].address),
          proofCalldata: [...withdrawals.calldata(index, world().swapPool.address)],
          newCommitment: toFelt(0x5a1n + BigInt(index)),
          outputToken: toFelt(world().tokens.USDC.address),
        },
      });

    /** Resolves when the owner reads that the swap has reverted. */
    async function reverted(location: string | null, finality: readonly string[]): Promise<void> {
      for (;;) {
        const { body } = await site.service.get(location ?? '');
        const shown: Readonly<Record<string, unknown>> = Object(body);
        const isFinal = finality.includes(String(shown['finality']));
        if (shown['execution_status'] === 'REVERTED' && isFinal) return;
        if (shown['execution_status'] === 'SUCCEEDED') return;
        await systemClock.sleep(OWNER_PAUSE_MS);
      }
    }

    /** Calls `act` repeatedly until the note is spent. */
    async function untilSpent(index: number, act: () => Promise<unknown>): Promise<void> {
      while (!(await isSpent(index))) {
        await act();
        await systemClock.sleep(OWNER_PAUSE_MS);
      }
    }

    const owners: Readonly<Record<Owner, (index: number, at: string | null) => Promise<void>>> = {
      again: async (index, location) => {
        await reverted(location, ['ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']);
        await untilSpent(index, () => swap(index));
      },
      relayer: async (index, location) => {
        await reverted(location, ['ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']);
        const body = bodyFor(world().pools[POOL], withdrawals.calldata(index));
        await untilSpent(index, () => site.service.withdraw(body));
      },
      direct: async (index, location) => {
        await reverted(location, ['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']);
        const calldata = withdrawals.calldata(index).map(BigInt);
        const to = world().pools[POOL].address;
        const call = { to, entrypoint: 'withdraw', calldata };
        await site.chain.client.send(world().accounts.crowd1, [call]);
        await untilSpent(index, async () => {});
      },
    };

    /**
     * Sends a swap and moves the market, so that the swap reverts. Resolves with the path of the
     * submission.
     */
    async function slip(index: number): Promise<string | null> {
      await setRate(FAIR);
      const struck = site.proxy.counters().struck['arrive-late'] ?? 0;
      const fault = { kind: 'arrive-late', delayMs: ON_THE_WAY_MS } as const;
      site.proxy.addFault({ method: ADD, fault });
      const { response, error } = await swap(index);
      expect([response.status, error]).toEqual([202, undefined]);
      await eventually('the swap to be in flight', () =>
        (site.proxy.counters().struck['arrive-late'] ?? 0) > struck ? true : undefined,
      );
      await setRate(MOVED);
      return response.headers.get('location');
    }

    /** Runs one race. Resolves with true if the bot spends the note. */
    async function botWins(index: number, sight: BotSight, owner: Owner): Promise<boolean> {
      const location = await slip(index);
      const bot = new ProofBot(site.chain, world().accounts.lane3, sight);
      bot.start();
      await owners[owner](index, location);
      await bot.stop();
      let isWon = false;
      for (const hash of bot.hashes) {
        const { execution_status: status } = await site.chain.client.accepted(hash);
        isWon ||= status === 'SUCCEEDED';
      }
      return isWon;
    }

    /**
     * Returns the number of the block that contains a transaction. `location` is the path at which
     * the service reports the submission.
     */
    async function blockOf(location: string | null): Promise<number> {
      const { body } = await site.service.get(location ?? '');
      const shown: Readonly<Record<string, unknown>> = Object(body);
      const { block_number: block = Number.NaN } = await site.chain.client.accepted(
        String(shown['transaction_hash']),
      );
      return block;
    }

    it(
      'measures the number of blocks between a swap’s revert and the owner’s withdrawal without a competing bot',
      async () => {
        const blocks: number[] = [];
        for (let race = 0; race < RACES; race += 1) {
          const index = ROWS.length * RACES + race;
          const swapped = await slip(index);
          await reverted(swapped, ['ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']);
          const body = bodyFor(world().pools[POOL], withdrawals.calldata(index));
          const { status, headers } = await site.service.withdraw(body);
          expect(status).toBe(200);
          blocks.push((await blockOf(headers.get('location'))) - (await blockOf(swapped)));
        }
        const sorted = blocks.toSorted((one, other) => one - other);
        process.stderr.write(`blocks from the revert to the withdrawal: ${sorted.join(' ')}\n`);
      },
      TIMEOUT_MS,
    );

    it.each(ROWS)(
      'measures how often a bot spends the note of a reverted swap first if the owner %s and the bot reads %s',
      async (text, sight, owner, row) => {
        let wins = 0;
        for (let race = 0; race < RACES; race += 1) {
          const index = row * RACES + race;
          if (await botWins(index, sight, owner)) wins += 1;
          expect(await isSpent(index)).toBe(true);
        }
        process.stderr.write(`bot (${sight}) wins ${wins} of ${RACES}: the owner ${text}\n`);
      },
      TIMEOUT_MS,
    );
  });
});

/** Settings under which no budget can end a race. */
const UNLIMITED = {
  GAS_BUDGET_PER_POOL_FRI: '2000000000000000000000',
  GAS_BUDGET_IN_ALL_FRI: '5000000000000000000000',
  LOSS_BUDGET_PER_POOL_FRI: '2000000000000000000000',
};
