import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadDevelopmentKeys } from '@sotto/circuits/node';
import { z } from 'zod';
import { say } from '../console.js';
import type { Sites } from '../sites.js';
import { Child } from './child.js';
import { claimPort } from './claim-port.js';
import { serviceEnvironment } from './service-settings.js';
import { waitUntilReady } from './wait-until-ready.js';

const HOST = '127.0.0.1';

const Announcement = z.object({
  rpcUrl: z.url(),
  controlUrl: z.url(),
  aggregatorUrl: z.url(),
  bridgeUrl: z.url(),
  solverControlUrl: z.url(),
  rewardsUrl: z.url(),
});

const TOKEN_BYTES = 32;

/** The sandbox chain and the service over it, as processes of their own. */
export class Stack implements Sites {
  readonly #children: Child[] = [];
  readonly #curatorToken = randomBytes(TOKEN_BYTES).toString('hex');
  #stopping: Promise<void> | undefined;
  #baseUrl = '';
  #rpcUrl = '';
  #controlUrl = '';
  #solverControlUrl = '';

  private constructor(private readonly folder: string) {}

  /**
   * Resolves when the service takes withdrawals.
   * @param port of the service; 0 takes a free one
   * @param stateFolder this run's ledger and logs get a folder of their own in it
   * @throws PortTaken, or Error with a message for people; whatever had started is ended then
   */
  static async start(port: number, stateFolder: string): Promise<Stack> {
    const free = await claimPort(port, HOST);
    mkdirSync(stateFolder, { recursive: true });
    const stack = new Stack(mkdtempSync(join(resolve(stateFolder), 'run-')));
    try {
      await stack.#up(free);
      return stack;
    } catch (error) {
      await stack.#end();
      throw error;
    }
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  get rpcUrl(): string {
    return this.#rpcUrl;
  }

  get controlUrl(): string {
    return this.#controlUrl;
  }

  get solverControlUrl(): string {
    return this.#solverControlUrl;
  }

  get curatorToken(): string {
    return this.#curatorToken;
  }

  get serviceLog(): string {
    return join(this.folder, 'service.log');
  }

  /** Resolves with the name of the first process that ends without having been asked to. */
  async failed(): Promise<string> {
    const name = await Promise.race(this.#children.map(async (child) => child.ended.then(() => child.name)));
    if (this.#stopping !== undefined) return new Promise(() => {});
    return name;
  }

  /** Ends everything in order, service first, and removes this run's files. */
  async stop(): Promise<void> {
    await this.#end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As {@link stop}, but ledger and logs stay for whoever wants to see what happened. */
  async abandon(): Promise<void> {
    await this.#end();
  }

  async #up(port: number): Promise<void> {
    const verificationKeyFile = this.#write('verification_key.json', (await loadDevelopmentKeys()).verificationKey);

    say('starting the sandbox chain');
    const sandbox = this.#child({
      name: 'sandbox chain',
      program: new URL('./main.js', import.meta.resolve('@sotto/sandbox')).href,
      args: ['--verification-key', verificationKeyFile],
      logFile: join(this.folder, 'sandbox.log'),
      announces: true,
    });
    const { rpcUrl, controlUrl, solverControlUrl, aggregatorUrl, bridgeUrl, rewardsUrl } = Announcement.parse(
      JSON.parse(await sandbox.announcement()),
    );
    this.#rpcUrl = rpcUrl;
    this.#controlUrl = controlUrl;
    this.#solverControlUrl = solverControlUrl;

    say(`the sandbox chain is at ${rpcUrl}; starting the service`);
    const service = this.#child({
      name: 'service',
      program: import.meta.resolve('@sotto/api'),
      env: serviceEnvironment({
        host: HOST,
        port,
        rpcUrl,
        aggregatorUrl,
        bridgeUrl,
        rewardsUrl,
        curatorToken: this.#curatorToken,
        verificationKeyFile,
        databaseFile: join(this.folder, 'ledger.sqlite'),
      }),
      logFile: this.serviceLog,
    });
    this.#baseUrl = `http://${HOST}:${port}`;
    await waitUntilReady(this.#baseUrl, () => service.isRunning, say).catch((cause: unknown) => {
      throw new Error(`${cause instanceof Error ? cause.message : 'the service failed'}; see ${service.logFile}`, { cause });
    });
  }

  #child(options: ConstructorParameters<typeof Child>[0]): Child {
    const child = new Child(options);
    this.#children.push(child);
    return child;
  }

  #write(name: string, content: object): string {
    const file = join(this.folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  }

  #end(): Promise<void> {
    this.#stopping ??= this.#endInOrder();
    return this.#stopping;
  }

  async #endInOrder(): Promise<void> {
    // The service finishes what is in flight, and needs its chain for that.
    for (const child of this.#children.toReversed()) await child.stop();
  }
}
