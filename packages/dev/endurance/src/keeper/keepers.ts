import { systemClock } from '@sotto/kernel';
import { EndedEarly, eventually, type Service, type Variables } from '@sotto/process-kit';
import type { CrashPoint } from '../crash/points.js';

/** How a keeper is started; resolves when it listens. */
export type StartKeeper = (env: Variables) => Promise<Service>;

/** The operator's, for development alone. */
export const OPERATOR_TOKEN = 'token-of-the-operator';
const OPERATOR_HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

export type KeeperPoint = Pick<CrashPoint, 'name' | 'env' | 'stir' | 'restartAfterMs'>;

/** A process that dies at a point, or at none. */
export interface Keeper {
  readonly point: KeeperPoint | null;
  /** Null when it has died before it listened. */
  readonly service: Service | null;
  readonly startedMs: number;
}

/**
 * The keepers that run, the oldest first: as a rule it holds lanes and tasks, and the next takes
 * over.
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

  /** Whether any of them is to die. */
  get areArmed(): boolean {
    return this.#running.some(({ point }) => point !== null);
  }

  /** Any that can be asked. */
  get services(): readonly Service[] {
    return this.#running.flatMap(({ service }) => (service?.isRunning === true ? [service] : []));
  }

  /** One more, under a name that none has had. */
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

  /** Those that have died since the last call. @throws Error for one that ended otherwise */
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

  /** Says to any of them where the operator wants turbo; resolves when it has taken the word. */
  async lead(target: number): Promise<void> {
    await eventually('a keeper to take the operator’s word', async () => {
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

  /** Kills all but the oldest, which takes over what they held. Returns them. */
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
 * A keeper that killed itself before the line that says where it listens was out.
 * @throws what else went wrong
 */
function diedAtOnce(error: unknown): null {
  if (error instanceof EndedEarly && error.ending.signal === 'SIGKILL') return null;
  throw error;
}
