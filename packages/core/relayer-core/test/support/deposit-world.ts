import { Felts, toFelt, type Felt, type Caller } from '@sotto/kernel';
import {
  DepositFunds,
  DepositLosses,
  DepositOutcomes,
  DepositRevalidator,
  GetPoolDeposits,
  NetworkRations,
  PoolTraffic,
  RelayDeposit,
  WithdrawalRevalidator,
  type DepositDryRunInput,
  type DepositLimits,
  type RelayDepositInput,
  type ServedPool,
} from '../../src/index.js';
import { usedFri } from '@sotto/submission-core';
import {
  CYCLE_GAS,
  FakeConsentCheck,
  FakePoolEvents,
  FakeSubmissions,
  InMemoryPools,
  InMemoryTrafficStore,
  type InMemoryDepositPool,
} from '../../src/testing/index.js';
import { FakeCallSimulator, FakeLatestBlock } from '@sotto/submission-core/testing';
import { wbtcStatus } from './estimate-world.js';
import { LIMITS, aGuard } from './guard-world.js';
import { MovingClock } from '@sotto/kernel/testing';
import { aSpendingWorld } from './spending.js';
import { GAS_PRICES, NOW_MS, policy, pool, poolState } from './world.js';

export const RELAY_ACCOUNT = toFelt('0x1a4e');
export const DEPOSITOR = toFelt('0xd0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d');
export const ACCOUNT_CLASS = toFelt('0xc1a55');
export const DENOMINATION = 20_000n;
/** Gas of a deposit in a world whose gas prices are {@link GAS_PRICES}. */
const DEPOSIT_GAS = { l2Gas: CYCLE_GAS.depositL2Gas, l1Gas: 0n, l1DataGas: 0n };
export const DEPOSIT_FRI = usedFri(DEPOSIT_GAS, GAS_PRICES);
const SIGNATURE = Felts.of([0x51617n, 0x7a1en]);

const RATIONS: DepositLimits = {
  perDepositor: 1_000,
  perNetwork: 1_000,
  perPool: 1_000,
  leafReserve: 24,
};

/** Another pool of the same token, with twice the denomination. */
export const secondPool: ServedPool = {
  ...pool,
  key: 'sentinel_2x',
  address: toFelt('0x2a94630f46b'),
};

export const depositPool: InMemoryDepositPool = {
  denomination: DENOMINATION,
  nextIndex: 7,
  lastRoot: 7_000n,
  commitments: [77n],
};

/**
 * Relayer for deposits. The account DEPOSITOR has approved the pool, and has signed only the
 * deposit of commitment 1.
 */
