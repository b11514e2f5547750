import { StarknetStatusSigner } from '@sotto/adapter-starknet';
import { Clock, Logger } from '@sotto/kernel';
import {
  Claims,
  ControlPools,
  DescribeService,
  ExclusiveClaims,
  FairSlots,
  MoneyBook,
  MoneyView,
  PoolControls,
  PoolGuard,
  StatusSigner,
  type NotePool,
} from '@sotto/relayer-core';
import { ChainReader, Ledger, Submissions, type Auditor, type SubmissionEngine } from '@sotto/submission-core';
import type { Settings } from '../config/settings.js';
import { BearerTokens } from '../http/bearer-tokens.js';
import { InFlight } from '../http/middleware/in-flight.js';
import { Connections } from '../lifecycle/connections.js';
import { ControlLanes } from '../operations/control-lanes.js';
import { DescribeOperations } from '../operations/describe-operations.js';
import { canRelay } from '../operations/lane-states.js';
import {
  AuditorToken,
  ConnectionsToken,
  ControlLanesToken,
  ControlPoolsToken,
  DescribeOperationsToken,
  DescribeServiceToken,
  EngineToken,
  ExclusiveClaimsToken,
  InFlightToken,
  ListPoolsToken,
  MoneyViewToken,
  OperatorTokensToken,
  PoolGuardToken,
  SlotsToken,
  type ControlsPools,
  type DescribesOperations,
  type ListsPools,
} from './bindings.js';
import { AppModule } from './container.js';
import { notePools } from './served-pools.js';

type GuardsModuleSettings = Pick<Settings, 'network' | 'relay' | 'guards' | 'operator' | 'http'>;

/** What keeps the service from spending or doing too much, what the public is told of it, and the operator's hand on it. */
export const guardsModule = ({ network, relay, guards, operator, http }: GuardsModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const pools = notePools(network);
    const { limits, paused } = guards;

    bind(SlotsToken).toConstantValue(new FairSlots(guards.slots));
    bind(InFlightToken).toConstantValue(new InFlight(http.inFlight));
    bind(ConnectionsToken).toConstantValue(new Connections(http.connections, http.trustedProxies > 0));
    bind(OperatorTokensToken).toConstantValue(new BearerTokens(operator.tokens));
    bind(MoneyViewToken).toResolvedValue(
      (book: MoneyBook, controls: PoolControls, clock: Clock) => new MoneyView(book, controls, clock),
      [MoneyBook, PoolControls, Clock],
    );
    bind(ExclusiveClaimsToken).toResolvedValue(
      (claims: Claims, submissions: Submissions, clock: Clock) => new ExclusiveClaims(claims, submissions, clock),
      [Claims, Submissions, Clock],
    );
    bind(PoolGuardToken).toResolvedValue(
      (view: MoneyView, controls: PoolControls, claims: ExclusiveClaims, clock: Clock, logger: Logger) =>
        new PoolGuard(view, controls, claims, clock, { limits, pools, paused, strictnessChanged: tells(logger) }),
      [MoneyViewToken, PoolControls, ExclusiveClaimsToken, Clock, Logger],
    );
    bind(ControlPoolsToken).toResolvedValue(
      (guard: PoolGuard, controls: PoolControls, view: MoneyView, clock: Clock) => new ControlPools(guard, controls, view, clock, pools),
      [PoolGuardToken, PoolControls, MoneyViewToken, Clock],
    );
    bind(StatusSigner).toDynamicValue(() => {
      const [first] = relay.accounts;
      if (first === undefined) throw new Error('the settings let an empty list of accounts through');
      return new StarknetStatusSigner({ address: first.address, privateKey: first.privateKey.reveal() });
    });
    bind(DescribeServiceToken).toResolvedValue(
      (listPools: ListsPools, money: MoneyBook, signer: StatusSigner, engine: SubmissionEngine, clock: Clock) =>
        new DescribeService({ listPools, money, signer, hasCapacity: () => canRelay(engine.status().lanes), clock }),
      [ListPoolsToken, MoneyBook, StatusSigner, EngineToken, Clock],
    );
    bind(DescribeOperationsToken).toResolvedValue(
      (
        engine: SubmissionEngine,
        reader: ChainReader,
        ledger: Ledger,
        auditor: Auditor,
        controls: ControlsPools,
        slots: FairSlots,
        inFlight: InFlight,
        clock: Clock,
      ) => new DescribeOperations({ engine, reader, ledger, auditor, controls, slots, inFlight, clock }),
      [EngineToken, ChainReader, Ledger, AuditorToken, ControlPoolsToken, SlotsToken, InFlightToken, Clock],
    );
    bind(ControlLanesToken).toResolvedValue(
      (ledger: Ledger, engine: SubmissionEngine, operations: DescribesOperations) => new ControlLanes(ledger, engine, operations),
      [Ledger, EngineToken, DescribeOperationsToken],
    );
  });

/** An alarm for the operator: which callers it was stands nowhere. */
const tells =
  (logger: Logger) =>
  ({ key }: NotePool, isStrict: boolean): void => {
    if (isStrict)
      logger.warn({ pool: key }, 'users have lost more in a pool than LOSS_BUDGET_PER_POOL_FRI: one request per caller at a time');
    else logger.info({ pool: key }, 'what users have lost in a pool is within its budget again');
  };
