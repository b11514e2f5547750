import { systemClock } from '@sotto/kernel';
import { EndedEarly, eventually, type Service, type Variables } from '@sotto/process-kit';
import type { CrashPoint } from '../crash/points.js';

/** Starts a keeper process. Resolves when the process listens. */
export type StartKeeper = (env: Variables) => Promise<Service>;

/** API token of the operator, for development only. */
export const OPERATOR_TOKEN = 'token-of-the-operator';
const OPERATOR_HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

export type KeeperPoint = Pick<CrashPoint, 'name' | 'env' | 'stir' | 'restartAfterMs'>;

/** Running keeper process. */
export interface Keeper {
  readonly point: KeeperPoint | null;
  /** Null if the process was killed before it listened. */
  readonly service: Service | null;
  readonly startedMs: number;
}

/**
 * Running keepers, oldest first. The oldest keeper usually holds the leases of lanes and tasks.
 * When it is killed, the next keeper leases them.
 */
export class Keepers {
  #started = 0;
  #running: readonly Keeper[] = [];

  constructor(private readonly startKeeper: StartKeeper) {}

  get oldest(): Keeper | undefined {
    return this.#running[0];
  }

  get count(): number {
    return this.#running.length;
  }

  /** True if at least one running keeper is configured to be killed at a failpoint. */
  get areArmed(): boolean {
    return this.#running.some(({ point }) => point !== null);
  }

  /** Services of the running keepers. Each of these services accepts requests. */
  get services(): readonly Service[] {
    return this.#running.flatMap(({ service }) => (service?.isRunning === true ? [service] : []));
  }

  /** Starts a keeper under a new instance id. */
  async start(point: KeeperPoint | null, crashAfter = 1): Promise<void> {
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
    const service = await this.startKeeper(env).catch(diedAtOnce);
    const keeper = { point, service, startedMs: systemClock.monotonicMs() };
    this.#running = [...this.#running, keeper];
  }

  /**
   * Returns the keepers that were killed since the last call. @throws Error if a keeper ended
   * without SIGKILL
   */
  async died(): Promise<readonly Keeper[]> {
    const dead = this.#running.filter(({ service }) => service?.isRunning !== true);
    this.#running = this.#running.filter((keeper) => !dead.includes(keeper));
    for (const { service } of dead) {
      const ending = await service?.ended;
      if (ending !== undefined && ending.signal !== 'SIGKILL')
        throw new Error(`a keeper ended with ${ending.code} ${ending.signal}`);
    }
    return dead;
  }

  /**
   * Sets the turbo vault's leverage target through any running keeper. Resolves when one keeper has
   * accepted the target.
   */
  async lead(target: number): Promise<void> {
    await eventually('a keeper to accept the operator’s target', async () => {
      for (const service of this.services) {
        const answer = await service
          .post('/api/operator/leverage/turbo', { target }, OPERATOR_HEADERS)
          .catch(() => undefined);
        if (answer?.status === 200) return true;
      }
      return false;
    });
  }

  async kill({ service }: Keeper): Promise<void> {
    service?.kill('SIGKILL');
    await service?.ended;
    this.#running = this.#running.filter((each) => each.service !== service);
  }

  /**
   * Kills all keepers except the oldest keeper, which can then lease the lanes of the killed
   * keepers. @returns the killed keepers
   */
  async killNewer(): Promise<readonly Keeper[]> {
    const newer = this.#running.slice(1);
    for (const keeper of newer) await this.kill(keeper);
    return newer;
  }

  async stop(): Promise<void> {
    for (const keeper of this.#running) await this.kill(keeper);
  }
}

/**
 * Returns null if the keeper killed itself before it printed its address.
 * @throws any other error
 */
function diedAtOnce(error: unknown): null {
  if (error instanceof EndedEarly && error.ending.signal === 'SIGKILL') return null;
  throw error;
}
