import { systemClock } from '@sotto/kernel';
import { EndedEarly, type Service, type Variables } from '@sotto/process-kit';
import type { CrashPoint } from '../crash/points.js';
import type { Stack } from '../stack/stack.js';

/** How a keeper is started; resolves when it listens. Another program can stand here. */
export type StartKeeper = (stack: Stack, env: Variables) => Promise<Service>;

/** The keeper's tasks in the service. */
export const startService: StartKeeper = (stack, env) => stack.another(env);

/** A process that dies at a point, or at none. */
export interface Keeper {
  readonly point: CrashPoint | null;
  /** Null when it has died before it listened. */
  readonly service: Service | null;
  readonly startedMs: number;
}

/** The keepers that run, the oldest first: it holds lanes and tasks, and the next takes over. */
export class Keepers {
  #started = 0;
  #running: readonly Keeper[] = [];

  constructor(
    private readonly stack: Stack,
    private readonly startKeeper: StartKeeper,
  ) {}

  get oldest(): Keeper | undefined {
    return this.#running[0];
  }

  get count(): number {
    return this.#running.length;
  }

  /** Whether any of them is to die. */
  get areArmed(): boolean {
    return this.#running.some(({ point }) => point !== null);
  }

  /** Any that can be asked. */
  get services(): readonly Service[] {
    return this.#running.flatMap(({ service }) => (service?.isRunning === true ? [service] : []));
  }

  /** One more, under a name that none has had. */
  async start(point: CrashPoint | null, crashAfter: number): Promise<void> {
    this.#started += 1;
    const armed =
      point === null
        ? {}
        : {
            ...point.env,
            SOTTO_FAILPOINT: point.name,
            SOTTO_CRASH_AFTER: String(crashAfter),
          };
    const env = { ...armed, INSTANCE_ID: `keeper-${this.#started}` };
    const service = await this.startKeeper(this.stack, env).catch(diedAtOnce);
    const keeper = { point, service, startedMs: systemClock.monotonicMs() };
    this.#running = [...this.#running, keeper];
  }

  /** Those that have died since the last call. @throws Error for one that ended otherwise */
  async died(): Promise<readonly Keeper[]> {
    const dead = this.#running.filter(({ service }) => service?.isRunning !== true);
    this.#running = this.#running.filter((keeper) => !dead.includes(keeper));
    for (const { service } of dead) {
      const ending = await service?.ended;
      if (ending !== undefined && ending.signal !== 'SIGKILL')
        throw new Error(
          `a keeper ended with ${ending.code} ${ending.signal}; logs are in ${this.stack.logFolder}`,
        );
    }
    return dead;
  }

  async kill({ service }: Keeper): Promise<void> {
    service?.kill('SIGKILL');
    await service?.ended;
    this.#running = this.#running.filter((each) => each.service !== service);
  }

  async stop(): Promise<void> {
    for (const keeper of this.#running) await this.kill(keeper);
  }
}

/**
 * A keeper that killed itself before the line that says where it listens was out.
 * @throws what else went wrong
 */
function diedAtOnce(error: unknown): null {
  if (error instanceof EndedEarly && error.ending.signal === 'SIGKILL') return null;
  throw error;
}
