import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

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

  it('the benchmark relays with every flow, at default and tuned settings, and reports the number of callers', () => {
    expect(report).toMatch(
      /withdrawals per second at default settings, node latency 20 ms \| [\d.]+ \([^|]+\| [\d.]+ \(/,
    );
    expect(report).toMatch(/\| Sotto at default settings \| [\d.]+ \(/);
    expect(report).toMatch(/\| Sotto, tuned \| [\d.]+ \(/);
    expect(report).toMatch(/\| usual flow with our hash \| [\d.]+ \([^|]*; [12] callers/);
    expect(report).toMatch(/accounts 1 → 2, blocks of 2 s[^|]*\| [\d.]+ \([^|]*→ [\d.]+ \(/);
  });

  it('reports the cost of a withdrawal next to both usual flows and the native limit', () => {
    expect(report).toMatch(
      /processor time per relayed withdrawal[^|]*\| [\d.]+ \([^|]+\| [\d.]+ \([^|]+\| [\d.]+ \([^|]+\| [\d.]+ ms; proofs in batches [\d.]+ \| [\d.]+× \(/,
    );
    // A broadcast is always a separate request, even if other methods are batched or shared.
    expect(report).toMatch(/\| addInvokeTransaction \| 1 \| 1 \|/);
  });

  it('the benchmark counts statements, and counts written bytes if a C compiler is installed', () => {
    expect(report).toMatch(/\| SQLite \| 2 \| [1-9][\d.]* \(/);
  });

  it('measures the latency of a single caller, and the event-loop delay of all flows', () => {
    expect(report).toMatch(
      /response time of a single withdrawal[^|]*\| [\d.,]+ ms, p95 [\d.,]+; with WebSocket [^|]+\| [\d.,]+ ms, p95/,
    );
    expect(report).toMatch(/event-loop delay, p99 of samples, at 4 withdrawals\/s \| [\d.,]+ \(/);
  });

  it('measures the start of the service with and without compiled modules', () => {
    expect(report).toMatch(/NODE_COMPILE_CACHE\) \| [\d.,]+ \(/);
    expect(report).toMatch(/\| --max-semi-space-size=4 \| \d+ \(/);
  });

  it('measures reads of cached data, and reads of the same bytes from a bare Express route', () => {
    for (const name of ['pool status', 'fee estimate', 'staking data'])
      expect(report).toMatch(new RegExp(`\\| ${name} \\| [\\d.,]+ \\(`));
  });

  it('reports rejections with the expected status and code', () => {
    expect(report).toMatch(/\| malformed body \| 400 INVALID_FELT \|/);
    expect(report).toMatch(/\| proof that fails the pairing check \| 422 PROOF_INVALID \|/);
    expect(report).toMatch(/\| duplicate[^|]* \| 409 NULLIFIER_SPENT \|/);
    expect(report).toMatch(/\| repeated request of a succeeded withdrawal[^|]* \| 200 \|/);
  });

  it('measures the ledger with both settings for syncs of SQLite', () => {
    expect(report).toMatch(
      /\| submissions a second +\| [\d.,]+ \([^|]+\| [\d.,]+ \([^|]+\| [\d.,]+×/,
    );
  });
});
