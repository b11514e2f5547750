import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

/** Describes what needs a program; skipped, and saying why, where it does not run. */
export function describeWhere(
  name: string,
  [program, ...parameters]: readonly [string, ...string[]],
  define: () => void,
): void {
  const runs = spawnSync(program, parameters).status === 0;
  const [where, why] = runs ? [describe, ''] : [describe.skip, ' [skipped: it does not run here]'];
  where(`with ${name}${why}`, define);
}
