import type { Caller, Clock, DomainError } from '@sotto/kernel';
import {
  accountRejection,
  allowanceRejection,
  balanceRejection,
  leafRejection,
  rationRejection,
  type DepositLimits,
  type DepositName,
  type TakenFunds,
  type Traffic,
} from '../../pools/domain/deposit-traffic.js';
import type { ServedPool } from '../../pools/domain/pool.js';
import {
  DepositAllowanceTooLow,
  DepositBalanceTooLow,
  DepositExists,
  DepositorNotDeployed,
  DepositsRationed,
  PoolNearlyFull,
} from '../../deposit-errors.js';
import { PoolPaused } from '../../errors.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { DepositFunds, ReadDeposit } from './deposit-funds.js';
import type { DepositLosses } from './deposit-losses.js';
import type { NetworkRations } from './network-rations.js';

/** Guards on which the checks depend. */
export interface CheckGuards {
  readonly guard: Pick<PoolCircuitBreaker, 'peek'>;
  readonly funds: DepositFunds;
  readonly networks: NetworkRations;
  readonly losses: DepositLosses;
}

/** Deposit with the state of chain and ledger that its checks need. */
export interface DepositEvidence {
  readonly request: DepositName & { readonly served: ServedPool; readonly caller: Caller };
  readonly read: ReadDeposit;
  readonly traffic: Traffic;
  /** Cost of the deposit in fri; 0 before its simulation. */
  readonly costFri: bigint;
}

/** Evidence with the amounts of other deposits, which are read when a check needs them. */
interface JudgedEvidence extends DepositEvidence {
  readonly taken: () => Promise<TakenFunds>;
}

interface DepositCheck {
  readonly name: string;
  readonly code: string;
  /** Returns the error if the check fails; null otherwise. Rejects if a read fails. */
  judge(evidence: JudgedEvidence): Promise<DomainError | null> | DomainError | null;
}

/** Check of the depositor's allowance, which fails until the depositor has approved the pool. */
export const ALLOWANCE = 'allowance';

/** Checks of a deposit by the state of pool, ledger and depositor, in their order. */
export class DepositChecks {
  readonly all: readonly DepositCheck[];

  constructor(guards: CheckGuards, rations: DepositLimits, clock: Pick<Clock, 'nowMs'>) {
    const { guard, networks, losses } = guards;
    this.#funds = guards.funds;
    this.all = [
      {
        name: 'not_deposited',
        code: DepositExists.code,
        judge: ({ read }) => (read.facts.commitmentKnown ? new DepositExists() : null),
      },
      {
        name: 'leaves',
        code: PoolNearlyFull.code,
        judge: ({ request, read, traffic }) =>
          leafRejection(read.facts, traffic, request.pool, rations),
      },
      {
        name: 'pool_open',
        code: PoolPaused.code,
        judge: async ({ request }) => guard.peek(request.served, 'deposit'),
      },
      {
        name: 'ration',
        code: DepositsRationed.code,
        judge: ({ request, read, traffic }) =>
          rationRejection(traffic, request, rations, clock.nowMs()) ??
          networks.rejection(request.caller, request.pool, traffic, read.facts.nextIndex),
      },
      {
        name: 'losses',
        code: DepositsRationed.code,
        judge: async ({ request, traffic, costFri }) =>
          losses.rejection(request, request.caller, traffic, costFri),
      },
      {
        name: 'depositor_deployed',
        code: DepositorNotDeployed.code,
        judge: ({ read }) => accountRejection(read.facts),
      },
      {
        name: 'balance',
        code: DepositBalanceTooLow.code,
        judge: async ({ read, taken }) => balanceRejection(read.facts, await taken()),
      },
      {
        name: ALLOWANCE,
        code: DepositAllowanceTooLow.code,
        judge: async ({ read, taken }) => allowanceRejection(read.facts, await taken()),
      },
    ];
  }

  readonly #funds: DepositFunds;

  /** Returns the error of the first check that fails; null if no check fails. */
  async rejection(
    evidence: DepositEvidence,
    isChecked: (name: string) => boolean = () => true,
  ): Promise<DomainError | null> {
    const judged = this.with(evidence);
    for (const check of this.all) {
      const rejection = isChecked(check.name) ? await check.judge(judged) : null;
      if (rejection !== null) return rejection;
    }
    return null;
  }

  /** Adds the amounts of other deposits, which are read at most once. */
  with(evidence: DepositEvidence): JudgedEvidence {
    let taken: Promise<TakenFunds> | undefined;
    const { request, traffic, read } = evidence;
    return { ...evidence, taken: () => (taken ??= this.#funds.taken(request, traffic, read)) };
  }
}
