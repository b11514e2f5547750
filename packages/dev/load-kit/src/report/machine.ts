import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** Machine on which a measurement ran. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly node: string;
}

/** Machine, commit and time of a measurement. */
export interface Circumstances extends Machine {
  /** Load average of the minute before the run, which shows how much other work the machine had. */
  readonly loadBefore: number;
  readonly commit: string;
  /** True if files in the working tree differ from the commit. */
  readonly changed: boolean;
  readonly date: string;
}

export function thisMachine(): Machine {
  return { processor: processorName(), cores: availableParallelism(), node: process.version };
}

export function describeMachine({ processor, cores, node }: Machine): string {
  return `${cores} cores of ${processor}, Node ${node}`;
}

export function circumstances(now: Date): Circumstances {
  const commit = git('rev-parse', '--short', 'HEAD').trim();
  const [loadBefore = 0] = loadavg();
  return {
    ...thisMachine(),
    loadBefore,
    commit: commit === '' ? 'unknown' : commit,
    changed: git('status', '--porcelain').trim() !== '',
    date: now.toISOString().slice(0, 10),
  };
}

/** Runs git and returns its output; an empty string outside a repository. */
function git(...args: readonly string[]): string {
  return spawnSync('git', args, { encoding: 'utf8' }).stdout ?? '';
}

function processorName(): string {
  const name = cpus()[0]?.model.trim() ?? '';
  if (name !== '' && name !== 'unknown') return name;
  try {
    return (
      /model name\s*:\s*(.+)/.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]?.trim() ?? 'unknown'
    );
  } catch {
    return 'unknown';
  }
}
