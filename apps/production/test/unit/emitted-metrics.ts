import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { requestMetrics } from '@sotto/http-server';
import { environment, files } from '@sotto/process-kit/environment';
import { loadConfig } from '@sotto/relayer';
import { openRelayer } from '@sotto/relayer/service';
import { Metrics, type LabelSets } from '@sotto/telemetry';

/** Settings that enable the metrics of webhooks. */
const WEBHOOK_ENDPOINTS = JSON.stringify({
  shop: {
    url: 'https://shop.example/hook',
    secrets: [`whsec_${randomBytes(32).toString('base64')}`],
    events: 'submissions',
  },
});
/** Settings that enable the metric of a signer. */
const SIGNED_ELSEWHERE = {
  SIGNER_URL: 'unix:/nowhere/signer.sock',
  RELAY_ACCOUNTS: JSON.stringify([{ address: '0xacc1' }]),
  SWAP_OWNER_ACCOUNT: JSON.stringify({ address: '0xacc5' }),
  CURATOR_ACCOUNT: JSON.stringify({ address: '0xacc7' }),
};
/** Suffixes of the series that Prometheus derives from a duration. */
const OF_A_DURATION = ['_count', '_sum', '_bucket'];

/**
 * Returns every series that a service can expose, with the possible values of each label. The
 * values are read from opened services.
 */
export async function emittedMetrics(): Promise<ReadonlyMap<string, LabelSets>> {
  const emitted = new Map<string, LabelSets>();
  const singles = [
    jest.spyOn(Metrics.prototype, 'counter'),
    jest.spyOn(Metrics.prototype, 'counted'),
    jest.spyOn(Metrics.prototype, 'gauge'),
  ];
  const durations = jest.spyOn(Metrics.prototype, 'duration');
  const folder = mkdtempSync(join(tmpdir(), 'sotto-'));
  try {
    const env = {
      ...environment,
      ...SIGNED_ELSEWHERE,
      DATABASE_PATH: join(folder, 'ledger.sqlite'),
      LOG_LEVEL: 'silent',
      WEBHOOK_ENDPOINTS,
    };
    const relayer = await openRelayer(loadConfig({ env, readFile: files() }));
    requestMetrics(relayer.metrics, []);
    await relayer.stop();
    for (const spy of singles)
      for (const [{ name, labels }] of spy.mock.calls) emitted.set(name, labels);
    for (const [{ name, labels }] of durations.mock.calls)
      for (const suffix of OF_A_DURATION) emitted.set(`${name}${suffix}`, labels);
  } finally {
    for (const spy of [...singles, durations]) spy.mockRestore();
    rmSync(folder, { recursive: true });
  }
  return emitted;
}
