import { LeadingCalls } from '@sotto/adapter-starknet';
import { BackgroundTask, Clock, Logger } from '@sotto/kernel';
import { guardedDepositTokens } from '@sotto/network-profile';
import { ContractClasses, EarlyChecks, GetPoolStatus, SettlementWindow } from '@sotto/relayer-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';
import { guardCallsOf } from './guard-calls.js';

/** Interval between two reads of the guard's class, in ms. */
const POLL_AGAIN_MS = 60_000;
/** Delay in ms before a node that did not respond is queried again. */
const RETRY_MS = 2_000;

/**
 * Adds a call of the profile's guard contract before calls whose reverts would cost the operator
 * gas.
 */
export const guardModule = ({ network }: Pick<Settings, 'network'>): AppModule =>
  new AppModule(({ bind, provide }) => {
    const { guard } = network;
    const guardCalls = guardCallsOf(network);
    if (guard === undefined || guardCalls === undefined) return;
    provide(EarlyChecks, [ContractClasses, SettlementWindow, Clock, Logger], {
      guard,
      guardedDeposits: new Set(guardedDepositTokens(network).keys()),
    });
    bind(LeadingCalls).toResolvedValue(
      (checks, pools): LeadingCalls => ({
        async before(target, calldata) {
          if (!(await checks.precede(target))) return null;
          const withdrawal = guardCalls.beforeWithdrawal(target, calldata);
          if (withdrawal !== null) return withdrawal;
          const { denomination } = await pools.execute(target.to);
          return guardCalls.beforeDeposit(target, calldata, denomination);
        },
      }),
      [EarlyChecks, GetPoolStatus],
    );
    bind(BackgroundTask).toResolvedValue(
      (checks, clock) => {
        let dueMs = Number.NEGATIVE_INFINITY;
        const run = async (): Promise<void> => {
          if (clock.monotonicMs() < dueMs) return;
          await checks.execute();
          dueMs = clock.monotonicMs() + POLL_AGAIN_MS;
        };
        return { name: 'class of the guard', intervalMs: RETRY_MS, run };
      },
      [EarlyChecks, Clock],
    );
  });
