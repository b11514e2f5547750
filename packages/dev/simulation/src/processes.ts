import type { Hint, LedgerAcceptance, SubmissionSettings } from '@sotto/submission-core';
import type { Calls } from './calls.js';
import type { Disk } from './disk.js';
import type { Judge } from './judge.js';
import type { Mutant } from './mutants/index.js';
import { OsProcess } from './os-process.js';
import type { RunPlan } from './run-plan.js';
import type { Random, Streams } from './random.js';
import type { Scheduler } from './scheduler.js';
import { ServiceProcess, type WorldPorts } from './service-process.js';
import type { Story } from './story.js';
import type { Taps } from './taps.js';
import { CALL_FAULTS } from './weather.js';

export interface ProcessesParts {
  readonly plan: RunPlan;
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly disk: Disk;
  readonly calls: Calls;
  readonly judge: Judge;
  readonly story: Story;
  readonly taps: Taps;
  readonly mutant: Mutant | null;
  readonly ports: WorldPorts;
}

/** All processes of the service, including processes that have ended. */
export class Processes {
  readonly all: ServiceProcess[] = [];
  /** Lanes with which the next process starts. */
  lanes: SubmissionSettings['lanes'];
  acceptance: LedgerAcceptance = 'always';
  isFair = false;

  constructor(private readonly deps: ProcessesParts) {
    this.lanes = deps.plan.lanes;
  }

  get alive(): ServiceProcess[] {
    return this.all.filter(({ os }) => !os.isDead);
  }

  pick(random: Random): ServiceProcess | null {
    const { alive } = this;
    return alive.length === 0 ? null : random.pick(alive);
  }

  async start(slot: string): Promise<ServiceProcess> {
    const { plan, scheduler, disk, calls, ports, judge, story, mutant } = this.deps;
    const os = new OsProcess(`P${this.all.length + 1}`, scheduler);
    const ledger = await disk.open(os.name);
    const usual = {
      ...plan.settings,
      instance: slot,
      lanes: this.lanes,
      acceptance: this.acceptance,
    };
    const settings = mutant?.settings?.(usual) ?? usual;
    const process = new ServiceProcess(
      os,
      slot,
      ledger,
      ports,
      calls,
      settings,
      { judge, story },
      mutant,
    );
    this.all.push(process);
    judge.lostLedger.started(os.name);
    story.report(() => `${os.name} starts in ${slot}`);
    process.engine
      .start()
      .catch((error: unknown) => story.report(() => `${os.name} does not start: ${String(error)}`));
    return process;
  }

  kill(process: ServiceProcess): void {
    if (process.os.isDead) return;
    process.os.kill();
    this.deps.taps.counts.crashes += 1;
    this.deps.story.report(() => `${process.os.name} is killed`);
  }

  killAll(): void {
    for (const process of this.alive) process.os.kill();
  }

  /** Starts a process in each of these slots that has no process, like a supervisor. */
  async restart(slots: readonly string[]): Promise<void> {
    for (const slot of slots) {
      if (this.alive.some((process) => process.slot === slot)) continue;
      for (const { os } of this.all.filter((process) => process.slot === slot))
        await this.deps.disk.closed(os.name);
      await this.start(slot);
    }
  }

  hint(from: OsProcess, hint: Hint): void {
    const { scheduler, streams, plan } = this.deps;
    const random = streams.of('hints');
    for (const process of this.alive) {
      const isLost = random.chance(CALL_FAULTS['hint lost'] * plan.weather['hint lost']);
      if (process.os !== from && !isLost)
        scheduler.after(random.between(1, 30), () => process.hear(hint));
    }
  }
}
