import { Clock, Logger } from '@sotto/kernel';
import {
  Attributions,
  Build,
  ControlPools,
  EarlyChecks,
  ExclusiveLocks,
  FairSemaphore,
  GetServiceStatus,
  GetVerdict,
  ListPools,
  PoolCircuitBreaker,
  PoolControls,
  SettlementHistory,
  SettlementWindow,
  TypedDataSigner,
  SubmissionLocks,
  type RelayedPool,
  ControlLanes,
  GetOperatorStatus,
  NodeDirectory,
} from '@sotto/relayer-core';
import {
  Auditor,
  ChainReader,
  Ledger,
  SubmissionEngine,
  Submissions,
} from '@sotto/submission-core';
import { thisBuild } from '../build.js';
import type { Settings } from '../environment/settings.js';
import { Connections, InFlight } from '@sotto/http-server';
import { AppModule, assemble, every } from './container.js';
import { relayedPools } from '@sotto/network-profile';

type GuardsModuleSettings = Pick<Settings, 'network' | 'guards' | 'http' | 'engine'>;

/**
 * Binds limits of the service's spending and load, their public part in `/status`, and the
 * operator's controls.
 */
export const guardsModule = ({
  network,
  guards,
  http,
  engine: { maxWaitingPerRole },
}: GuardsModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const pools = relayedPools(network);
    const { limits, paused } = guards;

    bind(Build).toConstantValue(thisBuild(process.env));
    bind(FairSemaphore).toConstantValue(new FairSemaphore(guards.slots));
    bind(InFlight).toConstantValue(new InFlight(http.inFlight));
    bind(Connections).toConstantValue(new Connections(http.connections, http.trustedProxies > 0));
    provide(SettlementWindow, [SettlementHistory, PoolControls, Clock]);
    provide(ExclusiveLocks, [SubmissionLocks, Submissions, Clock]);
    provide(Attributions, []);
    assemble(
      bind(PoolCircuitBreaker),
      {
        view: SettlementWindow,
        controls: PoolControls,
        claims: ExclusiveLocks,
        clock: Clock,
        logger: Logger,
        checks: every(EarlyChecks),
        attributions: Attributions,
      },
      ({ view, controls, claims, clock, logger, checks, attributions }) =>
        new PoolCircuitBreaker(view, controls, claims, clock, {
          limits,
          pools,
          maxWaitingPerRole,
          paused,
          attributions,
          isGuarded: () => checks.some((check) => check.isUsable()),
          strictnessChanged: logStrictness(logger),
        }),
    );
    provide(ControlPools, [PoolCircuitBreaker, PoolControls, SettlementWindow, Clock], pools);
    provide(GetServiceStatus, {
      listPools: ListPools,
      money: SettlementHistory,
      signer: TypedDataSigner,
      verdict: GetVerdict,
      build: Build,
      clock: Clock,
    });
    provide(GetOperatorStatus, {
      engine: SubmissionEngine,
      reader: ChainReader,
      ledger: Ledger,
      auditor: Auditor,
      nodes: NodeDirectory,
      controls: ControlPools,
      slots: FairSemaphore,
      inFlight: InFlight,
      verdict: GetVerdict,
      build: Build,
      clock: Clock,
    });
    provide(ControlLanes, [Ledger, SubmissionEngine, GetOperatorStatus]);
  });

/**
 * Logs for the operator when a pool's rules become stricter or less strict, without naming callers.
 */
const logStrictness =
  (logger: Logger) =>
  ({ key }: RelayedPool, isStrict: boolean): void => {
    if (isStrict)
      logger.warn(
        { pool: key },
        'users have lost more in a pool than LOSS_BUDGET_PER_POOL_FRI: one request per caller at a time',
      );
    else logger.info({ pool: key }, 'losses of users in a pool are within the budget again');
  };
