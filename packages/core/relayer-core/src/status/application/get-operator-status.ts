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

/** Requests in progress, the number of their callers, and requests rejected since the start. */
interface RequestCounts {
  readonly requests: number;
  readonly clients: number;
  readonly refused: number;
}

/** Lane as shown to operators. */
export interface OperatedLane extends LaneStatus {
  /**
   * Reason of a pause that lasts until an operator resumes the lane, for every instance; null if it
   * is not paused.
   */
  readonly pausedFor: string | null;
  readonly quarantine: Lane['quarantine'];
  /** State at ACCEPTED_ON_L2; null if the node does not report it. */
  readonly account: AccountState | null;
}

/** Sources that the answer does not wait for if they are slow. */
type OperationsPart = 'node' | 'store' | 'pools';

export interface Operations extends Pick<EngineStatus, 'alarms' | 'clockSkewMs' | 'isStrict'> {
  readonly build: Build;
  readonly lanes: readonly OperatedLane[];
  /** Last time at which this instance read the chain. */
  readonly lastLookMs: number | null;
  /** Ledger. `state` is null if it is complete compared with its chain. */
  readonly ledger: Pick<LedgerState, 'chain' | 'lastBlock'> & {
    readonly state: EngineStatus['ledger'];
  };
  /**
   * Audit. `completedAgoMs` is the time since an audit last completed; null before the first one,
   * and if it is turned off.
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
   * Sources whose values are older than the rest, or missing: balances and nonces, rows of the
   * ledger, pools.
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
   * Returns the status within a second. If a source does not answer, its last known value is used,
   * or null. Pools that were never read are omitted.
   */
  async execute(): Promise<Operations> {
    const { engine, nodes, slots, inFlight, verdict, build, clock } = this.from;
    const {
      lanes,
      lookedAgoMs,
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
      lastLookMs: lookedAgoMs === null ? null : clock.nowMs() - lookedAgoMs,
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
   * Returns one lane; null if this instance does not follow it. Rejects with the error of the
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

/** States that a lane shows if its last poll was before its pause. */
const UNAWARE_OF_PAUSE: ReadonlySet<LaneStatus['state']> = new Set([
  'ready',
  'full',
  'short_of_funds',
  'unknown',
]);

/**
 * Replaces a stale state: a pause or its end is in the ledger at once, but the lane's state is as
 * old as its last poll.
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
