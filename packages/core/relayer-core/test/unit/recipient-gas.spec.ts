import { describe, expect, it } from '@jest/globals';
import { accountAddress } from '@sotto/kernel/testing';
import { toFelt, type Caller, type Felts } from '@sotto/kernel';
import {
  MAX_RECIPIENT_GAS_FRI,
  RECIPIENT_GAS_PER_HOUR,
  RecipientGasBudget,
  QuoteRedemption,
  RelayedCalls,
  SubmitWithdrawal,
  WithdrawalAdmission,
  guardedFacts,
  readWithdrawalCall,
  splitRecipientGas,
  withRecipientGas,
  type WithdrawalInput,
} from '../../src/index.js';
import { LedgerUnavailable, QueueFull } from '@sotto/submission-core';
import { SMALL_BATCH_BELOW, WITHDRAWAL_LIMITS } from '../../src/testing/index.js';
import { anEstimateWorld } from '../support/estimate-world.js';
import { PAID_BY, aLostLedger } from '../support/lost-ledger.js';
import { calldataWith, goodCalldata, proofOf, vector } from '../support/vector.js';
import { PRICES, aWorld, policy, pool, poolState, quote, type World } from '../support/world.js';

const STRK = toFelt('0x4718');
const STRK_FRI = 10n ** 18n;
const HALF = STRK_FRI / 2n;
/** Fee that covers a withdrawal with 1 STRK: 20.8 sats of gas and 71.7 sats of STRK. */
const FEE = 93n;
const RECIPIENT = toFelt(vector.recipient);
const TARGET = { to: pool.address, entrypoint: 'withdraw' };

function ready(fee = FEE, world: World = aWorld()) {
  const calldata = calldataWith({ fee });
  world.verifier.accept(proofOf(calldata));
  const submit = (changes: Partial<WithdrawalInput> = {}) =>
    world.subject.execute({
      poolAddress: pool.address,
      calldata,
      recipientGasFri: STRK_FRI,
      waitMs: 0,
      ...changes,
    });
  return { world, calldata, submit };
}

const given = (calldata: Felts, amountFri = STRK_FRI, recipient = RECIPIENT): Felts =>
  withRecipientGas(calldata, { token: STRK, recipient, amountFri });

const calls = new RelayedCalls({
  chainId: policy.chainId,
  pools: [pool],
  swapPool: toFelt('0x59a'),
  privacyPools: [],
  limits: WITHDRAWAL_LIMITS,
  newId: () => 'adopted',
});

describe('a withdrawal that gives STRK to its recipient', () => {
  it('a withdrawal with STRK is submitted as the withdrawal followed by a transfer to the recipient of the proof', async () => {
    const { world, calldata, submit } = ready();
    await submit();
    expect(world.submissions.accepted).toHaveLength(1);
    const stored = world.submissions.accepted[0]?.calldata;
    expect(stored?.equals(given(calldata))).toBe(true);
    expect(stored?.slice(calldata.length).toHex()).toEqual([
      STRK,
      '0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e',
      '0x3',
      RECIPIENT,
      `0x${STRK_FRI.toString(16)}`,
      '0x0',
    ]);
  });

  it('the node simulates the transfer together with the withdrawal', async () => {
    const { world, calldata, submit } = ready();
    await submit();
    expect(world.simulator.simulated).toHaveLength(1);
    expect(world.simulator.simulated[0]?.calldata.equals(given(calldata))).toBe(true);
  });

  it('the fee must cover the gas and the STRK', async () => {
    const { world, submit } = ready(FEE - 1n);
    await expect(submit()).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { offered: '92', required: '93' },
    });
    expect(world.submissions.attempts).toEqual([]);
    await submit({ recipientGasFri: 0n });
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('the operator earns the fee less the price of the STRK', async () => {
    const { world, submit } = ready();
    await submit();
    expect(world.submissions.accepted).toMatchObject([{ terms: { feeAmount: FEE - 72n } }]);
  });

  it('an amount above the maximum is rejected before any read', async () => {
    const { world, submit } = ready();
    for (const recipientGasFri of [STRK_FRI + 1n, MAX_RECIPIENT_GAS_FRI + 1n, 10n ** 40n])
      await expect(submit({ recipientGasFri })).rejects.toMatchObject({
        code: 'RECIPIENT_GAS_NOT_OFFERED',
        details: { maximum: String(STRK_FRI) },
      });
    expect(world.log.calls).toEqual([]);
  });

  it('the service reports a lack of STRK in its account as its own, and not as a revert of the withdrawal', async () => {
    // The simulation returns no gas, so the estimate is used: one more sat for the transfer's gas.
    const { world, submit } = ready(FEE + 1n);
    world.simulator.revert(
      'ERC20: insufficient balance',
      ({ calldata }) => splitRecipientGas(calldata).recipientGas !== null,
    );
    await expect(submit()).rejects.toMatchObject({
      code: 'RECIPIENT_GAS_UNAVAILABLE',
      retryAfterSeconds: 60,
    });
    expect(await world.guarding.guard.peek(pool, 'relay')).toBeNull();
    world.simulator.revert('already withdrawn');
    await expect(submit({ caller: { name: 'b', networks: [] } })).rejects.toMatchObject({
      code: 'SIMULATION_REVERTED',
    });
  });
});

