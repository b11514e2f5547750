import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { matchesLabels, unmutedAlerts, type AlertLabels } from '@sotto/process-kit';
import { parse } from 'yaml';
import { z } from 'zod';
import { alertRules, kitFile } from './kit-files.js';

const Matchers = z.array(z.string());
const Configuration = z.object({
  route: z.object({
    receiver: z.string(),
    routes: z.array(
      z.object({ matchers: Matchers, receiver: z.string(), repeat_interval: z.string() }),
    ),
  }),
  receivers: z.array(
    z.object({
      name: z.string(),
      webhook_configs: z.array(z.object({ url_file: z.string() })),
    }),
  ),
  inhibit_rules: z.array(
    z.strictObject({
      source_matchers: Matchers,
      target_matchers: Matchers,
      equal: z.array(z.string()).default([]),
    }),
  ),
});
const Compose = z.object({
  services: z.record(z.string(), z.object({ secrets: z.array(z.string()).default([]) })),
});

const {
  route,
  receivers,
  inhibit_rules: inhibitions,
} = Configuration.parse(parse(kitFile('prometheus/alertmanager.yml')));
const rules = alertRules();

const labelsOf = (text: string): AlertLabels => {
  const [alertname = '', ...others] = text.split(' ');
  const severity = rules.find(({ alert }) => alert === alertname)?.labels.severity;
  if (severity === undefined) throw new Error(`there is no alert ${alertname}`);
  return { alertname, severity, ...Object.fromEntries(others.map((pair) => pair.split('='))) };
};

/** Returns those firing alerts that are not muted by any other firing alert. */
const heard = (firing: readonly string[]): readonly string[] =>
  unmutedAlerts(firing.map(labelsOf), inhibitions).flatMap(({ alertname = '' }) => alertname);

const isCritical = (name: string): boolean => labelsOf(name)['severity'] === 'critical';

const receiverOf = (labels: AlertLabels): string =>
  route.routes.find(({ matchers }) => matchesLabels(matchers, labels))?.receiver ?? route.receiver;

describe('the routes of Alertmanager', () => {
  it('O8: Alertmanager sends critical alerts to the pager, warnings to tickets, and the watchdog alert to a separate receiver', () => {
    const RECEIVERS = { critical: 'pager', warning: 'tickets', none: 'watchdog' };
    for (const { alert, labels } of rules)
      expect({ alert, receiver: receiverOf(labelsOf(alert)) }).toEqual({
        alert,
        receiver: RECEIVERS[labels.severity],
      });
    expect(route.routes.find(({ receiver }) => receiver === 'watchdog')).toMatchObject({
      repeat_interval: '1m',
    });
  });

  it('O8: all receivers of Alertmanager exist, and their URLs are secrets in compose', () => {
    const { services } = Compose.parse(parse(kitFile('compose/compose.yaml'), { merge: true }));
    const named = [route.receiver, ...route.routes.map(({ receiver }) => receiver)];
    expect(new Set(receivers.map(({ name }) => name))).toEqual(new Set(named));
    const files = receivers.flatMap(({ webhook_configs: webhooks }) =>
      webhooks.map(({ url_file: file }) => file),
    );
    expect(files.map((file) => file.replace('/run/secrets/', '')).toSorted()).toEqual(
      services['alertmanager']?.secrets,
    );
  });
});

