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

/** Requests that are under way, of how many callers, and turned away since the start. */
interface RequestCounts {
  readonly requests: number;
  readonly clients: number;
  readonly refused: number;
}

/** An account as its operator sees it. */
export interface OperatedLane extends LaneStatus {
  /**
   * Why it is stopped until an operator resumes it, in the ledger and so for every instance; null
   * while it is not.
   */
  readonly pausedFor: string | null;
  readonly quarantine: Lane['quarantine'];
  /** At ACCEPTED_ON_L2; null while the node does not report it. */
  readonly account: AccountState | null;
}

/** What an answer that has to come in time does not wait for. */
type OperationsPart = 'node' | 'store' | 'pools';

export interface Operations extends Pick<EngineStatus, 'alarms' | 'clockSkewMs' | 'isStrict'> {
  readonly build: Build;
  readonly lanes: readonly OperatedLane[];
  /** When this instance read the chain last. */
  readonly lastLookMs: number | null;
  /** `state` is null for a ledger that lacks nothing of its chain. */
  readonly ledger: Pick<LedgerState, 'chain' | 'lastBlock'> & {
    readonly state: EngineStatus['ledger'];
  };
  /**
   * `completedAgoMs`: since an audit last read all that it wanted; null before the first time, and
   * where it is turned off.
   */
  readonly audit: Pick<AuditStatus, 'lastBlock' | 'behindBlocks' | 'findings' | 'problem'> & {
    readonly completedAgoMs: number | null;
  };
  readonly nodes: readonly NodeStatus[];
  /** What an operator should look at. */
  readonly stuck: readonly StuckNonce[];
  readonly pools: readonly GuardedPool[];
  readonly verdict: Verdict;
  readonly load: { readonly admissions: SlotCounts; readonly requests: RequestCounts };
  /** What is older than the rest, or missing: balances and nonces, rows of the ledger, pools. */
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
  /** Codes of the route that it stands behind. */
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
   * Ends within a second whatever hangs: what does not answer is as it was known last, or null, and
   * pools that were never read are left out.
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
   * One account; null where this instance follows no such account. Rejects with the error of the
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

/** States of a lane whose last look was before its pause. */
const UNAWARE_OF_PAUSE: ReadonlySet<LaneStatus['state']> = new Set([
  'ready',
  'full',
  'short_of_funds',
  'unknown',
]);

/**
 * A pause or its end stands in the ledger at once; the lane's own view of it is as old as its last
 * look.
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
