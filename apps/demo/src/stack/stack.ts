import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadDevelopmentKeys } from '@sotto/circuits/node';
import { Stack as ServiceStack, writeJson } from '@sotto/process-kit';
import { say } from '../console.js';
import type { RunningSite, Site } from '../sites/site.js';
import type { Sites } from '../sites/sites.js';
import { claimPort } from './claim-port.js';
import { serviceEnvironment } from './service-settings.js';
import { waitUntilReady } from './wait-until-ready.js';

const HOST = '127.0.0.1';
const TOKEN_BYTES = 32;

/** The service and what it is given. */
interface RunningService {
  readonly stack: ServiceStack;
  readonly baseUrl: string;
  readonly curatorToken: string;
  readonly operatorToken: string;
}

/** A chain and the service over it, as processes of their own. */
export class Stack {
  #stopping: Promise<void> | undefined;

  private constructor(
    private readonly site: RunningSite,
    private readonly service: RunningService,
    private readonly keeperAll: boolean,
  ) {}

  /**
   * Resolves when the service takes withdrawals.
   * @throws PortTaken, or Error with a message for people; whatever had started is ended then
   */
  static async start(
    { port, stateFolder, keeperAll }: StackSettings,
    startSite: Site,
  ): Promise<Stack> {
    const free = await claimPort(port, HOST);
    mkdirSync(stateFolder, { recursive: true });
    const folder = mkdtempSync(join(resolve(stateFolder), 'run-'));
    const { verificationKey } = await loadDevelopmentKeys();
    const verificationKeyFile = writeJson(folder, 'verification_key.json', verificationKey);
    const site = await startSite({ folder, verificationKeyFile });
    try {
      const start = { folder, port: free, site, verificationKeyFile, keeperAll };
      return new Stack(site, await startService(start), keeperAll);
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  /** Where everything is reached. */
  get sites(): Sites {
    const { baseUrl, curatorToken, operatorToken } = this.service;
    return { ...this.site, baseUrl, curatorToken, operatorToken, keeperAll: this.keeperAll };
  }

  get serviceLog(): string {
    return this.service.stack.logFiles.join(', ');
  }

  /** Resolves with the name of the first process that ends without having been asked to. */
  async failed(): Promise<string> {
    const { service } = this.service.stack;
    const name = await Promise.race([this.site.ended, service.ended.then(() => 'service')]);
    if (this.#stopping !== undefined) return new Promise(() => {});
    return name;
  }

  /** Ends everything in order, service first, and removes this run's files. */
  stop(): Promise<void> {
    return this.#end(false);
  }

  /** As {@link stop}, but ledger and logs stay for inspection. */
  abandon(): Promise<void> {
    return this.#end(true);
  }

  #end(keep: boolean): Promise<void> {
    // The service finishes what is in flight, and needs its chain for that.
    this.#stopping ??= this.service.stack.stop({ signal: 'SIGTERM', keep });
    return this.#stopping;
  }
}

/** What a run may be asked for. */
interface StackSettings {
  /** Of the service; 0 takes a free one. */
  readonly port: number;
  /** This run's ledger and logs get a folder of their own in it. */
  readonly stateFolder: string;
  /** Whether the keeper acts on everything, and not only on what it is shown with. */
  readonly keeperAll: boolean;
}

interface ServiceStart extends Pick<StackSettings, 'keeperAll'> {
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
  keeperAll,
}: ServiceStart): Promise<RunningService> {
  say('starting the service');
  const [curatorToken, operatorToken] = [newToken(), newToken()];
  const environment = serviceEnvironment({
    ...site,
    host: HOST,
    port,
    curatorToken,
    operatorToken,
    keeperAll,
    verificationKeyFile,
    databaseFile: join(folder, 'ledger.sqlite'),
  });
  const program = import.meta.resolve('@sotto/api');
  const stack = new ServiceStack({ program, folder, environment, beneath: [site], logs: true });
  const baseUrl = `http://${HOST}:${port}`;
  const service = stack.serve();
  try {
    await waitUntilReady(baseUrl, () => service.isRunning, say);
    return { stack, baseUrl, curatorToken, operatorToken };
  } catch (cause) {
    await service.process.stop();
    throw new Error(
      `${cause instanceof Error ? cause.message : 'the service failed'}; see ${stack.logFiles.join(', ')}`,
      { cause },
    );
  }
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}
