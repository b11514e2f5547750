import { CODES_OF } from '@sotto/facts';
import { LastKnown, type Clock, type Felt, type Known, type NotAnswered } from '@sotto/kernel';
import type { ControlPools } from '../../circuit-breaker/application/control-pools.js';
import type { GuardedPool } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { Verdict } from '../domain/verdict.js';
import type { GetVerdict } from './get-verdict.js';
import type { FairSemaphore, SlotCounts } from '../../relay/application/fair-semaphore.js';
import type { Build } from '../ports/build.port.js';
import type { NodeDirectory, NodeStatus } from '../ports/node-directory.port.js';
import type {
  AccountState,
  Auditor,
  AuditStatus,
  ChainReader,
  EngineStatus,
  Lane,
  LaneStatus,
  Ledger,
  LedgerState,
  StuckNonce,
  SubmissionEngine,
} from '@sotto/submission-core';

/**
 * Number of requests in progress, number of their callers, and number of requests rejected since
 * the start of the process.
 */
interface RequestCounts {
  readonly requests: number;
  readonly clients: number;
  readonly refused: number;
}

/** Lane as shown to operators. */
export interface OperatedLane extends LaneStatus {
  /**
   * Reason of the pause; null if the lane is not paused. A pause applies to every instance until an
   * operator resumes the lane.
   */
  readonly pausedFor: string | null;
  readonly quarantine: Lane['quarantine'];
  /** State of the account at ACCEPTED_ON_L2; null if the node does not report the account. */
  readonly account: AccountState | null;
}

/**
 * Sources whose values the status needs. The status waits for each source only up to its time
 * limit.
 */
type OperationsPart = 'node' | 'store' | 'pools';

export interface Operations extends Pick<EngineStatus, 'alarms' | 'clockSkewMs' | 'isStrict'> {
  readonly build: Build;
  readonly lanes: readonly OperatedLane[];
  /**
   * Time at which this instance last read the chain, in milliseconds; null before the first read.
   */
  readonly lastPollMs: number | null;
  /**
   * State of the ledger. `state` is null if the ledger lacks no call of this service that is on its
   * chain.
   */
  readonly ledger: Pick<LedgerState, 'chain' | 'lastBlock'> & {
    readonly state: EngineStatus['ledger'];
  };
  /**
   * State of the audit. `completedAgoMs` is the time since the last completed audit, in
   * milliseconds; null before the first completed audit, and if the audit is turned off.
   */
  readonly audit: Pick<AuditStatus, 'lastBlock' | 'behindBlocks' | 'findings' | 'problem'> & {
    readonly completedAgoMs: number | null;
  };
  readonly nodes: readonly NodeStatus[];
  /** Nonces that need an operator's attention. */
  readonly stuck: readonly StuckNonce[];
  readonly pools: readonly GuardedPool[];
  readonly verdict: Verdict;
  readonly load: { readonly admissions: SlotCounts; readonly requests: RequestCounts };
  /**
   * For each source, the reason why its values are stale or missing; null if the source responded.
   * `node` provides balances and nonces, `store` the rows of the ledger, `pools` the pools.
   */
  readonly notAnswered: Readonly<Record<OperationsPart, NotAnswered | null>>;
}

export interface OperationSources {
  readonly engine: Pick<SubmissionEngine, 'status'>;
  readonly reader: Pick<ChainReader, 'head'>;
  readonly ledger: Pick<Ledger, 'state'>;
  readonly auditor: Pick<Auditor, 'status'>;
  readonly nodes: NodeDirectory;
  readonly controls: Pick<ControlPools, 'list'>;
  readonly slots: Pick<FairSemaphore, 'counts'>;
  readonly inFlight: { counts(): RequestCounts };
  readonly verdict: Pick<GetVerdict, 'current'>;
  readonly build: Build;
  readonly clock: Clock;
}

/** Reports the state of accounts, ledger, pools and this instance to the operator. */
export class GetOperatorStatus {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.operatorStatus;

  readonly #node: LastKnown<ReadonlyMap<Felt, AccountState>>;
  readonly #store: LastKnown<LedgerState>;
  readonly #pools: LastKnown<readonly GuardedPool[]>;

