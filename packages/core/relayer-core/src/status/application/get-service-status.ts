import { CODES_OF } from '@sotto/facts';
import { Cached, LastKnown, type Clock, type Felt } from '@sotto/kernel';
import { serviceFigures } from '../domain/service-figures.js';
import { digestOf, statusTypedData, type PlainJson } from '../domain/status-typed-data.js';
import type { PoolOpenness } from '../../circuit-breaker/domain/pool-openness.js';
import type { SettlementHistory } from '../../circuit-breaker/ports/settlement-history.port.js';
import type {
  TypedDataSignature,
  TypedDataSigner,
} from '../../relay/ports/typed-data-signer.port.js';
import type { Build } from '../ports/build.port.js';
import type { VerdictOnPool } from '../domain/verdict.js';
import type { GetVerdict } from './get-verdict.js';
import type { ListPools, ListedPool } from './list-pools.js';

/** Value with the time at which it was read, in Unix seconds. */
type Timestamped<Value extends PlainJson> = { readonly value: Value; readonly asOf: number };

/**
 * Public state of a pool. Declared as a type, not an interface, because the compiler treats only
 * types as plain JSON.
 */
type PublicPool = {
  readonly key: string;
  readonly address: Felt;
  readonly token: string;
  /** Fee that a new proof should contain now, in the token's smallest unit; null if unknown. */
  readonly fee: Timestamped<string | null>;
  /** True if new withdrawals are accepted; null if unknown. */
  readonly accepting: Timestamped<boolean | null>;
  readonly pausedFor: PoolOpenness['pausedFor'];
  /**
   * Reason that the operator entered for the pause; null if the pool is not paused or no reason was
   * entered.
   */
  readonly reason: string | null;
};

/** Public status of the service, without balances and counts. */
export type ServiceStatus = {
  readonly version: 1;
  readonly chainId: Felt;
  /** Address that a proof must contain as its relayer. */
  readonly relayer: Felt;
  /** Time at which the status was issued, in Unix seconds. */
  readonly issuedAt: number;
  /** Build of the instance that returned the status. */
  readonly build: { readonly version: string; readonly commit: string };
  readonly pools: readonly PublicPool[];
  /** True if at least one account can pay for a withdrawal. */
  readonly capacity: Timestamped<boolean>;
  readonly success: {
    readonly percent: number | null;
    readonly windowSeconds: number;
    readonly asOf: number;
  };
  readonly inclusion: {
    readonly p50Seconds: number | null;
    readonly p95Seconds: number | null;
    readonly windowSeconds: number;
    readonly asOf: number;
  };
};

export interface SignedServiceStatus extends TypedDataSignature {
  readonly status: ServiceStatus;
}

export interface ServiceSources {
  readonly listPools: Pick<ListPools, 'execute'>;
  readonly money: Pick<SettlementHistory, 'ended'>;
  readonly signer: TypedDataSigner;
  readonly verdict: Pick<GetVerdict, 'execute'>;
  readonly build: Build;
  readonly clock: Clock;
}

/**
 * Age in milliseconds from which a status is refreshed in the background. Until the refresh ends,
 * the cached status is returned.
 */
const FRESH_MS = 5_000;
/** Maximum age of a returned status, in milliseconds. */
const STALE_MS = 60_000;
const WINDOW_MS = 24 * 3_600_000;
/**
 * The statistics change only at whole multiples of this interval, in milliseconds. The difference
 * of two responses therefore never reveals single submissions.
 */
const FIGURES_STEP_MS = 600_000;
const MAX_SAMPLE = 5_000;

interface Figures {
  readonly asOfMs: number;
  readonly percent: number | null;
  readonly p50Seconds: number | null;
  readonly p95Seconds: number | null;
}

/** Publishes the state of the service and its pools, signed by the relayer. */
export class GetServiceStatus {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.status;
  readonly #signed: Cached<SignedServiceStatus>;
  readonly #lastFigures: LastKnown<Figures>;
  #figures: Figures | null = null;

  constructor(private readonly deps: ServiceSources) {
    this.#lastFigures = new LastKnown(() => this.#readFigures(), deps.clock);
    this.#signed = new Cached({ clock: deps.clock, freshMs: FRESH_MS, staleMs: STALE_MS });
  }

  /**
   * Returns the signed status, from a cache that all callers share. A field is null if its source
   * did not respond in time. Rejects only with an error of the signer.
   */
  execute(): Promise<SignedServiceStatus> {
    return this.#signed.get('', () => this.#make());
  }

  async #make(): Promise<SignedServiceStatus> {
    const [list, figures, verdict] = await Promise.all([
      this.deps.listPools.execute(),
      this.#figuresAt(this.deps.clock.nowMs()),
      this.deps.verdict.execute(),
    ]);
    const issuedAt = seconds(this.deps.clock.nowMs());
    const { build } = this.deps;
    const windowSeconds = WINDOW_MS / 1_000;
    const { percent, p50Seconds, p95Seconds } = figures;
    const status: ServiceStatus = {
      version: 1,
      chainId: list.chainId,
      relayer: list.feeAddress,
      issuedAt,
      build: { version: build.version, commit: build.commit },
      pools: list.pools.map((pool) =>
        publicPool(
          pool,
          verdict.pools.find(({ address }) => address === pool.address),
          issuedAt,
        ),
      ),
      capacity: {
        value: verdict.reasons.every(({ component }) => component !== 'lanes'),
        asOf: issuedAt,
      },
      success: { percent, windowSeconds, asOf: seconds(figures.asOfMs) },
      inclusion: { p50Seconds, p95Seconds, windowSeconds, asOf: seconds(figures.asOfMs) },
    };
    const signature = await this.deps.signer.sign(
      statusTypedData({ chainId: list.chainId, issuedAt, digest: digestOf(status) }),
    );
    return { status, ...signature };
  }

  /**
   * Returns statistics of the submissions that had ended at the last whole multiple of {@link
   * FIGURES_STEP_MS}. Every instance returns the same values, also after a restart. If the store is
   * slow, returns the last known values, or null.
   */
  async #figuresAt(nowMs: number): Promise<Figures> {
    const asOfMs = stepOf(nowMs);
    if (this.#figures?.asOfMs === asOfMs) return this.#figures;
    const { value } = await this.#lastFigures.get();
    return value ?? { asOfMs, percent: null, p50Seconds: null, p95Seconds: null };
  }

  async #readFigures(): Promise<Figures> {
    const asOfMs = stepOf(this.deps.clock.nowMs());
    const ended = await this.deps.money.ended(asOfMs - WINDOW_MS, MAX_SAMPLE);
    const { successPercent, ...times } = serviceFigures(
      ended.filter(({ endedAtMs }) => endedAtMs < asOfMs),
    );
    this.#figures = { asOfMs, percent: successPercent, ...times };
    return this.#figures;
  }
}

const stepOf = (nowMs: number): number => nowMs - (nowMs % FIGURES_STEP_MS);

function publicPool(
  { key, address, token, feeAmount, accepting, pausedFor, reason }: ListedPool,
  verdict: VerdictOnPool | undefined,
  asOf: number,
): PublicPool {
  return {
    key,
    address,
    token: token.symbol,
    fee: { value: feeAmount === null ? null : String(feeAmount), asOf },
    accepting: { value: verdict?.canWithdraw === false ? false : accepting, asOf },
    pausedFor,
    reason,
  };
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);
