import { StarknetStatusSigner } from '@sotto/adapter-starknet';
import { Clock, Logger } from '@sotto/kernel';
import {
  SubmissionLocks,
  ControlPools,
  GetServiceStatus,
  ExclusiveLocks,
  FairSemaphore,
  SettlementHistory,
  SettlementWindow,
  PoolControls,
  PoolCircuitBreaker,
  StatusSigner,
  type NotePool,
} from '@sotto/relayer-core';
import { ChainReader, Ledger, Submissions, type Auditor, type SubmissionEngine } from '@sotto/submission-core';
import type { Settings } from '../config/settings.js';
import { BearerTokens } from '../http/bearer-tokens.js';
import { InFlight } from '../http/middleware/in-flight.js';
import { Connections } from '../lifecycle/connections.js';
import { ControlLanes } from '../operations/control-lanes.js';
import { GetOperatorStatus } from '../operations/get-operator-status.js';
import { canRelay } from '../operations/lane-states.js';
import {
  AuditorToken,
  ConnectionsToken,
  ControlLanesToken,
  ControlPoolsToken,
  GetOperatorStatusToken,
  GetServiceStatusToken,
  EngineToken,
  ExclusiveClaimsToken,
  InFlightToken,
  ListPoolsToken,
  SettlementWindowToken,
  OperatorTokensToken,
  PoolCircuitBreakerToken,
  SlotsToken,
  type ControlsPools,
  type DescribesOperations,
  type ListsPools,
} from './bindings.js';
import { AppModule } from './container.js';
import { notePools } from './served-pools.js';

type GuardsModuleSettings = Pick<Settings, 'network' | 'relay' | 'guards' | 'operator' | 'http'>;

/** What keeps the service from spending or doing too much, what `/status` says of it in public, and the operator's controls. */
export const guardsModule = ({ network, relay, guards, operator, http }: GuardsModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const pools = notePools(network);
    const { limits, paused } = guards;

    bind(SlotsToken).toConstantValue(new FairSemaphore(guards.slots));
    bind(InFlightToken).toConstantValue(new InFlight(http.inFlight));
    bind(ConnectionsToken).toConstantValue(new Connections(http.connections, http.trustedProxies > 0));
    bind(OperatorTokensToken).toConstantValue(new BearerTokens(operator.tokens));
    bind(SettlementWindowToken).toResolvedValue(
      (book: SettlementHistory, controls: PoolControls, clock: Clock) => new SettlementWindow(book, controls, clock),
      [SettlementHistory, PoolControls, Clock],
    );
    bind(ExclusiveClaimsToken).toResolvedValue(
      (claims: SubmissionLocks, submissions: Submissions, clock: Clock) => new ExclusiveLocks(claims, submissions, clock),
      [SubmissionLocks, Submissions, Clock],
    );
    bind(PoolCircuitBreakerToken).toResolvedValue(
      (view: SettlementWindow, controls: PoolControls, claims: ExclusiveLocks, clock: Clock, logger: Logger) =>
        new PoolCircuitBreaker(view, controls, claims, clock, { limits, pools, paused, strictnessChanged: logStrictness(logger) }),
      [SettlementWindowToken, PoolControls, ExclusiveClaimsToken, Clock, Logger],
    );
    bind(ControlPoolsToken).toResolvedValue(
      (guard: PoolCircuitBreaker, controls: PoolControls, view: SettlementWindow, clock: Clock) =>
        new ControlPools(guard, controls, view, clock, pools),
      [PoolCircuitBreakerToken, PoolControls, SettlementWindowToken, Clock],
    );
    bind(StatusSigner).toDynamicValue(() => {
      const [first] = relay.accounts;
      if (first === undefined) throw new Error('the settings let an empty list of accounts through');
      return new StarknetStatusSigner({ address: first.address, privateKey: first.privateKey.reveal() });
    });
    bind(GetServiceStatusToken).toResolvedValue(
      (listPools: ListsPools, money: SettlementHistory, signer: StatusSigner, engine: SubmissionEngine, clock: Clock) =>
        new GetServiceStatus({ listPools, money, signer, hasCapacity: () => canRelay(engine.status().lanes), clock }),
      [ListPoolsToken, SettlementHistory, StatusSigner, EngineToken, Clock],
    );
    bind(GetOperatorStatusToken).toResolvedValue(
      (
        engine: SubmissionEngine,
        reader: ChainReader,
        ledger: Ledger,
        auditor: Auditor,
        controls: ControlsPools,
        slots: FairSemaphore,
        inFlight: InFlight,
        clock: Clock,
      ) => new GetOperatorStatus({ engine, reader, ledger, auditor, controls, slots, inFlight, clock }),
      [EngineToken, ChainReader, Ledger, AuditorToken, ControlPoolsToken, SlotsToken, InFlightToken, Clock],
    );
    bind(ControlLanesToken).toResolvedValue(
      (ledger: Ledger, engine: SubmissionEngine, operations: DescribesOperations) => new ControlLanes(ledger, engine, operations),
      [Ledger, EngineToken, GetOperatorStatusToken],
    );
  });

/** An alarm for the operator: the log never names the callers. */
const logStrictness =
  (logger: Logger) =>
  ({ key }: NotePool, isStrict: boolean): void => {
    if (isStrict)
      logger.warn({ pool: key }, 'users have lost more in a pool than LOSS_BUDGET_PER_POOL_FRI: one request per caller at a time');
    else logger.info({ pool: key }, 'what users have lost in a pool is within its budget again');
  };