describe('a rejected request that is repeated with other amounts', () => {
  const AMOUNTS = [0n, 1n, 2n, 3n];

  it('junk hints are simulated once per caller and block, with any amount', async () => {
    const { world, submit } = ready();
    world.simulator.revert('wrong hints');
    for (const recipientGasFri of AMOUNTS)
      await expect(submit({ recipientGasFri })).rejects.toMatchObject({
        code: 'SIMULATION_REVERTED',
      });
    expect(world.simulator.simulated).toHaveLength(1);
  });

  it('the pool’s state is read once per block for an unknown root, with any amount', async () => {
    const { world, submit } = ready();
    world.pools.set(pool.address, { ...poolState, knownRoots: [] });
    for (const recipientGasFri of AMOUNTS)
      await expect(submit({ recipientGasFri })).rejects.toMatchObject({ code: 'ROOT_UNKNOWN' });
    expect(world.log.ports().filter((port) => port === 'facts')).toHaveLength(1);
  });

  it('a fee that is too low for one amount is not rejected for a lower amount', async () => {
    const { submit } = ready(FEE - 1n);
    await expect(submit()).rejects.toMatchObject({ code: 'FEE_TOO_LOW' });
    await expect(submit({ recipientGasFri: HALF })).resolves.toMatchObject({
      submissionId: 'attempt-1',
    });
  });
});

