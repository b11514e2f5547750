import type { Chain } from './chain.js';

/** Delays per stage when the chain moves automatically, in milliseconds. */
export interface CadenceDelays {
  /** RECEIVED → CANDIDATE. */
  readonly candidateMs: number;
  /** CANDIDATE → PRE_CONFIRMED. */
  readonly preConfirmedMs: number;
  /** First transaction of a block → ACCEPTED_ON_L2. */
  readonly blockMs: number;
  /** ACCEPTED_ON_L2 → ACCEPTED_ON_L1. */
  readonly l1Ms: number;
  /** Number of latest blocks that never become ACCEPTED_ON_L1. @default 0 */
  readonly l1BlocksBehind?: number;
  /** Time after which an empty block closes, so that block times advance. */
  readonly emptyBlockMs: number;
}

type Stage = 'candidate' | 'execute' | 'close' | 'l1';

/** Advances the chain by timers: each stage waits for its delay once it has work. */
export class Cadence {
  readonly #timers = new Map<Stage, NodeJS.Timeout>();
  #emptyBlockTimer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(
    private readonly chain: Chain,
    private readonly delays: CadenceDelays,
  ) {
    chain.onChange(() => {
      this.#poke();
    });
  }

  start(): void {
    this.#running = true;
    this.#poke();
  }

  /** Stops advancing until {@link start}. */
  stop(): void {
    this.#running = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    clearTimeout(this.#emptyBlockTimer);
    this.#emptyBlockTimer = undefined;
  }

  #poke(): void {
    if (!this.#running) return;
    const { chain, delays } = this;
    const newest = chain.latest.number;
    if (chain.executable().length > 0)
      this.#after('candidate', delays.candidateMs, () => chain.pickCandidates());
    if (chain.open.candidates.length > 0)
      this.#after('execute', delays.preConfirmedMs, () => chain.executeCandidates());
    if (chain.open.inclusions.length > 0)
      this.#after('close', delays.blockMs, () => chain.closeBlock());
    const settled = newest - (delays.l1BlocksBehind ?? 0);
    if (settled > chain.l1Height) {
      this.#after('l1', delays.l1Ms, () => {
        chain.acceptOnL1(settled);
      });
    }
    this.#emptyBlockTimer ??= setTimeout(() => {
      this.#emptyBlockTimer = undefined;
      if (chain.open.inclusions.length === 0) chain.closeBlock();
      else this.#poke();
    }, delays.emptyBlockMs).unref();
  }

  /** Uses one timer per stage: later arrivals move together with those already waiting. */
  #after(stage: Stage, delayMs: number, step: () => void): void {
    if (this.#timers.has(stage)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(stage);
      step();
    }, delayMs);
    this.#timers.set(stage, timer.unref());
  }
}
