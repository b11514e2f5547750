import { StarknetStatusSigner } from '@sotto/adapter-starknet';
import { Clock, Logger } from '@sotto/kernel';
import {
  ControlPools,
  ExclusiveLocks,
  FairSemaphore,
  GetServiceStatus,
  ListPools,
  PoolCircuitBreaker,
  PoolControls,
  SettlementHistory,
  SettlementWindow,
  StatusSigner,
  SubmissionLocks,
  type NotePool,
  ControlLanes,
  GetOperatorStatus,
  canRelay,
} from '@sotto/relayer-core';
import {
  Auditor,
  ChainReader,
  Ledger,
  SubmissionEngine,
  Submissions,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { InFlight } from '../http/middleware/in-flight.js';
import { Connections } from '../lifecycle/connections.js';
import { OperatorTokens } from '../http/bearer-tokens.js';
import { AppModule } from './container.js';
import { notePools } from '@sotto/network-profile';

type GuardsModuleSettings = Pick<Settings, 'network' | 'relay' | 'guards' | 'operator' | 'http'>;

/**
 * What keeps the service from spending or doing too much, what `/status` says of it in public, and
 * the operator's controls.
 */
export const guardsModule = ({
  network,
  relay,
  guards,
  operator,
  http,
}: GuardsModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const pools = notePools(network);
    const { limits, paused } = guards;

    bind(FairSemaphore).toConstantValue(new FairSemaphore(guards.slots));
    bind(InFlight).toConstantValue(new InFlight(http.inFlight));
    bind(Connections).toConstantValue(new Connections(http.connections, http.trustedProxies > 0));
    bind(OperatorTokens).toConstantValue(new OperatorTokens(operator.tokens));
    bind(SettlementWindow).toResolvedValue(
      (book: SettlementHistory, controls: PoolControls, clock: Clock) =>
        new SettlementWindow(book, controls, clock),
      [SettlementHistory, PoolControls, Clock],
    );
    bind(ExclusiveLocks).toResolvedValue(
      (claims: SubmissionLocks, submissions: Submissions, clock: Clock) =>
        new ExclusiveLocks(claims, submissions, clock),
      [SubmissionLocks, Submissions, Clock],
    );
    bind(PoolCircuitBreaker).toResolvedValue(
      (
        view: SettlementWindow,
        controls: PoolControls,
        claims: ExclusiveLocks,
        clock: Clock,
        logger: Logger,
      ) =>
        new PoolCircuitBreaker(view, controls, claims, clock, {
          limits,
          pools,
          paused,
          strictnessChanged: logStrictness(logger),
        }),
      [SettlementWindow, PoolControls, ExclusiveLocks, Clock, Logger],
    );
    bind(ControlPools).toResolvedValue(
      (guard: PoolCircuitBreaker, controls: PoolControls, view: SettlementWindow, clock: Clock) =>
        new ControlPools(guard, controls, view, clock, pools),
      [PoolCircuitBreaker, PoolControls, SettlementWindow, Clock],
    );
    bind(StatusSigner).toDynamicValue(() => {
      const [first] = relay.accounts;
      if (first === undefined)
        throw new Error('the settings let an empty list of accounts through');
      return new StarknetStatusSigner({
        address: first.address,
        privateKey: first.privateKey.reveal(),
      });
    });
    bind(GetServiceStatus).toResolvedValue(
      (
        listPools: ListPools,
        money: SettlementHistory,
        signer: StatusSigner,
        engine: SubmissionEngine,
        clock: Clock,
      ) =>
        new GetServiceStatus({
          listPools,
          money,
          signer,
          hasCapacity: () => canRelay(engine.status().lanes),
          clock,
        }),
      [ListPools, SettlementHistory, StatusSigner, SubmissionEngine, Clock],
    );
    bind(GetOperatorStatus).toResolvedValue(
      (
        engine: SubmissionEngine,
        reader: ChainReader,
        ledger: Ledger,
        auditor: Auditor,
        controls: ControlPools,
        slots: FairSemaphore,
        inFlight: InFlight,
        clock: Clock,
      ) =>
        new GetOperatorStatus({
          engine,
          reader,
          ledger,
          auditor,
          controls,
          slots,
          inFlight,
          clock,
        }),
      [
        SubmissionEngine,
        ChainReader,
        Ledger,
        Auditor,
        ControlPools,
        FairSemaphore,
        InFlight,
        Clock,
      ],
    );
    bind(ControlLanes).toResolvedValue(
      (ledger: Ledger, engine: SubmissionEngine, operations: GetOperatorStatus) =>
        new ControlLanes(ledger, engine, operations),
      [Ledger, SubmissionEngine, GetOperatorStatus],
    );
  });

/** An alarm for the operator: the log never names the callers. */
const logStrictness =
  (logger: Logger) =>
  ({ key }: NotePool, isStrict: boolean): void => {
    if (isStrict)
      logger.warn(
        { pool: key },
        'users have lost more in a pool than LOSS_BUDGET_PER_POOL_FRI: one request per caller at a time',
      );
    else logger.info({ pool: key }, 'what users have lost in a pool is within its budget again');
  };
