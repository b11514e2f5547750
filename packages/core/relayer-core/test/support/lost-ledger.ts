import { ManualClock } from '@sotto/kernel/testing';
import { Felts, UNLIMITED_BUDGET, toFelt } from '@sotto/kernel';
import { SubmissionNotifier, SubmissionService } from '@sotto/submission-core';
import { InMemoryLedger, LedgerDriver } from '@sotto/submission-core/testing';
import { type SwapTerms } from '../../src/swaps/domain/private-swap.js';
import { privateSwapCalldata } from '../../src/pools/domain/private-swap-call.js';
import {
  ExecutePrivateSwap,
  QuoteRedemption,
  RecipientGasBudget,
  SubmitWithdrawal,
  SwapOutcomes,
  WithdrawalAdmission,
} from '../../src/index.js';
import { FakeSwapAggregator } from '@sotto/market-core/testing';
import {
  FakePoolEvents,
  InMemoryPools,
  InMemorySwapPins,
  SMALL_BATCH_BELOW,
  WITHDRAWAL_LIMITS,
} from '../../src/testing/index.js';
import { aSpendingWorld, type SentCall } from './spending.js';
import { ROUTER, STRK, aSwap, poolStatus, readerWithStatuses, swapPolicy } from './swap-world.js';
import { goodCalldata, proofOf } from './vector.js';
import { aWorld, policy, pool } from './world.js';

export const PAID_BY = toFelt('0x9a1d');

const swapCall = (terms: SwapTerms): Pick<SentCall, 'target' | 'calldata'> => ({
  target: { to: swapPolicy.swapPool, entrypoint: 'private_swap' },
  calldata: privateSwapCalldata(pool.address, goodCalldata, terms, {
    minimumOut: 1n,
    routes: Felts.of([0n]),
  }),
});

/**
 * Relayer whose ledger applies the real rules of the engine. The ledger has no rows at first,
 * although the chain already contains transactions of this service.
 */
export function aLostLedger() {
  const world = aWorld();
  const clock = new ManualClock();
  const ledger = new InMemoryLedger({ clock });
  const driver = new LedgerDriver(ledger);
  let ids = 0;
  const settings = {
    answerAt: 'preconfirmed',
    deadlineMs: 600_000,
    maxWaitingPerRole: 200,
    newId: () => `attempt-${(ids += 1)}`,
  } as const;
  const submissions = new SubmissionService(
    ledger,
    new SubmissionNotifier(),
    () => {},
    clock,
    settings,
    () => {},
  );
  const spending = aSpendingWorld({ ...policy, swapPool: swapPolicy.swapPool }, { ledger });
  const admission = new WithdrawalAdmission(world.ports, policy);
  const statuses = new InMemoryPools();
  statuses.setStatus(pool.address, poolStatus);
  const aggregator = new FakeSwapAggregator(ROUTER, [
    { sellToken: pool.token.address, buyToken: STRK, bought: 10n ** 16n, sold: 1n },
  ]);
  const deposits = new FakePoolEvents();
  const pins = new InMemorySwapPins();

  /** Creates an instance of the service. All instances share the ledger. */
  const instance = () => {
    const guards = { ...world.guarding, spentNotes: spending.another() };
    const citations = new QuoteRedemption(world.quoteStore, world.clock);
    const withdrawals = new SubmitWithdrawal(
      admission,
      submissions,
      citations,
      guards,
      WITHDRAWAL_LIMITS,
      SMALL_BATCH_BELOW,
      new RecipientGasBudget(world.clock),
    );
    const ports = {
      ...world.ports,
      poolReader: readerWithStatuses(world.ports.poolReader, statuses),
      aggregator,
      aggregatorBudget: UNLIMITED_BUDGET,
      pins,
      fillPins: { complete: async () => {} },
      quotes: new QuoteRedemption(world.quoteStore, world.clock),
      submissions,
      clock: world.clock,
    };
    const swaps = new ExecutePrivateSwap(
      ports,
      guards,
      new SwapOutcomes(deposits, world.pools, world.clock),
      swapPolicy,
      WITHDRAWAL_LIMITS,
    );
    return {
      submit: (calldata: Felts = goodCalldata, recipientGasFri = 0n) =>
        withdrawals.execute({ poolAddress: pool.address, calldata, recipientGasFri, waitMs: 0 }),
      swap: (changes: Partial<SwapTerms> = {}) => swaps.execute({ ...aSwap, ...changes }),
    };
  };

  /**
   * Includes a transaction that spent the note of this proof. The ledger has not settled the
   * transaction’s nonce yet.
   */
  const spent = (call: Partial<SentCall> = {}, proof: Felts = goodCalldata) => {
    const [, nullifierHash = 0n] = proofOf(proof).publicInputs;
    const hash = call.hash ?? PAID_BY;
    const sent = spending.include({
      hash,
      target: { to: pool.address, entrypoint: 'withdraw' },
      calldata: proof,
      ...call,
    });
    world.pools.spend(pool.address, nullifierHash);
    spending.spenders.setSpender(pool.address, nullifierHash, hash);
    return sent;
  };

  /**
   * Adds the lane to the ledger at nonce 0. The ledger finds this nonce consumed and settles it as
   * foreign, as the engine does before it adopts the transaction.
   */
  const meet = async ({ consumer, nonce }: ReturnType<typeof spent>): Promise<void> => {
    await driver.lease();
    await driver.introduce(nonce);
    await ledger.apply({ type: 'import', ...driver.at(nonce), through: nonce });
    await driver.settle(nonce, consumer);
  };

  /** Adds the lane only after the transaction, at a higher nonce. */
  const meetLater = async ({ nonce }: ReturnType<typeof spent>): Promise<void> => {
    await driver.lease();
    await driver.introduce(nonce + 1n);
  };

  return {
    ...world,
    ...instance(),
    instance,
    meetLater,
    ledger,
    driver,
    submissions,
    spending,
    deposits,
    statuses,
    spent,
    meet,
    swapCall,
  };
}
