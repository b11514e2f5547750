import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@sotto/kernel';
import { eventually, unmutedAlerts, type AlertLabels, type InhibitRule } from '@sotto/process-kit';
import { freePort } from '@sotto/process-kit/free-port';
import { parse } from 'yaml';
import { z } from 'zod';

const Alerts = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        state: z.string(),
        labels: z.record(z.string(), z.string()),
      }),
    ),
  }),
});
const Matchers = z.array(z.string());
const Routing = z.object({
  inhibit_rules: z.array(
    z.object({
      source_matchers: Matchers,
      target_matchers: Matchers,
      equal: z.array(z.string()).default([]),
    }),
  ),
});

/**
 * Divisor of all times in the alert rules. For example, a `for` of one minute becomes one second.
 */
export const SHORTENED_BY = 60;
const MS_OF = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
/**
 * Pattern of lines with the minimum duration of a condition (`for`) or with the evaluation
 * interval.
 */
const TIMES = /^(\s*(?:for|interval):\s*)(\d+)([smh])[ \t]*$/gm;
const SHORTEST_MS = 1_000;
const POLL_EVERY_MS = 500;
/**
 * Time in ms before a firing alert is sent. Alertmanager waits for its `group_wait`, which is two
 * evaluations in the shipped files. This value covers two evaluations and the scrape between them.
 */
const GROUP_WAIT_MS = 3_000;

/** Returns the alert rules with all times divided by {@link SHORTENED_BY}. */
export function shortenedRules(rules: string): string {
  return rules.replaceAll(TIMES, (_, before: string, count: string, unit: string) => {
    // CAST: the pattern matches no other unit.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const ms = (Number(count) * MS_OF[unit as keyof typeof MS_OF]) / SHORTENED_BY;
    return `${before}${Math.max(SHORTEST_MS, Math.ceil(ms))}ms`;
  });
}

/** Alerting files that are shipped with the service. */
interface ShippedFiles {
  /** Path of Prometheus' alert rules. */
  readonly rules: string;
  /**
   * Path of Alertmanager's configuration, whose inhibition rules decide which alerts are sent to a
   * person.
   */
  readonly alertmanager: string;
}

/** Process that Prometheus scrapes. */
export interface ScrapeTarget {
  readonly url: string;
  /** Name of the scrape job in the shipped configuration. @default sotto */
  readonly job?: string;
}

/** Running Prometheus with the shipped rules, which scrapes the services of a stack. */
export class Alerting {
  /** Alerts that have fired since the last {@link forget}. */
  readonly fired = new Set<string>();
  /**
   * Alerts of {@link fired} that were sent to a person, because no other alert muted them while
   * Alertmanager waited.
   */
  readonly reached = new Set<string>();
  /** Unmuted alerts that fire, with the time in ms since which they fire. */
  readonly #unmutedSinceMs = new Map<string, number>();
  readonly #ending = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: ChildProcess,
    private readonly url: string,
    private readonly targetsFile: string,
    private readonly inhibitions: readonly InhibitRule[],
  ) {}

  /** Returns true if Prometheus is installed on this machine. */
  static isInstalled(): boolean {
    return spawnSync('prometheus', ['--version'], { stdio: 'ignore' }).status === 0;
  }

  static async start(folder: string, files: ShippedFiles): Promise<Alerting> {
    const { inhibit_rules: inhibitions } = Routing.parse(
      parse(readFileSync(files.alertmanager, 'utf8')),
    );
    const port = await freePort();
    const targetsFile = join(folder, 'targets.json');
    writeFileSync(targetsFile, '[]');
    writeFileSync(join(folder, 'rules.yml'), shortenedRules(readFileSync(files.rules, 'utf8')));
    const config = join(folder, 'prometheus.yml');
    writeFileSync(config, configuration(targetsFile, join(folder, 'rules.yml')));
    const server = spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'prometheus')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const url = `http://127.0.0.1:${port}`;
    const alerting = new Alerting(server, url, targetsFile, inhibitions);
    try {
      await eventually('Prometheus to be ready', async () => {
        if (server.exitCode !== null) throw new Error('Prometheus ended');
        return fetch(`${alerting.url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
    } catch (error) {
      await alerting.stop();
      throw error;
    }
    alerting.#watching = alerting.#watch();
    return alerting;
  }

  /** Replaces the targets that Prometheus scrapes. */
  scrape(targets: readonly ScrapeTarget[]): void {
    const groups = targets.map(({ url, job = 'sotto' }) => ({
      targets: [new URL(url).host],
      labels: { job },
    }));
    // Replace the file atomically, because Prometheus reads it as soon as it changes.
    writeFileSync(`${this.targetsFile}.new`, JSON.stringify(groups));
    renameSync(`${this.targetsFile}.new`, this.targetsFile);
  }

  forget(): void {
    this.fired.clear();
    this.reached.clear();
    this.#unmutedSinceMs.clear();
  }

  /** Returns the firing alerts, except the alert that always fires. */
  async firing(): Promise<readonly AlertLabels[]> {
    const response = await fetch(`${this.url}/api/v1/alerts`);
    const { data } = Alerts.parse(await response.json());
    return data.alerts.flatMap(({ state, labels }) =>
      state === 'firing' && labels['severity'] !== 'none' ? [labels] : [],
    );
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#watching;
    if (this.server.exitCode !== null) return;
    this.server.kill('SIGTERM');
    await once(this.server, 'exit');
  }

  async #watch(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const firing = await this.firing().catch(() => null);
      if (firing !== null) this.#note(firing);
      await systemClock.sleep(POLL_EVERY_MS, this.#ending.signal);
    }
  }

  #note(firing: readonly AlertLabels[]): void {
    for (const { alertname = '' } of firing) this.fired.add(alertname);
    const nowMs = systemClock.monotonicMs();
    const unmuted = new Set(
      unmutedAlerts(firing, this.inhibitions).flatMap(({ alertname = '' }) => alertname),
    );
    for (const name of this.#unmutedSinceMs.keys())
      if (!unmuted.has(name)) this.#unmutedSinceMs.delete(name);
    for (const name of unmuted) {
      const sinceMs = this.#unmutedSinceMs.get(name) ?? nowMs;
      this.#unmutedSinceMs.set(name, sinceMs);
      if (nowMs - sinceMs >= GROUP_WAIT_MS) this.reached.add(name);
    }
  }
}

/** Returns the configuration of Prometheus as JSON, because every JSON document is valid YAML. */
function configuration(targetsFile: string, rulesFile: string): string {
  return JSON.stringify({
    global: { scrape_interval: '1s', scrape_timeout: '900ms', evaluation_interval: '1s' },
    rule_files: [rulesFile],
    scrape_configs: [
      { job_name: 'sotto', file_sd_configs: [{ files: [targetsFile], refresh_interval: '1s' }] },
    ],
  });
}
