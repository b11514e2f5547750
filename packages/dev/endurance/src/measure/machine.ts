import { availableParallelism, cpus } from 'node:os';

/** Where something was measured. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly node: string;
}

export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
  };
}
