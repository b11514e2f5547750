import type { Chain } from './chain.js';

/** How long a transaction stays in each stage when the chain moves by itself, in milliseconds. */
export interface CadenceDelays {
  /** RECEIVED → CANDIDATE. */
  readonly candidateMs: number;
  /** CANDIDATE → PRE_CONFIRMED. */
  readonly preConfirmedMs: number;
  /** First transaction of a block → ACCEPTED_ON_L2. */
  readonly blockMs: number;
  /** ACCEPTED_ON_L2 → ACCEPTED_ON_L1. */
  readonly l1Ms: number;
  /** So many of the latest blocks are never ACCEPTED_ON_L1, however old. @default 0 */
  readonly l1BlocksBehind?: number;
  /** A block without transactions closes after this time, so that block time goes on. */
  readonly emptyBlockMs: number;
}

type Stage = 'candidate' | 'execute' | 'close' | 'l1';

/**
 * Takes the chain's steps by timers: each stage waits its delay from the moment it has something to
 * do.
 */
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

  /** No further step is taken until {@link start}. */
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

  /** One timer per stage: what comes later moves together with what waits already. */
  #after(stage: Stage, delayMs: number, step: () => void): void {
    if (this.#timers.has(stage)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(stage);
      step();
    }, delayMs);
    this.#timers.set(stage, timer.unref());
  }
}
