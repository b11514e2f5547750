import type { Chain } from './chain.js';

/** Delay of each stage, in milliseconds, for a chain that timers move. */
export interface CadenceDelays {
  /** Delay of the step RECEIVED → CANDIDATE. */
  readonly candidateMs: number;
  /** Delay of the step CANDIDATE → PRE_CONFIRMED. */
  readonly preConfirmedMs: number;
  /** Time from the first transaction of a block until the block is ACCEPTED_ON_L2. */
  readonly blockMs: number;
  /** Delay of the step ACCEPTED_ON_L2 → ACCEPTED_ON_L1. */
  readonly l1Ms: number;
  /** Number of newest blocks that do not become ACCEPTED_ON_L1. @default 0 */
  readonly l1BlocksBehind?: number;
  /** Time after which an empty block is closed, so that block timestamps advance. */
  readonly emptyBlockMs: number;
}

type Stage = 'candidate' | 'execute' | 'close' | 'l1';

/**
 * Advances the chain with timers. When a stage has at least one transaction or block to move, the
 * stage waits for its delay and then moves it.
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

  /** Stops all timers until {@link start} is called. */
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

  /**
   * Starts the timer of a stage if it is not running. Transactions that arrive while the timer runs
   * move together with the transactions that already wait.
   */
  #after(stage: Stage, delayMs: number, step: () => void): void {
    if (this.#timers.has(stage)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(stage);
      step();
    }, delayMs);
    this.#timers.set(stage, timer.unref());
  }
}
