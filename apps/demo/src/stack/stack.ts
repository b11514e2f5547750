import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadDevelopmentKeys } from '@sotto/circuits/node';
import { say } from '../console.js';
import type { RunningSite, Site } from '../sites/site.js';
import type { Sites } from '../sites/sites.js';
import { Child } from './child.js';
import { claimPort } from './claim-port.js';
import { serviceEnvironment } from './service-settings.js';
import { waitUntilReady } from './wait-until-ready.js';

const HOST = '127.0.0.1';
const TOKEN_BYTES = 32;
const SERVICE_LOG = 'service.log';

/** The service and what it is given. */
interface RunningService {
  readonly process: Child;
  readonly baseUrl: string;
  readonly curatorToken: string;
}

/** A chain and the service over it, as processes of their own. */
export class Stack {
  #stopping: Promise<void> | undefined;

  private constructor(
    private readonly folder: string,
    private readonly site: RunningSite,
    private readonly service: RunningService,
  ) {}

  /**
   * Resolves when the service takes withdrawals.
   * @param port of the service; 0 takes a free one
   * @param stateFolder this run's ledger and logs get a folder of their own in it
   * @throws PortTaken, or Error with a message for people; whatever had started is ended then
   */
  static async start(port: number, stateFolder: string, startSite: Site): Promise<Stack> {
    const free = await claimPort(port, HOST);
    mkdirSync(stateFolder, { recursive: true });
    const folder = mkdtempSync(join(resolve(stateFolder), 'run-'));
    const verificationKeyFile = join(folder, 'verification_key.json');
    writeFileSync(
      verificationKeyFile,
      JSON.stringify((await loadDevelopmentKeys()).verificationKey),
    );
    const site = await startSite({ folder, verificationKeyFile });
    try {
      return new Stack(
        folder,
        site,
        await startService({ folder, port: free, site, verificationKeyFile }),
      );
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  /** Where everything is reached. */
  get sites(): Sites {
    return { ...this.site, baseUrl: this.service.baseUrl, curatorToken: this.service.curatorToken };
  }

  get serviceLog(): string {
    return join(this.folder, SERVICE_LOG);
  }

  /** Resolves with the name of the first process that ends without having been asked to. */
  async failed(): Promise<string> {
    const { process } = this.service;
    const name = await Promise.race([this.site.ended, process.ended.then(() => process.name)]);
    if (this.#stopping !== undefined) return new Promise(() => {});
    return name;
  }

  /** Ends everything in order, service first, and removes this run's files. */
  async stop(): Promise<void> {
    await this.#end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As {@link stop}, but ledger and logs stay for inspection. */
  async abandon(): Promise<void> {
    await this.#end();
  }

  #end(): Promise<void> {
    this.#stopping ??= this.#endInOrder();
    return this.#stopping;
  }

  async #endInOrder(): Promise<void> {
    // The service finishes what is in flight, and needs its chain for that.
    await this.service.process.stop();
    await this.site.stop();
  }
}

interface ServiceStart {
  readonly folder: string;
  readonly port: number;
  readonly site: RunningSite;
  readonly verificationKeyFile: string;
}

async function startService({
  folder,
  port,
  site,
  verificationKeyFile,
}: ServiceStart): Promise<RunningService> {
  say('starting the service');
  const curatorToken = randomBytes(TOKEN_BYTES).toString('hex');
  const process = new Child({
    name: 'service',
    program: import.meta.resolve('@sotto/api'),
    env: serviceEnvironment({
      ...site,
      host: HOST,
      port,
      curatorToken,
      verificationKeyFile,
      databaseFile: join(folder, 'ledger.sqlite'),
    }),
    logFile: join(folder, SERVICE_LOG),
  });
  const baseUrl = `http://${HOST}:${port}`;
  try {
    await waitUntilReady(baseUrl, () => process.isRunning, say);
    return { process, baseUrl, curatorToken };
  } catch (cause) {
    await process.stop();
    throw new Error(
      `${cause instanceof Error ? cause.message : 'the service failed'}; see ${process.logFile}`,
      { cause },
    );
  }
}
