import { startBackgroundTasks, type BackgroundTask, type Clock, type Logger } from '@sotto/kernel';
import type { GetVerdict } from '@sotto/relayer-core';
import {
  startEngineOnRightChain,
  warnOfEmptyLedger,
  type ChainReader,
  type Ledger,
  type NodeHealthCheck,
  type SubmissionEngine,
} from '@sotto/submission-core';
import type { RepeatedCalls, StartWarning, TaskRunners } from '../composition/bindings.js';
import type { Settings } from '../environment/settings.js';

export interface WorkParts {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly engine: Pick<SubmissionEngine, 'start' | 'stop' | 'status'>;
  readonly probe: NodeHealthCheck;
  readonly reader: Pick<ChainReader, 'head'>;
  readonly ledger: Pick<Ledger, 'state'>;
  readonly verdict: Omit<BackgroundTask, 'run'> & Pick<GetVerdict, 'run' | 'stop'>;
  readonly tasks: readonly BackgroundTask[];
  /** Runners of the keeper's tasks. */
  readonly runners: Pick<TaskRunners, 'all'>;
  /**
   * Readers of calls of repeated submissions. The ledger is read first, and the chain only if
   * necessary.
   */
  readonly repeatedCalls: readonly Pick<RepeatedCalls, 'learn'>[];
  readonly warnings: readonly StartWarning[];
}

/** Automatic work: background tasks, the keeper's tasks, and the engine. */
export class Work {
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #stopped: Promise<void> | null = null;
  #stopTasks = async (): Promise<void> => {};
  #stopVerdict = async (): Promise<void> => {};
  #warning: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: WorkParts,
    private readonly settings: Pick<Settings, 'network' | 'engine' | 'lanes'>,
  ) {}

  /**
   * Resolves once the engine runs on the profile's chain, or once its start was aborted. Rejects if
   * the engine can't continue. Waits for a node that does not respond.
   * @param signal aborts the start of the engine, as {@link stop} does
   * @throws WrongChain, WrongLedger
   */
  start(signal?: AbortSignal): Promise<void> {
    if (this.#running !== null || this.#stopped !== null)
      throw new Error('a relayer is started once, and not after it was stopped');
    const { verdict, clock, logger } = this.parts;
    // Start the verdict first. If the engine does not start, the verdict shows the reason to the
    // operator.
    this.#stopVerdict = startBackgroundTasks([verdict], { clock, logger });
    const signals = [this.#stopping.signal, ...(signal === undefined ? [] : [signal])];
    this.#running = this.#run(AbortSignal.any(signals));
    return this.#running;
  }

  /**
   * Waits until tasks and sends finish. Submissions in flight stay in the ledger for the next
   * start.
   */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #run(stopping: AbortSignal): Promise<void> {
    const { logger, clock, engine, probe, verdict, tasks, runners } = this.parts;
    const { chainId } = this.settings.network;
    const beforeStart = async (): Promise<void> => {
      await this.#compareLedger();
      // The warnings are not awaited, because the prices that they need may be unavailable. The
      // submission machine does not need prices.
      this.#warning = Promise.all(this.parts.warnings.map((each) => each.warn()));
    };
    await startEngineOnRightChain({ probe, engine, chainId, clock, logger, beforeStart }, stopping);
    // Tasks start only after the chain is verified, because they read the node and write their
    // results.
    if (stopping.aborted) return;
    this.#stopTasks = startBackgroundTasks([...tasks, ...runners.all], { clock, logger });
    // Run the verdict twice. The first call may only wait for a check that began before the ledger
    // was read.
    await verdict.run();
    await verdict.run();
  }

  async #stop(): Promise<void> {
    const { verdict, runners, engine } = this.parts;
    verdict.stop();
    this.#stopping.abort();
    if (this.#running === null) return;
    await Promise.allSettled([this.#running]);
    await Promise.allSettled([this.#warning]);
    await this.#stopTasks();
    await Promise.all(runners.all.map((runner) => runner.stop()));
    await engine.stop();
    await this.#stopVerdict();
  }

  async #compareLedger(): Promise<void> {
    const { ledger, reader, logger, repeatedCalls } = this.parts;
    const { network, engine, lanes } = this.settings;
    await warnOfEmptyLedger({
      ledger,
      reader,
      chainId: network.chainId,
      accounts: lanes.map(({ address }) => address),
      acceptance: engine.acceptance,
      logger,
    });
    for (const calls of repeatedCalls) await calls.learn();
  }
}