describe('inhibition', () => {
  it.each([
    ['no instance', ['ServiceDown', 'InstanceDown', 'KeeperNotHeld'], ['ServiceDown']],
    ['one instance', ['InstanceDown'], ['InstanceDown']],
    [
      'a full disk',
      [
        'StoreNotWritable',
        'DiskNearlyFull',
        'NotReady',
        'WithdrawalsImpossible',
        'NoUsableLane',
        'ServerErrors',
      ],
      ['StoreNotWritable'],
    ],
    [
      'the only node',
      [
        'WithdrawalsImpossible',
        'NodeUnreachable',
        'PushLost',
        'NotReady',
        'ChainNotRead',
        'HeadTooOld',
        'PriceSourceDown',
        'PoolBreakerOpen',
        'LedgerBehindChain',
        'StuckNonces',
        'KeeperBlocked outcome=LASTING_FAILURE',
      ],
      ['WithdrawalsImpossible'],
    ],
    ['one node of two', ['NodeUnreachable'], ['NodeUnreachable']],
    [
      'a dead signer',
      ['SignerDown', 'WithdrawalsImpossible', 'NotReady', 'StuckNonces'],
      ['SignerDown'],
    ],
    [
      'a signer that refuses',
      ['SignerRefuses', 'WithdrawalsImpossible', 'LaneOutOfWork', 'NoUsableLane'],
      ['SignerRefuses'],
    ],
    [
      'all accounts without funds',
      ['WithdrawalsImpossible', 'NoUsableLane', 'LanesShortOfFunds', 'LaneFundsLow'],
      ['WithdrawalsImpossible'],
    ],
    [
      'one account without funds',
      ['LanesShortOfFunds role=relay', 'LaneFundsLow role=relay'],
      ['LanesShortOfFunds'],
    ],
    ['a stolen key', ['ForeignTransaction', 'LaneOutOfWork'], ['ForeignTransaction']],
    ['slow blocks', ['StuckNonces', 'QueueGrowing', 'SubmissionsFail'], ['StuckNonces']],
  ])(
    'O8: Alertmanager sends only one of several alerts with the same cause: %s',
    (_, firing, left) => {
      expect(heard(firing)).toEqual(left);
    },
  );

  it('O8: alerts about money or keys are never muted by other alerts', () => {
    const others = rules.map(({ alert }) => alert);
    expect(heard([...others, 'KeeperBlocked outcome=HEALTH_BELOW_FLOOR'])).toEqual(
      expect.arrayContaining([
        'ForeignTransaction',
        'AuditContradiction',
        'FinalBlockUndone',
        'InstanceIdShared',
        'SignerRefuses',
        'KeeperBlocked',
        'Watchdog',
      ]),
    );
  });

  it('O8: no two alerts mute each other, and only critical alerts mute critical alerts', () => {
    const names = rules.map(({ alert }) => alert);
    const pairs = names.flatMap((one) =>
      names.filter((name) => name > one).map((other) => [one, other] as const),
    );
    const wrong = pairs.filter((pair) => {
      const left = heard(pair);
      return left.length === 0 || (pair.some(isCritical) && !left.some(isCritical));
    });
    expect(wrong).toEqual([]);
  });

  it('O8: Alertmanager’s inhibition rules contain only existing alerts', () => {
    const texts = inhibitions.flatMap(({ source_matchers, target_matchers }) => [
      ...source_matchers,
      ...target_matchers,
    ]);
    const named = texts
      .filter((text) => text.startsWith('alertname'))
      .flatMap((text) => [...text.matchAll(/[A-Z]\w+/g)].map(([name]) => name));
    const known = rules.map(({ alert }) => alert);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  const folder = fileURLToPath(new URL('../../prometheus/', import.meta.url));
  const amtool = (...args: readonly string[]) =>
    spawnSync('amtool', args, { cwd: folder, encoding: 'utf8' });
  // Alertmanager supports `url_file` of receivers since version 0.26.
  const [, minor = '0'] = /version 0\.(\d+)/.exec(amtool('--version').stdout ?? '') ?? [];
  const isInstalled = Number(minor) >= 26;
  const title = isInstalled ? 'amtool' : 'not installed: amtool 0.26 or later';
  (isInstalled ? describe : describe.skip)(title, () => {
    it('the tool amtool accepts the file alertmanager.yml', () => {
      expect(amtool('check-config', 'alertmanager.yml')).toMatchObject({ status: 0 });
    });
  });
});

describe('compose’s Prometheus', () => {
  const text = kitFile('compose/prometheus.yml');

  it('O8: Prometheus in compose sends alerts to Alertmanager, and scrapes keeper and service', () => {
    expect(parse(text)).toMatchObject({
      alerting: { alertmanagers: [{ static_configs: [{ targets: ['alertmanager:9093'] }] }] },
      scrape_configs: [
        { job_name: 'sotto' },
        { job_name: 'sotto-keeper', dns_sd_configs: [{ names: ['keeper'], port: 9464 }] },
      ],
    });
  });

  it('O8: compose requires a value of RUNBOOK_URL, to which the alerts link', () => {
    expect(text).toContain('runbook: ${RUNBOOK_URL}');
    expect(kitFile('compose/compose.yaml')).toContain('RUNBOOK_URL: ${RUNBOOK_URL:?');
  });
});
