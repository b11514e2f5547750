import { systemClock } from '@sotto/kernel';
import { eventually, type Service } from '@sotto/process-kit';
import type { Stack } from './stack.js';

/** Several instances of the service with one chain and one store. */
export class Fleet {
  readonly #instances = new Map<string, Service>();
  #named = 0;

  /** @param first name of the stack's service, which is the first instance */
  constructor(
    private readonly stack: Stack,
    first: string,
  ) {
    this.#instances.set(first, stack.service);
  }

  /** Instances whose processes run. */
  get running(): readonly Service[] {
    return [...this.#instances.values()].filter(({ isRunning }) => isRunning);
  }

  get names(): readonly string[] {
    return [...this.#instances.keys()];
  }

  /** Starts an instance under a new name. Resolves when the instance listens. */
  async add(): Promise<string> {
    this.#named += 1;
    const name = `instance-${this.#named}`;
    this.#instances.set(name, await this.stack.beside({ INSTANCE_ID: name }));
    return name;
  }

  /** @throws Error for an unknown instance */
  get(name: string): Service {
    const service = this.#instances.get(name);
    if (service === undefined) throw new Error(`there is no ${name}`);
    return service;
  }

  /** Kills an instance without a shutdown. */
  async kill(name: string): Promise<void> {
    const service = this.get(name);
    this.#instances.delete(name);
    service.kill('SIGKILL');
    await service.ended;
  }

  /**
   * Makes an instance leave the others. Returns a function with which the instance, or a new one in
   * its place, joins them again.
   * @param kind `kill` and `stop` end the process; `freeze` stops it until it joins again
   */
  async disturb(name: string, kind: 'kill' | 'stop' | 'freeze'): Promise<() => Promise<void>> {
    const service = this.get(name);
    if (kind === 'freeze') {
      service.kill('SIGSTOP');
      return async () => service.kill('SIGCONT');
    }
    if (kind === 'kill') await this.kill(name);
    else {
      this.#instances.delete(name);
      service.kill('SIGTERM');
      await service.ended;
    }
    return async () => void (await this.add());
  }

  async stop(): Promise<void> {
    await Promise.all(this.names.map((name) => this.kill(name)));
  }

  /**
   * Returns the submission from a running instance once `holds` returns true for the submission.
   */
  async submissionWhere(
    path: string,
    holds: (body: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<unknown> {
    return eventually(`${path} to be as expected`, async () => {
      const [any] = this.running;
      const answer = await any?.get(path).catch(() => undefined);
      const body: Readonly<Record<string, unknown>> = Object(answer?.body);
      if (answer?.status === 200 && holds(body)) return body;
      await systemClock.sleep(100);
      return undefined;
    });
  }
}
