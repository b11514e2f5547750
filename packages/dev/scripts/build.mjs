import { spawnSync } from 'node:child_process';
import { root, say } from './run.mjs';

/**
 * Builds a workspace package with all that it stands on; ends this process with `failure`
 * when that fails.
 * Standard output is left to results.
 */
export function build(name, failure = 1) {
  say('building (some ten seconds the first time, then only what has changed)');
  const { status } = spawnSync(
    'turbo',
    ['run', 'build', `--filter=${name}...`, '--output-logs=new-only', '--ui=stream'],
    {
      cwd: root,
      stdio: ['ignore', process.stderr, process.stderr],
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    },
  );
  if (status === 0) return;
  say('the build failed; what went wrong stands above');
  process.exit(failure);
}
