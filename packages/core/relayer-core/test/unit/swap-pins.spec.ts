import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import {
  FAIR_RATE,
  NEW_COMMITMENT,
  QUOTED,
  SELL_AMOUNT,
  STRK,
  aSwap,
  aSwapWorld,
  deposit,
  swapPolicy,
} from '../support/swap-world.js';
import { calldataWith, goodCalldata, proofOf, vector } from '../support/vector.js';
import { pool, policy } from '../support/world.js';

const STOLEN = NEW_COMMITMENT + 1n;
const ETH = toFelt('0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7');
const PIN = {
  chainId: policy.chainId,
  pool: pool.address,
  nullifierHash: BigInt(vector.publicInputs[1] ?? 0),
  newCommitment: NEW_COMMITMENT,
  outputToken: STRK,
  floor: (QUOTED * 99n + 99n) / 100n,
};

const rejectionOf = (answer: Promise<unknown>) => answer.catch((error: unknown) => error);

/**
 * World in which the victim’s swap has reverted. The proof of this swap is therefore public on
 * chain.
 */
async function reverted() {
  const world = aSwapWorld({
    outputTokens: [...swapPolicy.outputTokens, { symbol: 'ETH', address: ETH, decimals: 18 }],
  });
  const { submissionId } = await world.swap();
  world.submissions.execute(submissionId, 'REVERTED');
  return world;
}

describe('S1 theft of a swapped note', () => {
  it.each([
    ['a commitment of his own', { newCommitment: STOLEN }],
    ['another token', { outputToken: ETH }],
  ])(
    'S1: a thief cannot repeat the proof of a reverted swap with %s, but the owner can still swap',
    async (_, terms) => {
      const { swap, submissions, deposits } = await reverted();
      const pinned = {
        code: 'SWAP_PINNED',
        kind: 'conflict',
        details: { newCommitment: `0x${NEW_COMMITMENT.toString(16)}`, outputToken: STRK },
      };
      expect(await rejectionOf(swap(terms))).toMatchObject(pinned);
      expect(submissions.accepted).toHaveLength(1);
      submissions.executeAll('SUCCEEDED');
      deposits.setSwapDeposit(
        toFelt(BigInt(`0x${Buffer.from('attempt-2').toString('hex')}`)),
        deposit,
      );
      expect(await swap()).toMatchObject({ submissionId: 'attempt-2', leafIndex: 3 });
    },
  );

  it('S1 a thief’s swap of a pinned note is rejected after a restart and in every instance', async () => {
    const { restarted } = await reverted();
    expect(
      await rejectionOf(restarted().execute({ ...aSwap, newCommitment: STOLEN })),
    ).toMatchObject({ code: 'SWAP_PINNED' });
  });

  it('S1 the error for an invalid proof does not contain the pin', async () => {
    const { swap } = await reverted();
    const guessed = calldataWith({ fee: 151n });
    const rejection = await rejectionOf(swap({ proofCalldata: guessed, newCommitment: STOLEN }));
    expect(rejection).toMatchObject({ code: 'PROOF_INVALID' });
    expect(JSON.stringify(rejection)).not.toContain(NEW_COMMITMENT.toString(16));
  });

  it('S1 a pin does not prevent the owner’s withdrawal of the note once no attempt is live', async () => {
    const { swap, submit, submissions, verifier } = aSwapWorld();
    const plain = calldataWith({ recipient: accountAddress(0x7e11e5n) });
    verifier.accept(proofOf(plain));
    const { submissionId } = await swap();
    expect(await rejectionOf(submit(plain))).toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
    submissions.execute(submissionId, 'REVERTED');
    expect(await submit(plain)).toMatchObject({ submissionId: 'attempt-2' });
  });
});

