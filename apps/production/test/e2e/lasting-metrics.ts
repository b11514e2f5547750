import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alertRules } from '../unit/kit-files.js';

const RULES = fileURLToPath(new URL('../../prometheus/alerts.yml', import.meta.url));
const SERIES = /^(\w+)(?:\{(.*)\})? (\S+)$/;
/** Number of scrapes, one every 15 s. Two hours exceed the waiting time of any alert rule. */
const SCRAPES = 480;
const POLLS = ['5m', '30m', '2h'];
/** Alerts that are not tested: one depends on the machine of the test, and one always fires. */
const LEFT_OUT = ['DiskNearlyFull', 'Watchdog'];

/** True if promtool is installed on this machine. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/**
 * Returns the alerts that fire on a service whose metrics are constant for two hours.
 * @param metrics the service's metrics in Prometheus' format
 */
export function alertsOn(metrics: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-alerts-'));
  const names = alertRules()
    .map(({ alert }) => alert)
    .filter((alert) => !LEFT_OUT.includes(alert));
  try {
    copyFileSync(RULES, join(folder, 'alerts.yml'));
    const test = {
      rule_files: ['alerts.yml'],
      evaluation_interval: '15s',
      tests: [
        {
          interval: '15s',
          input_series: seriesIn(`up 1\n${metrics}`),
          alert_rule_test: names.flatMap((alertname) =>
            POLLS.map((eval_time) => ({ alertname, eval_time, exp_alerts: [] })),
          ),
        },
      ],
    };
    writeFileSync(join(folder, 'idle.yml'), JSON.stringify(test));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'idle.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const said = `${stdout}${stderr}`;
    const fired = names.filter((name) => said.includes(`alertname: ${name},`));
    if (status !== 0 && fired.length === 0)
      throw new Error(`promtool rejects the rules or the test: ${said}`);
    return fired;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function seriesIn(
  metrics: string,
): readonly { readonly series: string; readonly values: string }[] {
  return metrics.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = SERIES.exec(line) ?? [];
    if (name === '' || value === 'NaN') return [];
    const all = ['job="sotto"', 'instance="one"', ...(labels === '' ? [] : [labels])];
    return [{ series: `${name}{${all.join(',')}}`, values: `${value}x${SCRAPES}` }];
  });
}
