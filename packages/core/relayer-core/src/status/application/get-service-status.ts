import type { Clock, Felt } from '@sotto/kernel';
import { serviceFigures } from '../domain/service-figures.js';
import { digestOf, type PlainJson } from '../domain/status-typed-data.js';
import type { PoolOpenness } from '../../circuit-breaker/domain/pool-openness.js';
import type { SettlementHistory } from '../../circuit-breaker/ports/settlement-history.port.js';
import type { StatusSignature, StatusSigner } from '../ports/status-signer.port.js';
import { settle } from '../../relay/application/result.js';
import type { ListPools, ListedPool } from '../../pools/application/list-pools.js';
import { SingleFlight } from '../../relay/application/single-flight.js';

/** A value and when it was looked at, in Unix seconds. */
type Timestamped<Value extends PlainJson> = { readonly value: Value; readonly asOf: number };

/** Types, not interfaces: only those are plain JSON to the compiler. */
type PublicPool = {
  readonly key: string;
  readonly address: Felt;
  readonly token: string;
  /** To put into a proof now, in the token's smallest unit; null while it can't be known. */
  readonly fee: Timestamped<string | null>;
  /** Whether withdrawals begin in it; null while that can't be known. */
  readonly accepting: Timestamped<boolean | null>;
  readonly pausedFor: PoolOpenness['pausedFor'];
  /** The operator's words on a pause. */
  readonly reason: string | null;
};

/** What anybody may know of the service. No balances, no counts. */
export type ServiceStatus = {
  readonly version: 1;
  readonly chainId: Felt;
  /** The address that a proof must name as its relayer. */
  readonly relayer: Felt;
  /** Unix time in seconds. */
  readonly issuedAt: number;
  readonly pools: readonly PublicPool[];
  /** Whether there is an account that can pay for a withdrawal. */
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

export interface SignedServiceStatus extends StatusSignature {
  readonly status: ServiceStatus;
}

export interface ServiceSources {
  readonly listPools: Pick<ListPools, 'execute'>;
  readonly money: Pick<SettlementHistory, 'ended'>;
  readonly signer: StatusSigner;
  /** Whether an account can pay for a withdrawal, as it was seen last. */
  readonly hasCapacity: () => boolean;
  readonly clock: Clock;
}

/** An older status is made again; until then the old one is returned. */
const FRESH_MS = 5_000;
/** A status older than this is no longer returned. */
const STALE_MS = 60_000;
const WINDOW_MS = 24 * 3_600_000;
/**
 * Figures change at whole multiples of this only: between two answers there are never few
 * submissions.
 */
const FIGURES_STEP_MS = 600_000;
const MAX_SAMPLE = 5_000;

interface Figures {
  readonly asOfMs: number;
  readonly percent: number | null;
  readonly p50Seconds: number | null;
  readonly p95Seconds: number | null;
}

/** Publishes, under the relayer's signature, whether the service works and what it accepts. */
export class GetServiceStatus {
  readonly #making = new SingleFlight<SignedServiceStatus>();
  #last: { readonly madeAtMs: number; readonly signed: SignedServiceStatus } | null = null;
  #figures: Figures | null = null;

  constructor(private readonly deps: ServiceSources) {}

  /**
   * Cheap however many ask. What can't be read is null in it; only an error of the signer rejects.
   */
  async execute(): Promise<SignedServiceStatus> {
    const ageMs =
      this.#last === null ? Infinity : this.deps.clock.monotonicMs() - this.#last.madeAtMs;
    if (this.#last !== null && ageMs < FRESH_MS) return this.#last.signed;
    const making = this.#making.run('make', () => this.#make());
    if (this.#last === null || ageMs >= STALE_MS) return making;
    // Callers that wait for it get its failure; this caller has an answer.
    making.catch(() => undefined);
    return this.#last.signed;
  }

  async #make(): Promise<SignedServiceStatus> {
    const madeAtMs = this.deps.clock.monotonicMs();
    const [list, figures] = await Promise.all([
      this.deps.listPools.execute(),
      this.#figuresAt(this.deps.clock.nowMs()),
    ]);
    const issuedAt = seconds(this.deps.clock.nowMs());
    const windowSeconds = WINDOW_MS / 1_000;
    const { percent, p50Seconds, p95Seconds } = figures;
    const status: ServiceStatus = {
      version: 1,
      chainId: list.chainId,
      relayer: list.feeAddress,
      issuedAt,
      pools: list.pools.map((pool) => publicPool(pool, issuedAt)),
      capacity: { value: this.deps.hasCapacity(), asOf: issuedAt },
      success: { percent, windowSeconds, asOf: seconds(figures.asOfMs) },
      inclusion: { p50Seconds, p95Seconds, windowSeconds, asOf: seconds(figures.asOfMs) },
    };
    const signature = await this.deps.signer.signStatus({
      chainId: list.chainId,
      issuedAt,
      digest: digestOf(status),
    });
    this.#last = { madeAtMs, signed: { status, ...signature } };
    return this.#last.signed;
  }

  /** Of what had ended at the last step: every instance says the same, after a restart as well. */
  async #figuresAt(nowMs: number): Promise<Figures> {
    const asOfMs = nowMs - (nowMs % FIGURES_STEP_MS);
    if (this.#figures?.asOfMs === asOfMs) return this.#figures;
    const ended = await settle(this.deps.money.ended(asOfMs - WINDOW_MS, MAX_SAMPLE));
    if (!ended.known)
      return this.#figures ?? { asOfMs, percent: null, p50Seconds: null, p95Seconds: null };
    const { successPercent, ...times } = serviceFigures(
      ended.value.filter(({ endedAtMs }) => endedAtMs < asOfMs),
    );
    this.#figures = { asOfMs, percent: successPercent, ...times };
    return this.#figures;
  }
}

function publicPool(
  { key, address, token, feeAmount, accepting, pausedFor, reason }: ListedPool,
  asOf: number,
): PublicPool {
  return {
    key,
    address,
    token: token.symbol,
    fee: { value: feeAmount === null ? null : String(feeAmount), asOf },
    accepting: { value: accepting, asOf },
    pausedFor,
    reason,
  };
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);
