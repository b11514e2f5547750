import { join } from 'node:path';
import { ledgerIn, Stack, type Service } from '@sotto/process-kit';
import type { ServiceDescription } from '../description.js';
import { DevError } from '../dev-error.js';
import type { StackOrder } from './protocol.js';
import { describeUnused, serviceSettings, type Below } from './service-settings.js';
import type { Tokens } from './tokens.js';
import { waitUntilReady } from './wait-until-ready.js';

interface ServiceOrder extends Omit<StackOrder, 'chain'> {
  readonly below: Below;
  readonly credentials: Tokens;
  readonly verificationKeyFile: string;
}

/** Functions that receive events of the service. */
export interface ServiceListeners {
  readonly say: (sentence: string) => void;
  /** Called if the service has ended unexpectedly. */
  readonly onServiceEnded: () => void;
}

/** URL of the built program. The relative path is the same from src and from dist. */
const PROGRAM = new URL('../../bundle/service.js', import.meta.url).href;

const HTTP_UNAUTHORIZED = 401;
const ANSWER_MS = 5_000;

/** Service as a child of this process, which can kill and restart the service. */
export class ServiceProcess {
  readonly description: ServiceDescription;
  readonly #stack: Stack;
  #isWanted = false;
  #isStopped = false;
  /**
   * Queue of commands that start and stop the service. Commands are executed one after the other.
   */
  #orders: Promise<void> = Promise.resolve();

  constructor(
    private readonly order: ServiceOrder,
    private readonly on: ServiceListeners,
  ) {
    const { host, servicePort, folder, settings } = order;
    const { variables, unused } = serviceSettings(
      {
        ...order.below,
        host,
        port: servicePort,
        tokens: order.credentials,
        keeperAll: order.keeperAll,
        verificationKeyFile: order.verificationKeyFile,
        databaseFile: ledgerIn(folder),
      },
      settings,
    );
    const { curator, operator } = order.credentials;
    this.description = {
      serviceUrl: `http://${host}:${servicePort}`,
      serviceLog: join(folder, 'service-1.log'),
      unusedSettings: unused,
      credentials: {
        curator: { token: curator.value, isGiven: curator.isGiven },
        operator: { token: operator.value, isGiven: operator.isGiven },
      },
    };
    const sentence = describeUnused(unused);
    if (sentence !== null) on.say(sentence);
    this.#stack = new Stack({
      program: PROGRAM,
      folder,
      environment: variables,
      beneath: [],
      logs: true,
    });
  }

  /** Starts the service's process. {@link ready} waits until the service accepts withdrawals. */
  start(): void {
    this.on.say('starting the service');
    const service = this.#stack.serve();
    this.#isWanted = true;
    void this.#watch(service);
  }

  async #watch(service: Service): Promise<void> {
    await service.ended;
    if (this.#isWanted && this.#stack.running === null) this.on.onServiceEnded();
  }

  /**
   * Resolves when the service accepts withdrawals. @throws DevError with the end of the service's
   * log if it ends or does not become ready
   */
  async ready(): Promise<void> {
    const { service } = this.#stack;
    try {
      await waitUntilReady(this.description.serviceUrl, {
        isRunning: () => service.isRunning,
        isOurs: () => this.#answers(),
        say: (sentence) => this.on.say(sentence),
      });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'the service failed';
      // If the service has ended, its log contains the reason, such as an invalid setting.
      const said = service.isRunning ? '' : `\n${service.process.lastWritten.trimEnd()}`;
      const logs = this.#stack.logFiles.join(', ');
      throw new DevError(`${reason}; see ${logs}${said}`, { cause });
    }
  }

  /**
   * Returns true if this service responds at the port. Returns false if another service has bound
   * the port.
   */
  async #answers(): Promise<boolean> {
    const { operator } = this.order.credentials;
    const response = await fetch(`${this.description.serviceUrl}/api/operator/status`, {
      headers: { authorization: `Bearer ${operator.value}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
    if (!response.ok && response.status !== HTTP_UNAUTHORIZED)
      throw new Error(`the operator's status is answered with ${response.status}`);
    return response.ok;
  }

  /**
   * Starts the service on the same ledger if it is not running. Resolves when the service accepts
   * withdrawals.
   */
  run(): Promise<void> {
    return this.#after(async () => {
      if (this.#isStopped) throw new DevError('the stack is stopping');
      if (this.#stack.running === null) this.start();
      await this.ready();
    });
  }

  /** Kills the service's process, as a crash would. */
  kill(): Promise<void> {
    return this.#after(() => this.#end('SIGKILL'));
  }

  /** Stops the service permanently, even if another command is still pending. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end('SIGTERM');
    await this.#orders;
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#isWanted = false;
    await this.#stack.running?.process.stop(signal);
  }

  #after(act: () => Promise<void>): Promise<void> {
    const done = this.#orders.then(act);
    this.#orders = done.catch(() => undefined);
    return done;
  }
}
