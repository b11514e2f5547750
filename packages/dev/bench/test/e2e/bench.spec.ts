import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** That it still runs. How fast anything is stands in no test. */
describe('the benchmark in its short form', () => {
  let report = '';
  beforeAll(() => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, '--short'], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    report = stdout;
  });

  it('relays with both flows, at every requested rate and distance', () => {
    for (const line of [
      /withdrawals per second, node 20 ms away \| [\d.]+ \| [\d.]+ \|/,
      /\| Sotto, 2 accounts +\|/,
      /\| usual flow, 2 accounts +\|/,
    ]) {
      expect(report).toMatch(line);
    }
  });

  it('counts what a withdrawal costs in processor time and in requests of the node', () => {
    expect(report).toMatch(/processor time per relayed withdrawal \| [\d.]+ ms \| [\d.]+ ms \|/);
    expect(report).toMatch(/\| written to files per withdrawal, KB \| [\d.,]+ \(/);
    // A broadcast is one request, whatever else is batched or shared.
    expect(report).toMatch(/\| addInvokeTransaction \| 1 \| 1 \|/);
  });

  it('reads what is cached, and the same bytes from a bare route', () => {
    for (const name of ['pool status', 'fee estimate', 'staking data'])
      expect(report).toMatch(new RegExp(`\\| ${name} \\| [\\d.,]+ \\(`));
  });

  it('is refused what should be, for the reason it means', () => {
    expect(report).toMatch(/\| malformed body \| 400 INVALID_FELT \|/);
    expect(report).toMatch(/\| proof that does not hold \| 422 PROOF_INVALID \|/);
    expect(report).toMatch(/\| duplicate[^|]* \| 409 NULLIFIER_SPENT \|/);
    expect(report).toMatch(/\| the same withdrawal again[^|]* \| 200 \|/);
  });

  it('fills a ledger that the service then works with', () => {
    expect(report).toMatch(/\| 1,000 \| [\d.,]+ \| [\d.,]+ \(/);
  });

  it('writes attempts with the indexes of operators’ lists and without', () => {
    expect(report).toMatch(/1,000 withdrawals that have ended, with the 7 indexes/);
    for (const write of ['accepted', 'broadcast', 'succeeded'])
      expect(report).toMatch(new RegExp(`\\| ${write} \\| [\\d.,]+ \\(`));
  });
});
