import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findPostgres } from '@sotto/test-postgres';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Tests that the benchmark works, but not its figures. */
describe('the benchmark in its short form', () => {
  let report = '';
  beforeAll(() => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, '--short'], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    report = stdout;
  });

  it('the benchmark runs every flow at default and tuned settings', () => {
    expect(report).toMatch(
      /withdrawals per second at default settings, node latency 20 ms \| [\d.]+ \([^|]+\| [\d.]+ \(/,
    );
    expect(report).toMatch(/\| Sotto at default settings \| [\d.]+ \(/);
    expect(report).toMatch(/\| Sotto, tuned \| [\d.]+ \(/);
    expect(report).toMatch(/\| usual flow with our hash \| [\d.]+ \([^|]*; [12] callers/);
    expect(report).toMatch(/accounts 1 → 2, blocks of 2 s[^|]*\| [\d.]+ \([^|]*→ [\d.]+ \(/);
  });

  it('the benchmark reports the processor time per withdrawal for Sotto, for two usual flows and for the native limit', () => {
    expect(report).toMatch(
      /processor time per relayed withdrawal[^|]*\| [\d.]+ \([^|]+\| [\d.]+ \([^|]+\| [\d.]+ \([^|]+\| [\d.]+ ms; proofs in batches [\d.]+ \(converted by [\d.]+\) \| [\d.]+× \(/,
    );
    // A broadcast is always a separate request, even if other methods are batched or shared.
    expect(report).toMatch(/\| addInvokeTransaction \| 1 \| 1 \|/);
  });

  it('the benchmark measures several instances on one PostgreSQL database, if PostgreSQL is installed', () => {
    if (findPostgres().kind === 'missing') return;
    expect(report).toMatch(/with 2 instances, compared with 1[^|]*\| [\d.]+ \([^|]*→ [\d.]+ \(/);
  });

  it('the benchmark counts SQL statements, and counts written bytes if a C compiler is installed', () => {
    expect(report).toMatch(/\| SQLite \| 2 \| [1-9][\d.]* \(/);
  });

  it('the benchmark measures the response time of a single withdrawal, and the event-loop delay of all flows', () => {
    expect(report).toMatch(
      /response time of a single withdrawal[^|]*\| [\d.,]+ ms, p95 [\d.,]+; with WebSocket [^|]+\| [\d.,]+ ms, p95/,
    );
    expect(report).toMatch(/event-loop delay, p99 of samples, at 4 withdrawals\/s \| [\d.,]+ \(/);
  });

  it('the benchmark measures the start time of the service with and without Node’s compile cache', () => {
    expect(report).toMatch(/NODE_COMPILE_CACHE\) \| [\d.,]+ \(/);
    expect(report).toMatch(/\| --max-semi-space-size=4 \| \d+ \(/);
  });

  it('the benchmark compares reads of cached data with a bare Express route', () => {
    for (const name of ['pool status', 'fee estimate', 'staking data'])
      expect(report).toMatch(new RegExp(`\\| ${name} \\| [\\d.,]+ \\(`));
  });

  it('the benchmark lists requests that the service must reject, with the expected error code', () => {
    expect(report).toMatch(/\| malformed body \| 400 INVALID_FELT \|/);
    expect(report).toMatch(/\| proof that fails the pairing check \| 422 PROOF_INVALID \|/);
    expect(report).toMatch(/\| duplicate[^|]* \| 409 NULLIFIER_SPENT \|/);
    expect(report).toMatch(/\| repeated request of a succeeded withdrawal[^|]* \| 200 \|/);
  });

  it('the benchmark measures the ledger with both sync settings of SQLite', () => {
    expect(report).toMatch(
      /\| submissions a second +\| [\d.,]+ \([^|]+\| [\d.,]+ \([^|]+\| [\d.,]+×/,
    );
  });
});
