import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '@sotto/routes';
import type { LabelSets } from '@sotto/telemetry';
import { emittedMetrics } from './emitted-metrics.js';
import { alertRules, boardQueries, kitFile } from './kit-files.js';
import { groupingLabelsOf, selectorsOf } from './promql.js';

const rules = alertRules();
const page = kitFile('../../docs/operations/alerts.md');
/** Labels that Prometheus adds to each series when it scrapes. */
const OF_THE_SCRAPE = ['instance', 'job', 'le'];
/** Series that Prometheus adds, and series of prom-client about the process. */
const OF_OTHERS = /^(?:up|process_\w+|nodejs_\w+)$/;

/** Returns the metrics and labels in a query that the service never exposes. */
function missingIn(expr: string, emitted: ReadonlyMap<string, LabelSets>): readonly string[] {
  const missing: string[] = [];
  const known = new Set(OF_THE_SCRAPE);
  for (const { metric, matchers } of selectorsOf(expr)) {
    if (OF_OTHERS.test(metric)) continue;
    const labels = emitted.get(metric);
    if (labels === undefined) missing.push(metric);
    for (const label of Object.keys(labels ?? {})) known.add(label);
    for (const { label, values } of labels === undefined ? [] : matchers) {
      if (OF_THE_SCRAPE.includes(label)) continue;
      const set = labels?.[label];
      for (const value of values)
        if (set === undefined || ![...set, 'other'].includes(value))
          missing.push(`${metric}{${label}="${value}"}`);
    }
  }
  for (const label of groupingLabelsOf(expr)) if (!known.has(label)) missing.push(`by (${label})`);
  return missing;
}

describe('alert rules and board', () => {
  let emitted: ReadonlyMap<string, LabelSets>;
  beforeAll(async () => {
    emitted = await emittedMetrics();
  });

  it.each(rules.map(({ alert, expr }) => [alert, expr]))(
    'the expression of the alert %s uses only metrics that the service exposes',
    (_, expr) => {
      expect(missingIn(expr, emitted)).toEqual([]);
    },
  );

  it.each(boardQueries().map(({ title, expr }) => [title, expr]))(
    'the dashboard panel "%s" uses only metrics that the service exposes: %s',
    (_, expr) => {
      expect(missingIn(expr, emitted)).toEqual([]);
    },
  );

  it.each([
    ['sotto_lane', ['sotto_lane']],
    ['sotto_lanes{state="redy"}', ['sotto_lanes{state="redy"}']],
    ['sotto_lanes{lane="x"}', ['sotto_lanes{lane="x"}']],
    ['max by (rank, pool) (sotto_lanes)', ['by (rank)', 'by (pool)']],
    ['sum(sotto_lanes{role="relay", state=~"ready|full"}) == 0', []],
  ])(
    'the check for unexposed metrics finds the missing metrics and labels in %s',
    (expr, missing) => {
      expect(missingIn(expr, emitted)).toEqual(missing);
    },
  );

  it('a Prometheus query that does not parse is rejected', () => {
    expect(() => selectorsOf('sum(sotto_lanes')).toThrow(SyntaxError);
  });
});

describe('the page of alerts', () => {
  const sections = new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );

  it('the page of alerts has a section for exactly the existing alerts, in the order of the alert rules', () => {
    expect([...sections.keys()]).toEqual(rules.map(({ alert }) => alert));
  });

  it('the page of alerts states the severity of each rule', () => {
    for (const { alert, labels } of rules)
      expect(sections.get(alert)).toMatch(
        new RegExp(`^${alert}\n\n\\*\\*${labels.severity}\\.\\*\\* `),
      );
  });

  it('each alert rule links to its section on the page of alerts', () => {
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`{{ $externalLabels.runbook }}#${alert.toLowerCase()}`);
  });

  it('the page of alerts contains only existing routes of the service, also in commands', () => {
    const paths = [...page.matchAll(/\$URL(\/[^\s`]+)/g)].map(([, path = '']) => path);
    const known = ROUTES.map(
      ({ path }) => new RegExp(`^${path.replaceAll(/\{[^}]+\}|:\w+/g, '[^/]+')}$`),
    );
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it('the page of alerts contains only existing scripts of the project', () => {
    const root: unknown = JSON.parse(kitFile('../../package.json'));
    for (const [, script = ''] of page.matchAll(/npm run ([a-z:-]+)/g))
      expect(root).toHaveProperty(['scripts', script]);
  });
});
