import { gate, type Gate } from './gate.js';

const NEVER = new Promise<never>(() => undefined);

/** What stands between one process and the world: it can be killed at any call, or stand still for a while. */
export class ProcessLife {
  #callsLeft: number | null = null;
  #isDead = false;
  #stall: Gate | null = null;

  constructor(private readonly activity: Activity) {}

  get isDead(): boolean {
    return this.#isDead;
  }

  /** After so many more calls the process is gone; the last of them takes effect, but nobody hears its answer. */
  dieAfter(calls: number): void {
    this.#callsLeft = calls;
    if (calls === 0) this.#isDead = true;
  }

  /** Every call waits until {@link goOn}: a long pause, after which the process goes on with what it had in hand. */
  stall(): void {
    this.#stall ??= gate();
  }

  goOn(): void {
    this.#stall?.open();
    this.#stall = null;
  }

  /** The port as this process reaches it. */
  through<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#call(() => Reflect.apply(member, target, args));
      },
    });
  }

  /** While the process stands still. */
  async #stands(): Promise<void> {
    for (let stall = this.#stall; stall !== null; stall = this.#stall) await stall.opened;
  }

  async #call(call: () => unknown): Promise<unknown> {
    await this.#stands();
    if (this.#isDead) return NEVER;
    if (this.#callsLeft !== null) this.#callsLeft -= 1;
    const isLast = this.#callsLeft === 0;
    if (isLast) this.#isDead = true;
    const answer = await this.activity.during(call);
    await this.#stands();
    return this.#isDead ? NEVER : answer;
  }
}

/** Counts what is under way, so that a test can wait until nothing is. */
export class Activity {
  #underway = 0;

  async during(call: () => unknown): Promise<unknown> {
    this.#underway += 1;
    try {
      return await call();
    } finally {
      this.#underway -= 1;
    }
  }

  /** A call that waits for something which only a later command brings: nothing is under way meanwhile. */
  async apart(waiting: Promise<void>): Promise<void> {
    this.#underway -= 1;
    try {
      await waiting;
    } finally {
      this.#underway += 1;
    }
  }

  /** Resolves when nothing happens any more without time, a block or a caller. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#underway > 0) quiet = 0;
    }
  }
}

/** Turns of the event loop without a call: between two calls the machine takes microtasks only. */
const QUIET_TURNS = 3;