export function aDepositWorld(
  rations: Partial<DepositLimits> = {},
  knownAccountClasses: readonly Felt[] = [],
) {
  const clock = new MovingClock(NOW_MS);
  const reader = new InMemoryPools();
  reader.setDepositPool(pool.address, depositPool);
  reader.setDepositPool(secondPool.address, { ...depositPool, denomination: 2n * DENOMINATION });
  const consents = new FakeConsentCheck();
  const simulator = new FakeCallSimulator();
  simulator.use(DEPOSIT_GAS);
  const latestBlock = new FakeLatestBlock(GAS_PRICES);
  const submissions = new FakeSubmissions(() => clock.nowMs());
  const store = new InMemoryTrafficStore(() => submissions.attempts);
  const landed = new FakePoolEvents();
  const statuses = new InMemoryPools();
  statuses.setStatus(pool.address, { ...wbtcStatus, denomination: DENOMINATION });
  statuses.setStatus(secondPool.address, { ...wbtcStatus, denomination: 2n * DENOMINATION });
  const withdrawals = new InMemoryPools();
  withdrawals.set(pool.address, poolState);
  const pools = [pool, secondPool];
  const guarding = aGuard(clock, submissions, pools);
  const networks = new NetworkRations(clock, { ...RATIONS, ...rations });
  const losses = new DepositLosses(guarding.view, networks, clock, LIMITS);
  const traffic = new PoolTraffic(store, submissions, clock);
  const funds = new DepositFunds({ execute: (address) => statuses.poolStatus(address) }, pools);
  const { chainId } = policy;
  const subject = new RelayDeposit(
    { reader, consents, simulator, latestBlock, submissions, clock },
    {
      guard: guarding.guard,
      traffic,
      funds,
      networks,
      losses,
    },
    new DepositOutcomes(landed, clock),
    {
      chainId,
      pools,
      relayAccount: RELAY_ACCOUNT,
      rations: { ...RATIONS, ...rations },
      knownAccountClasses,
    },
  );
  const spending = aSpendingWorld({ ...policy, swapPool: null });
  const revalidators = {
    deposits: new DepositRevalidator(reader, submissions, traffic, funds, pools),
    withdrawals: new WithdrawalRevalidator(withdrawals, spending.spentNotes, traffic, clock),
  };

  /** Registers the account’s signature over the commitment. */
  const sign = (
    commitment: bigint,
    depositor: Felt = DEPOSITOR,
    expiresAtMs = NOW_MS + 600_000,
    { address, token } = pool,
  ): void => {
    const denomination = address === secondPool.address ? 2n * DENOMINATION : DENOMINATION;
    const consent = {
      chainId,
      pool: address,
      token: token.address,
      denomination,
      commitment,
      expiresAtMs,
    };
    const isKnownClass = knownAccountClasses.includes(ACCOUNT_CLASS);
    const signed = { consent, depositor, depositorClass: ACCOUNT_CLASS, signature: SIGNATURE };
    consents.sign({ ...signed, isKnownClass });
  };
  const fund = (depositor: Felt, deposits: bigint): void =>
    reader.setDepositor(depositor, {
      classHash: ACCOUNT_CLASS,
      balance: deposits * DENOMINATION,
      allowance: deposits * DENOMINATION,
    });
  fund(DEPOSITOR, 1n);
  sign(1n);
  const input = (changes: Partial<RelayDepositInput> = {}): RelayDepositInput => ({
    poolAddress: pool.address,
    commitment: 1n,
    depositor: DEPOSITOR,
    expiresAtMs: NOW_MS + 600_000,
    signature: SIGNATURE,
    waitMs: 0,
    ...changes,
  });
  const deposit = (changes: Partial<RelayDepositInput> = {}) => subject.execute(input(changes));
  const dryRun = (changes: Partial<DepositDryRunInput> = {}) => {
    const { waitMs: _waitMs, ...request } = input();
    return subject.dryRun({ ...request, ...changes });
  };
  const poolDeposits = (perPool: number) =>
    new GetPoolDeposits(traffic, guarding.guard, clock, { ...RATIONS, perPool }).execute();
  const requested = (): readonly number[] => [
    reader.reads,
    consents.calls.length,
    simulator.simulated.length,
    submissions.accepted.length,
  ];
  const parts = {
    clock,
    reader,
    consents,
    simulator,
    submissions,
    store,
    landed,
    statuses,
    withdrawals,
    guarding,
    traffic,
  };
  return {
    ...parts,
    subject,
    revalidators,
    spending,
    sign,
    fund,
    deposit,
    dryRun,
    poolDeposits,
    requested,
  };
}

export type DepositWorld = ReturnType<typeof aDepositWorld>;

export const from = (name: string, network: string): Caller => ({ name, networks: [network] });

/** Makes one deposit from an address in each network. Every deposit has a new depositor. */
export const depositsFrom = async (
  world: DepositWorld,
  networks: readonly (readonly string[])[],
  first = 1_000,
): Promise<readonly string[]> => {
  const ends: string[] = [];
  for (const [index, nested] of networks.entries()) {
    const number = BigInt(first + index);
    const depositor = toFelt(0xd00000n + number);
    world.fund(depositor, 1n);
    world.sign(number, depositor, world.clock.nowMs() + 600_000);
    const caller = { name: `address ${number}`, networks: nested };
    const request = {
      commitment: number,
      depositor,
      caller,
      expiresAtMs: world.clock.nowMs() + 600_000,
    };
    ends.push(
      await world.deposit(request).then(
        () => 'accepted',
        (error: { details: { scope: string } }) => error.details.scope,
      ),
    );
  }
  return ends;
};
export const times = <T>(count: number, of: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => of(index));