describe('the amount that a caller named', () => {
  it('a repetition with the same amount gets the first submission', async () => {
    const { world, submit } = ready();
    const first = await submit();
    expect((await submit()).submissionId).toBe(first.submissionId);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it.each([
    ['another amount', HALF],
    ['no amount', 0n],
  ])('a repetition with %s does not change the amount', async (_what, recipientGasFri) => {
    const { world, calldata, submit } = ready();
    const { submissionId } = await submit();
    await expect(submit({ recipientGasFri })).rejects.toMatchObject({
      code: 'WITHDRAWAL_IN_PROGRESS',
      details: { submissionId },
    });
    expect(world.submissions.accepted).toHaveLength(1);
    expect(world.submissions.accepted[0]?.calldata.equals(given(calldata))).toBe(true);
  });

  it('an amount is not added to a plain withdrawal in flight', async () => {
    const { world, calldata, submit } = ready();
    await submit({ recipientGasFri: 0n });
    await expect(submit()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
    expect(world.submissions.accepted[0]?.calldata.equals(calldata)).toBe(true);
  });

  it('only one of two concurrent requests with different amounts is accepted', async () => {
    const { world, submit } = ready();
    const answers = await Promise.allSettled([submit(), submit({ recipientGasFri: HALF })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('a newer proof of the withdrawal in flight retains the amount', async () => {
    const { world, submit } = ready();
    const first = await submit();
    const newer = calldataWith({ fee: FEE, root: 77n });
    world.verifier.accept(proofOf(newer));
    world.pools.set(pool.address, { ...poolState, knownRoots: [77n] });
    expect((await submit({ calldata: newer })).submissionId).toBe(first.submissionId);
    expect(world.submissions.accepted[0]?.calldata.equals(given(newer))).toBe(true);
  });

  it('a repetition is not rejected after the operator has lowered the maximum', async () => {
    const { world, submit } = ready();
    const first = await submit();
    const lowered = { ...policy, recipientGas: { maxFri: 0n, token: STRK } };
    const lowering = new SubmitWithdrawal(
      new WithdrawalAdmission(world.ports, lowered),
      world.submissions,
      new QuoteRedemption(world.quoteStore, world.clock),
      world.guarding,
      WITHDRAWAL_LIMITS,
      SMALL_BATCH_BELOW,
      world.recipientGas,
    );
    const { submissionId } = await lowering.execute({
      poolAddress: pool.address,
      calldata: calldataWith({ fee: FEE }),
      recipientGasFri: STRK_FRI,
      waitMs: 0,
    });
    expect(submissionId).toBe(first.submissionId);
  });

  it('only a request with its amount adopts a transaction that the ledger lost', async () => {
    const world = aLostLedger();
    await world.meet(world.spent({ calldata: given(goodCalldata) }));
    await expect(world.submit(goodCalldata)).rejects.toMatchObject({
      code: 'NULLIFIER_SPENT',
      details: { transactionHash: PAID_BY },
    });
    await expect(world.submit(goodCalldata, HALF)).rejects.toMatchObject({
      code: 'NULLIFIER_SPENT',
    });
    const { answer } = await world.submit(goodCalldata, STRK_FRI);
    expect(answer).toMatchObject({ transactionHash: PAID_BY });
  });

  it('a request for STRK does not adopt a plain withdrawal', async () => {
    const world = aLostLedger();
    await world.meet(world.spent());
    await expect(world.submit(goodCalldata, STRK_FRI)).rejects.toMatchObject({
      code: 'NULLIFIER_SPENT',
    });
  });
});

describe('a quote with STRK for the recipient', () => {
  const withGas = { ...quote, feeAmount: FEE, recipientGasFri: STRK_FRI };

  it('the quote is binding for a withdrawal with this amount', async () => {
    const { world, submit } = ready();
    world.quoteStore.put(withGas);
    await submit({ quoteId: quote.id });
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it.each([
    ['a quote without STRK', quote, STRK_FRI],
    ['a quote with less STRK', { ...withGas, recipientGasFri: HALF }, STRK_FRI],
    ['a quote with STRK for a withdrawal without', withGas, 0n],
  ])('the quote does not replace the price check: %s is rejected', async (_what, cited, amount) => {
    const { world, submit } = ready();
    world.quoteStore.put(cited);
    await expect(submit({ quoteId: quote.id, recipientGasFri: amount })).rejects.toMatchObject({
      code: 'QUOTE_MISMATCH',
    });
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
  });

  it('the quoted fee is binding while it covers the present price of the STRK', async () => {
    const { world, submit } = ready();
    world.quoteStore.put(withGas);
    const pricedAt = (usdE8: bigint): void =>
      world.prices.set(
        PRICES.map((price) => (price.asset === 'STRK' ? { ...price, usdE8 } : price)),
      );
    pricedAt(5_580_001n);
    await expect(submit({ quoteId: quote.id })).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
      details: { offered: '93', required: '94' },
    });
    expect(world.simulator.simulated).toEqual([]);
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
    pricedAt(5_580_000n);
    world.latestBlock.mine();
    await submit({ quoteId: quote.id });
    expect(world.submissions.accepted).toMatchObject([{ terms: { feeAmount: 0n } }]);
  });

  it('the STRK of a quote does not raise the ceiling of the gas', async () => {
    const { world, submit } = ready();
    world.quoteStore.put(withGas);
    // Gas of 2.4 times the estimate. With 1 STRK on both sides of the comparison, it would pass.
    world.simulator.use({ l2Gas: 88_000_000n, l1Gas: 0n, l1DataGas: 20_000n });
    await expect(submit({ quoteId: quote.id })).rejects.toMatchObject({
      code: 'COST_EXCEEDS_QUOTE',
    });
  });

  it('the quoted fee includes the price of the STRK, and the quote contains the amount', async () => {
    const world = anEstimateWorld();
    const plain = await world.issueQuote.execute({ poolAddress: pool.address });
    const issued = await world.issueQuote.execute({
      poolAddress: pool.address,
      recipientGasFri: HALF,
    });
    expect(plain.quote).not.toHaveProperty('recipientGasFri');
    expect(issued.quote.recipientGasFri).toBe(HALF);
    // 0.5 STRK are 250 sats at 0.5 USD and 100,000 USD; the margin is 20 %.
    const moreSats = issued.estimate.costAmount - plain.estimate.costAmount;
    expect(moreSats).toBeGreaterThanOrEqual(250n);
    expect(moreSats).toBeLessThan(300n);
    expect(issued.quote.feeAmount - plain.quote.feeAmount).toBeGreaterThanOrEqual(300n);
    expect(await world.quoteStore.find(issued.quote.id)).toMatchObject({ recipientGasFri: HALF });
  });

  it.each([
    ['above the maximum', { recipientGasFri: STRK_FRI + 1n }],
    ['with a private swap', { recipientGasFri: 1n, operation: 'private_swap' as const }],
  ])('no quote is issued %s', async (_what, use) => {
    await expect(
      anEstimateWorld().issueQuote.execute({ poolAddress: pool.address, ...use }),
    ).rejects.toMatchObject({ code: 'RECIPIENT_GAS_NOT_OFFERED' });
  });
});

const callerOf = (index: number): Caller => ({
  name: `10.0.${index}.1`,
  networks: [`10.0.${index}.0/24`],
});

/** Uses up the budget by requests of many networks. Returns the number of counted requests. */
function useUp(budget: RecipientGasBudget): number {
  let taken = 0;
  for (let network = 0; network < 200; network += 1)
    try {
      budget.take(callerOf(network));
      taken += 1;
    } catch {
      // The budget is used up.
    }
  return taken;
}

describe('RecipientGasBudget', () => {
  it('the budget gives one network at most half of the hour’s withdrawals, and leaves the rest to others', () => {
    const budget = new RecipientGasBudget({ monotonicMs: () => 0 });
    for (let taken = 0; taken < RECIPIENT_GAS_PER_HOUR / 2; taken += 1) budget.take(callerOf(1));
    expect(() => budget.take(callerOf(1))).toThrow(
      expect.objectContaining({ code: 'RECIPIENT_GAS_UNAVAILABLE', retryAfterSeconds: 3_600 }),
    );
    expect(() => budget.take(callerOf(2))).not.toThrow();
  });

  it('the budget bounds the withdrawals of all networks, and frees them after an hour', () => {
    let nowMs = 0;
    const budget = new RecipientGasBudget({ monotonicMs: () => nowMs });
    expect(useUp(budget)).toBe(RECIPIENT_GAS_PER_HOUR);
    nowMs = 3_600_000;
    expect(() => budget.take(callerOf(1))).not.toThrow();
  });

  it('the budget counts no rejected and no repeated request', async () => {
    const { world, submit } = ready();
    const written = world.submissions.submit.bind(world.submissions);
    world.submissions.submit = () => Promise.reject(new QueueFull({ retryAfterSeconds: 1 }));
    await expect(submit()).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    world.submissions.submit = written;
    for (let repetition = 0; repetition < 3; repetition += 1) await submit();
    const { calldata } = ready();
    await submit({ calldata });
    expect(useUp(world.recipientGas)).toBe(RECIPIENT_GAS_PER_HOUR - 1);
  });

  it('the budget counts an attempt that may have been written although the ledger did not answer', async () => {
    const { world, submit } = ready();
    const written = world.submissions.submit.bind(world.submissions);
    world.submissions.submit = async (submission) => {
      await written(submission);
      throw new LedgerUnavailable();
    };
    await expect(submit()).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
    expect((await submit()).submissionId).toBe('attempt-1');
    expect(useUp(world.recipientGas)).toBe(RECIPIENT_GAS_PER_HOUR - 1);
  });

  it('a newer proof of a withdrawal in flight needs no budget, because its first request was counted', async () => {
    const { world, submit } = ready();
    await submit();
    expect(useUp(world.recipientGas)).toBe(RECIPIENT_GAS_PER_HOUR - 1);
    const newer = calldataWith({ fee: FEE, root: 77n });
    world.verifier.accept(proofOf(newer));
    world.pools.set(pool.address, { ...poolState, knownRoots: [77n] });
    await submit({ calldata: newer });
    expect(world.submissions.accepted[0]?.calldata.equals(given(newer))).toBe(true);
  });

  it('a withdrawal that gets no STRK does not use up its quote', async () => {
    const { world, submit } = ready();
    world.quoteStore.put({ ...quote, feeAmount: FEE, recipientGasFri: STRK_FRI });
    useUp(world.recipientGas);
    await expect(submit({ quoteId: quote.id })).rejects.toMatchObject({
      code: 'RECIPIENT_GAS_UNAVAILABLE',
    });
    expect(world.quoteStore.isUsed(quote.id)).toBe(false);
    await submit({ recipientGasFri: 0n });
    expect(world.submissions.accepted).toHaveLength(1);
  });
});

describe('stored calldata of a withdrawal with STRK', () => {
  it('the stored calldata is read back with its statement and its transfer', () => {
    expect(readWithdrawalCall(given(goodCalldata))).toMatchObject({
      statement: { recipient: RECIPIENT },
      recipientGas: { token: STRK, recipient: RECIPIENT, amountFri: STRK_FRI },
    });
    expect(splitRecipientGas(given(goodCalldata)).withdrawal.equals(goodCalldata)).toBe(true);
    expect(splitRecipientGas(goodCalldata).recipientGas).toBeNull();
  });

  it('a withdrawal with STRK is guarded like the plain withdrawal', () => {
    expect(guardedFacts(TARGET, given(goodCalldata))).toEqual(guardedFacts(TARGET, goodCalldata));
  });

  it('calldata is not read if the transfer pays another address', () => {
    const other = given(goodCalldata, STRK_FRI, toFelt(accountAddress(7n)));
    expect(readWithdrawalCall(other)).toBeNull();
    expect(calls.submissionOf(TARGET, other)).toBeNull();
  });

  it('a request can’t append a transfer to its calldata', async () => {
    const { world, submit } = ready();
    for (const recipientGasFri of [0n, STRK_FRI])
      await expect(
        submit({ calldata: given(calldataWith({ fee: FEE })), recipientGasFri }),
      ).rejects.toMatchObject({ code: 'PROOF_LAYOUT_INVALID' });
    expect(world.submissions.attempts).toEqual([]);
  });

  it('every amount has the key of the note and a different fingerprint', () => {
    const read = [goodCalldata, given(goodCalldata), given(goodCalldata, HALF)].map((calldata) =>
      calls.submissionOf(TARGET, calldata),
    );
    expect(new Set(read.map((one) => one?.key)).size).toBe(1);
    expect(new Set(read.map((one) => one?.effect)).size).toBe(3);
    expect(new Set(read.map((one) => one?.fingerprint)).size).toBe(3);
  });

  it('calldata contains no amount of 0 and none above the maximum', () => {
    for (const amountFri of [0n, -1n, MAX_RECIPIENT_GAS_FRI + 1n])
      expect(() => given(goodCalldata, amountFri)).toThrow(RangeError);
  });
});

describe('a plain withdrawal', () => {
  it('a plain withdrawal has the same calldata and fingerprint as before', async () => {
    const world = aWorld();
    await world.submit();
    expect(world.submissions.accepted).toMatchObject([
      {
        effect: '860c81c1a659c9f2fb1dc0e2196bf460b4485921cbec6a1d3f4d628a6943a6c4',
        fingerprint: '07041eac7a7e57cc2a1b4ea62a888be67624f78a737feda416e60f273fabf418',
        terms: { feeAmount: BigInt(vector.feeSats) },
      },
    ]);
    expect(world.submissions.accepted[0]?.calldata.equals(goodCalldata)).toBe(true);
  });
});
