import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

/**
 * Defines tests that need an external program. If the program is unavailable, the tests are skipped
 * with the reason.
 */
export function describeWhere(
  name: string,
  [program, ...parameters]: readonly [string, ...string[]],
  define: () => void,
): void {
  const runs = spawnSync(program, parameters).status === 0;
  const [where, why] = runs ? [describe, ''] : [describe.skip, ' [skipped: it does not run here]'];
  where(`with ${name}${why}`, define);
}
