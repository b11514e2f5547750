import { Clock, Logger } from '@sotto/kernel';
import { notePools } from '@sotto/network-profile';
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
import { AppModule, assemble } from './container.js';

/** Streams of events that one instance serves: consoles of a few operators. */
const STREAMS = {
  maxStreams: 16,
  maxQueued: 1_000,
  heartbeatMs: 15_000,
  rowsIntervalMs: 1_000,
  statusIntervalMs: 5_000,
};

/** What operators see of single submissions and do to them, and the log of all that they do. */
export const operatorsModule = ({
  network,
  engine: { answerAt },
}: Pick<Settings, 'network' | 'engine'>): AppModule =>
  new AppModule(({ bind }) => {
    const { chainId } = network;
    const policy = { pools: notePools(network), answerAt };
    bind(ListSubmissions).toResolvedValue(
      (register) => new ListSubmissions(register, { ...policy, chainId }),
      [SubmissionRegister],
    );
    assemble(
      bind(OperateSubmission),
      {
        register: SubmissionRegister,
        ledger: Ledger,
        engine: SubmissionEngine,
        changes: SubmissionNotifier,
      },
      (ports) => new OperateSubmission(ports, policy),
    );
    assemble(
      bind(FollowOperations),
      {
        register: SubmissionRegister,
        operations: GetOperatorStatus,
        changes: SubmissionNotifier,
        clock: Clock,
        logger: Logger,
      },
      (ports) => new FollowOperations(ports, { ...policy, ...STREAMS }),
    );
    bind(GetOperatorSeries).toResolvedValue(
      (history, clock) => new GetOperatorSeries(history, clock, policy.pools),
      [SettlementHistory, Clock],
    );
    bind(RecordAction).toResolvedValue(
      (log, logger) => new RecordAction(log, logger),
      [OperatorLog, Logger],
    );
  });
