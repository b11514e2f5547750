import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { alertRules, kitFile } from './kit-files.js';

const folder = fileURLToPath(new URL('../../prometheus/', import.meta.url));
const promtool = (...args: readonly string[]): ReturnType<typeof run> => run('promtool', args);

function run(command: string, args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

const Tests = z.object({ tests: z.array(z.object({ name: z.string() })) });

describe('tests of the alert rules', () => {
  it('each alert has a test in which the alert fires', () => {
    const names = Tests.parse(parse(kitFile('prometheus/tests.yml'))).tests.map(({ name }) => name);
    expect(names).toEqual(
      alertRules().flatMap(({ alert }) =>
        // The alert `Watchdog` has no test in which it does not fire, because it always fires while
        // Prometheus works.
        alert === 'Watchdog' ? [`${alert} fires`] : [`${alert} fires`, `${alert} does not fire`],
      ),
    );
  });

  const isInstalled = promtool('--version').status === 0;
  const title = isInstalled ? 'promtool' : 'promtool is not installed: apt install prometheus';
  (isInstalled ? describe : describe.skip)(title, () => {
    it('the tool promtool accepts the alert rules', () => {
      expect(promtool('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 });
    });

    it('the alert rules pass their tests in promtool', () => {
      expect(promtool('test', 'rules', 'tests.yml')).toMatchObject({ status: 0 });
    });
  });
});
