import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { freePort } from '@sotto/process-kit/free-port';
import { z } from 'zod';

const Alerts = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        state: z.string(),
        labels: z.object({ alertname: z.string(), severity: z.string() }),
      }),
    ),
  }),
});

/** A minute of `for` lasts a second here. */
export const SHORTENED_BY = 60;
const MS_OF = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
/** How long a condition has to hold, and how often it is looked at. */
const TIMES = /^(\s*(?:for|interval):\s*)(\d+)([smh])[ \t]*$/gm;
const SHORTEST_MS = 1_000;
const LOOK_EVERY_MS = 500;

/** The rules, each time of them shortened by the factor. */
export function shortenedRules(rules: string): string {
  return rules.replaceAll(TIMES, (_, before: string, count: string, unit: string) => {
    // CAST: the pattern has no other unit.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const ms = (Number(count) * MS_OF[unit as keyof typeof MS_OF]) / SHORTENED_BY;
    return `${before}${Math.max(SHORTEST_MS, Math.ceil(ms))}ms`;
  });
}

/** Prometheus itself, with the rules that ship, over the services of a stack. */
export class Alerting {
  /** Alerts that have fired since the last {@link forget}. */
  readonly fired = new Set<string>();
  readonly #ending = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: ChildProcess,
    private readonly url: string,
    private readonly targetsFile: string,
  ) {}

  /** Whether this machine has Prometheus. */
  static isInstalled(): boolean {
    return spawnSync('prometheus', ['--version'], { stdio: 'ignore' }).status === 0;
  }

  /** @param rulesFile the rules that ship */
  static async start(folder: string, rulesFile: string): Promise<Alerting> {
    const port = await freePort();
    const targetsFile = join(folder, 'targets.json');
    writeFileSync(targetsFile, '[]');
    writeFileSync(join(folder, 'rules.yml'), shortenedRules(readFileSync(rulesFile, 'utf8')));
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
    const alerting = new Alerting(server, `http://127.0.0.1:${port}`, targetsFile);
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

  /** Scrapes these, and no longer those before. @param urls of metrics */
  scrape(urls: readonly string[]): void {
    const targets = urls.map((url) => new URL(url).host);
    // At once, because Prometheus reads it as soon as it changes.
    writeFileSync(`${this.targetsFile}.new`, JSON.stringify([{ targets, labels: {} }]));
    renameSync(`${this.targetsFile}.new`, this.targetsFile);
  }

  forget(): void {
    this.fired.clear();
  }

  /** Alerts that fire now, without the one that always does. */
  async firing(): Promise<readonly string[]> {
    const response = await fetch(`${this.url}/api/v1/alerts`);
    const { data } = Alerts.parse(await response.json());
    return data.alerts
      .filter(({ state, labels }) => state === 'firing' && labels.severity !== 'none')
      .map(({ labels }) => labels.alertname);
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
      for (const name of await this.firing().catch(() => [])) this.fired.add(name);
      await systemClock.sleep(LOOK_EVERY_MS, this.#ending.signal);
    }
  }
}

/** JSON is YAML. */
function configuration(targetsFile: string, rulesFile: string): string {
  return JSON.stringify({
    global: { scrape_interval: '1s', scrape_timeout: '900ms', evaluation_interval: '1s' },
    rule_files: [rulesFile],
    scrape_configs: [
      { job_name: 'sotto', file_sd_configs: [{ files: [targetsFile], refresh_interval: '1s' }] },
    ],
  });
}
