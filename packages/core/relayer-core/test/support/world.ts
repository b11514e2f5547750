import { accountAddress, MovingClock } from '@sotto/kernel/testing';
import { toFelt, type Felts } from '@sotto/kernel';
import { MarketPrices, type PriceObservation } from '@sotto/market-core';
import {
  QuoteRedemption,
  RecipientGasBudget,
  SubmitWithdrawal,
  WithdrawalAdmission,
  type AdmissionPolicy,
  type AdmissionPorts,
  type FeeQuote,
  type GuardLimits,
  type ServedPool,
} from '../../src/index.js';
import {
  CYCLE_GAS,
  FakeProofVerifier,
  FakeSubmissions,
  InMemoryPools,
  InMemoryQuoteStore,
  SMALL_BATCH_BELOW,
  WITHDRAWAL_LIMITS,
  type InMemoryPool,
} from '../../src/testing/index.js';
import { FakeCallSimulator, FakeLatestBlock } from '@sotto/submission-core/testing';
import { FixedPrices } from '@sotto/market-core/testing';
import { LIMITS, aGuard } from './guard-world.js';
import { aSpendingWorld } from './spending.js';
import { goodCalldata, proofOf, vector } from './vector.js';

export const NOW_MS = 1_760_000_000_000;

export const pool: ServedPool = {
  key: 'sentinel_1x',
  address: toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33'),
  kind: 'swap_input',
  token: {
    symbol: 'WBTC',
    address: toFelt('0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac'),
    decimals: 8,
  },
  batchSizes: [3, 5, 7],
};

/** Contract that could never spend a payout that it receives from a withdrawal. */
export const STRANDING = toFelt(accountAddress(0x7001n));

export const policy: AdmissionPolicy = {
  chainId: toFelt(BigInt('0x534e5f5345504f4c4941')),
  feeAddress: toFelt(vector.relayer),
  pools: [pool],
  cycleGas: CYCLE_GAS,
  notRecipients: [STRANDING],
  triedAs: toFelt('0x1a7e'),
  recipientGas: { maxFri: 10n ** 18n, token: toFelt('0x4718') },
};

export const GAS_PRICES = {
  l2GasFri: 8_000_000_000n,
  l1GasFri: 50_000_000_000_000n,
  l1DataGasFri: 30_000_000n,
};

/**
 * Prices at which a cycle (deposit, batch and withdrawal) costs 0.2896 STRK = 0.012453 USD = 20.75
 * sats.
 */
export const PRICES: readonly PriceObservation[] = [
  { asset: 'STRK', usdE8: 4_300_000n, observedAtMs: NOW_MS - 60_000 },
  { asset: 'WBTC', usdE8: 6_000_000_000_000n, observedAtMs: NOW_MS - 60_000 },
];

/**
 * Log of port calls, with the tick of the event loop for each call. Calls without an await in
 * between have the same tick.
 */
class TickLog {
  readonly calls: { readonly port: string; readonly tick: number }[] = [];
  tick = 0;

  note(port: string): void {
    this.calls.push({ port, tick: this.tick });
    queueMicrotask(() => {
      this.tick += 1;
    });
  }

  ports(): readonly string[] {
    return this.calls.map(({ port }) => port).toSorted();
  }
}

/** Pool with seven deposits, of which six are in an active batch. */
export const poolState: InMemoryPool = {
  maxFee: 1_000n,
  nextIndex: 7,
  undeployedCount: 1,
  knownRoots: [BigInt(vector.publicInputs[0] ?? 0)],
  spentNullifiers: [],
};

/** Quote for the vector’s withdrawal. The quoted fee is below the cost of the cycle. */
export const quote: FeeQuote = {
  id: 'quote-1',
  chainId: policy.chainId,
  pool: pool.address,
  relayer: policy.feeAddress,
  operation: 'withdraw',
  leafIndex: null,
  feeAmount: 15n,
  expiresAtMs: NOW_MS + 120_000,
};

/** Relayer in which the real vector’s withdrawal passes every check. */
export function aWorld(limits: GuardLimits = LIMITS) {
  const clock = new MovingClock(NOW_MS);
  const pools = new InMemoryPools();
  pools.set(pool.address, poolState);
  const verifier = new FakeProofVerifier();
  verifier.accept(proofOf(goodCalldata));
  const simulator = new FakeCallSimulator();
  const latestBlock = new FakeLatestBlock(GAS_PRICES);
  const prices = new FixedPrices(PRICES);
  const secondPrices = new FixedPrices([], 'second');
  const submissions = new FakeSubmissions();
  const quoteStore = new InMemoryQuoteStore();
  const log = new TickLog();

  const marketPrices = new MarketPrices(
    [
      {
        name: prices.name,
        observe: (assets) => {
          log.note('prices');
          return prices.observe(assets);
        },
      },
      { name: 'second', observe: (assets) => secondPrices.observe(assets) },
    ],
    clock,
    {
      assets: ['STRK', 'WBTC'],
      limits: { maxAgeMs: 3_600_000, maxDeviationBps: 100, quorum: 1 },
      ttlMs: 0,
    },
  );
  const ports: AdmissionPorts = {
    poolReader: {
      withdrawalFacts: (address, withdrawal) => {
        log.note('facts');
        return pools.withdrawalFacts(address, withdrawal);
      },
    },
    proofVerifier: verifier,
    simulator: {
      simulate: (call, as, options) => {
        log.note('simulation');
        return simulator.simulate(call, as, options);
      },
    },
    latestBlock: {
      number: () => latestBlock.number(),
      gasPrices: () => {
        log.note('gas');
        return latestBlock.gasPrices();
      },
    },
    marketPrices,
  };
  const admission = new WithdrawalAdmission(ports, policy);
  const spending = aSpendingWorld({ ...policy, swapPool: toFelt(vector.recipient) });
  const guarding = {
    ...aGuard(clock, submissions, [pool], new Map(), limits),
    spentNotes: spending.spentNotes,
  };
  const recipientGas = new RecipientGasBudget(clock);
  const subject = new SubmitWithdrawal(
    admission,
    submissions,
    new QuoteRedemption(quoteStore, clock),
    guarding,
    WITHDRAWAL_LIMITS,
    SMALL_BATCH_BELOW,
    recipientGas,
  );
  const submit = (calldata: Felts = goodCalldata, waitMs = 0) =>
    subject.execute({ poolAddress: pool.address, calldata, waitMs });
  return {
    clock,
    ports,
    quoteStore,
    pools,
    verifier,
    simulator,
    latestBlock,
    prices,
    secondPrices,
    submissions,
    log,
    spending,
    guarding,
    recipientGas,
    subject,
    submit,
  };
}

export type World = ReturnType<typeof aWorld>;
