import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

/** Describes tests that need a program; skipped with the reason if it is unavailable. */
export function describeWhere(
  name: string,
  [program, ...parameters]: readonly [string, ...string[]],
  define: () => void,
): void {
  const runs = spawnSync(program, parameters).status === 0;
  const [where, why] = runs ? [describe, ''] : [describe.skip, ' [skipped: it does not run here]'];
  where(`with ${name}${why}`, define);
}
