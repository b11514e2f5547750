import { Clock, Logger } from '@sotto/kernel';
import { relayedPools } from '@sotto/network-profile';
import {
  FollowOperations,
  GetOperatorSeries,
  GetOperatorStatus,
  ListSubmissions,
  OperateSubmission,
  OperatorLog,
  RecordAction,
  SettlementHistory,
} from '@sotto/relayer-core';
import {
  Ledger,
  SubmissionEngine,
  SubmissionNotifier,
  SubmissionRegister,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';

/**
 * Limits of the event streams of one instance. The limits are enough for the consoles of a few
 * operators.
 */
const STREAMS = {
  maxStreams: 16,
  maxQueued: 1_000,
  heartbeatMs: 15_000,
  rowsIntervalMs: 1_000,
  statusIntervalMs: 5_000,
};

/**
 * Binds operators' views of single submissions, operators' actions, and the log of these actions.
 */
export const operatorsModule = ({
  network,
  engine: { answerAt },
}: Pick<Settings, 'network' | 'engine'>): AppModule =>
  new AppModule(({ provide }) => {
    const { chainId } = network;
    const policy = { pools: relayedPools(network), answerAt };
    provide(ListSubmissions, [SubmissionRegister], { ...policy, chainId });
    provide(
      OperateSubmission,
      {
        register: SubmissionRegister,
        ledger: Ledger,
        engine: SubmissionEngine,
        changes: SubmissionNotifier,
      },
      policy,
    );
    provide(
      FollowOperations,
      {
        register: SubmissionRegister,
        operations: GetOperatorStatus,
        changes: SubmissionNotifier,
        clock: Clock,
        logger: Logger,
      },
      { ...policy, ...STREAMS },
    );
    provide(GetOperatorSeries, [SettlementHistory, Clock], policy.pools);
    provide(RecordAction, [OperatorLog, Logger]);
  });