describe('S2 theft by the operator of the node', () => {
  it('S2 the note is pinned before the node gets the proof in a simulation', async () => {
    const { swap, simulator, pins } = aSwapWorld();
    const pinned: unknown[] = [];
    simulator.revert('watched', ({ entrypoint }) => {
      pinned.push([entrypoint, pins.all]);
      return false;
    });
    await swap();
    expect(pinned).toEqual([['private_swap', [PIN]]]);
  });

  it('S2: after a reverted simulation, a request with the same proof but other terms is rejected', async () => {
    const { swap, simulator, submissions } = aSwapWorld();
    simulator.revert('SwapPool: paused', () => true);
    expect(await rejectionOf(swap())).toMatchObject({ code: 'SIMULATION_REVERTED' });
    expect(await rejectionOf(swap({ newCommitment: STOLEN }))).toMatchObject({
      code: 'SWAP_PINNED',
    });
    expect(submissions.attempts).toEqual([]);
  });

  it('S2 no node gets the proof while the store of pins is unavailable', async () => {
    const { swap, pins, log, simulator } = aSwapWorld();
    pins.fail();
    expect(await rejectionOf(swap())).toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    expect([simulator.simulated, log.calls.filter(({ port }) => port === 'simulation')]).toEqual([
      [],
      [],
    ]);
  });

  it('S2: exactly one of several concurrent swap requests pins the note, even at two instances', async () => {
    const { swap, restarted, pins, submissions, simulator } = aSwapWorld();
    const other = restarted();
    const answers = await Promise.allSettled(
      [0n, 1n, 2n, 3n].map(async (offset) => {
        const newCommitment = NEW_COMMITMENT + offset;
        return offset % 2n === 0n
          ? swap({ newCommitment })
          : other.execute({ ...aSwap, newCommitment });
      }),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 'rejected')).toMatchObject(
      Array.from({ length: 3 }, () => ({ reason: { code: 'SWAP_PINNED' } })),
    );
    expect([pins.all.length, submissions.accepted.length, simulator.simulated.length]).toEqual([
      1, 1, 1,
    ]);
  });
});

describe('the pin of a swap', () => {
  it('writes no pin for a request with an unknown root, with an existing commitment, or without an aggregator quote', async () => {
    const invented = aSwapWorld();
    const proofCalldata = calldataWith({ root: 9n });
    invented.verifier.accept(proofOf(proofCalldata));
    expect(await rejectionOf(invented.swap({ proofCalldata }))).toMatchObject({
      code: 'ROOT_UNKNOWN',
    });

    const known = aSwapWorld();
    known.statuses.commit(swapPolicy.swapPool, deposit.commitment);
    expect(await rejectionOf(known.swap())).toMatchObject({ code: 'COMMITMENT_EXISTS' });
    expect(known.aggregator.requested).toEqual([]);

    const unquoted = aSwapWorld();
    unquoted.aggregator.setRates([]);
    expect(await rejectionOf(unquoted.swap())).toMatchObject({ code: 'NO_QUOTES_AVAILABLE' });
    expect([...invented.pins.all, ...known.pins.all, ...unquoted.pins.all]).toEqual([]);
  });

  it('does not delete the note’s pin if the swap is not sent', async () => {
    const { swap, simulator, pins } = aSwapWorld();
    simulator.revert('Insufficient tokens received', () => true);
    expect(await rejectionOf(swap())).toMatchObject({ code: 'SLIPPAGE_TOO_TIGHT' });
    expect(pins.all).toEqual([PIN]);
  });

  it('T1 the pin sets the minimum output of every later swap of the note, for any slippage in the request', async () => {
    const { swap, submissions, aggregator, pins } = aSwapWorld();
    const first = await swap();
    submissions.execute(first.submissionId, 'REVERTED');
    aggregator.setRates([
      { sellToken: pool.token.address, buyToken: STRK, bought: FAIR_RATE * 995n, sold: 1_000n },
    ]);
    await swap({ slippagePpm: 150_000 });
    const calldata = submissions.accepted[1]?.calldata;
    const at = 1 + goodCalldata.length + 3;
    expect([calldata?.at(at), calldata?.at(at + 1)]).toEqual([
      PIN.floor & (2n ** 128n - 1n),
      PIN.floor >> 128n,
    ]);
    expect(aggregator.builds.at(-1)?.slippagePpm).toBe(5_025);
    expect(pins.all).toEqual([PIN]);
  });

  it('rejects a quote below the sum of the pin’s floor and the smallest allowed tolerance', async () => {
    const { swap, submissions, aggregator } = aSwapWorld();
    const floor = (QUOTED * 98n) / 100n;
    const first = await swap({ minAmountOut: floor, slippagePpm: 20_000 });
    submissions.execute(first.submissionId, 'REVERTED');
    // Smallest quote whose minimum output (99.9 % of the quote, rounded up) reaches the pinned
    // minimum.
    const least = ((floor - 1n) * 1_000n) / 999n + 1n;
    const quote = (amount: bigint) =>
      aggregator.setRates([
        { sellToken: pool.token.address, buyToken: STRK, bought: amount, sold: SELL_AMOUNT },
      ]);
    quote(least - 1n);
    expect(await rejectionOf(swap({ slippagePpm: 150_000 }))).toMatchObject({
      code: 'SWAP_BELOW_FLOOR',
      kind: 'unprocessable',
      details: { offered: String(least - 1n), floor: String(floor) },
    });
    quote(least);
    expect(await swap()).toMatchObject({ submissionId: 'attempt-2' });
  });
});