  constructor(private readonly from: OperationSources) {
    const { engine, reader, ledger, controls, clock } = from;
    this.#node = new LastKnown(async () => {
      const addresses = engine.status().lanes.map(({ address }) => address);
      return (await reader.head(addresses)).accounts;
    }, clock);
    this.#store = new LastKnown(() => ledger.state(), clock);
    this.#pools = new LastKnown(() => controls.list(), clock);
  }

  /**
   * Returns the status within a second. If a source does not respond in time, the status contains
   * the last known value of this source, or null. Pools that were never read are omitted.
   */
  async execute(): Promise<Operations> {
    const { engine, nodes, slots, inFlight, verdict, build, clock } = this.from;
    const {
      lanes,
      polledAgoMs,
      stuck,
      alarms,
      clockSkewMs,
      isStrict,
      ledger: state,
    } = engine.status();
    const [node, store, pools] = await Promise.all([
      this.#node.get(),
      this.#store.get(),
      this.#pools.get(),
    ]);
    return {
      build: { version: build.version, commit: build.commit },
      lanes: lanes.map((lane) => operated(lane, store.value, node)),
      lastPollMs: polledAgoMs === null ? null : clock.nowMs() - polledAgoMs,
      ledger: {
        state,
        chain: store.value?.chain ?? null,
        lastBlock: store.value?.lastBlock ?? null,
      },
      audit: this.#audit(),
      nodes: nodes.status(),
      stuck,
      alarms,
      clockSkewMs,
      isStrict,
      pools: pools.value ?? [],
      verdict: verdict.current(),
      load: { admissions: slots.counts(), requests: inFlight.counts() },
      notAnswered: {
        node: node.notAnswered,
        store: store.notAnswered,
        pools: pools.notAnswered,
      },
    };
  }

  /**
   * Returns one lane; null if this instance does not follow the lane. Rejects with the error of the
   * store.
   */
  async lane(address: Felt): Promise<OperatedLane | null> {
    const lane = this.from.engine.status().lanes.find((followed) => followed.address === address);
    if (lane === undefined) return null;
    const [node, rows] = await Promise.all([this.#node.get(), this.from.ledger.state()]);
    return operated(lane, rows, node);
  }

  #audit(): Operations['audit'] {
    const { auditor, clock } = this.from;
    const { lastBlock, behindBlocks, findings, problem, completedAtMs } = auditor.status();
    const completedAgoMs = completedAtMs === null ? null : clock.monotonicMs() - completedAtMs;
    return { lastBlock, behindBlocks, findings, problem, completedAgoMs };
  }
}

function operated(
  lane: LaneStatus,
  rows: LedgerState | null,
  { value: accounts }: Known<ReadonlyMap<Felt, AccountState>>,
): OperatedLane {
  const row = rows?.lanes.find(({ address }) => address === lane.address);
  const pausedFor = row?.pausedFor ?? null;
  return {
    ...lane,
    ...(rows === null ? {} : nowKnown(lane, pausedFor)),
    pausedFor,
    quarantine: row?.quarantine ?? null,
    account: accounts?.get(lane.address) ?? null,
  };
}

/**
 * Lane states that may be stale: if a lane has one of these states, its last poll may have been
 * before its pause.
 */
const UNAWARE_OF_PAUSE: ReadonlySet<LaneStatus['state']> = new Set([
  'ready',
  'full',
  'short_of_funds',
  'unknown',
]);

/**
 * Returns the lane's state, corrected if it is stale. A pause, or the end of a pause, is in the
 * ledger immediately, but the lane's own state is only updated at its next poll.
 */
function nowKnown(
  { state, reason }: LaneStatus,
  pausedFor: string | null,
): Pick<LaneStatus, 'state' | 'reason'> {
  if (pausedFor !== null && UNAWARE_OF_PAUSE.has(state))
    return { state: 'paused', reason: pausedFor };
  return state === 'paused' && pausedFor === null
    ? { state: 'unknown', reason: 'NOT_LOOKED_AT' }
    : { state, reason };
}
