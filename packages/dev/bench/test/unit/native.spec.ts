import { describe, expect, it } from '@jest/globals';
import { calibrationMs } from '../../src/measure/calibration.js';
import { nativeLimit, nativeSource, readNativeRun } from '../../src/measure/native.js';

const of = (median: number): { median: number; min: number; max: number } => ({
  median,
  min: median / 2,
  max: median * 2,
});
const run = {
  machine: { processor: 'A', date: '2026-01-02' },
  programs: { rustc: 'rustc 1.2.3', arkworks: '0.5.0' },
  calibrationMs: 10,
  milliseconds: {
    poseidon: of(4),
    proof: of(2),
    proofInBatchOf: { '4': of(1), '16': of(0.5) },
    signature: of(0.25),
    json: of(1),
  },
};

describe('the native limit', () => {
  it('the native limit is the sum of the median times of all native computations', () => {
    expect(nativeLimit(run, 10)).toEqual({ one: 7.25, batched: 5.75, factor: 1 });
  });

  it('the native limit is converted to the speed of this machine', () => {
    expect(nativeLimit(run, 20)).toEqual({ one: 14.5, batched: 11.5, factor: 2 });
    expect(calibrationMs()).toBeGreaterThan(0);
  });

  it('nativeSource mentions in its description if the native run used another processor', () => {
    const text = nativeSource(run, 'A');
    expect(text).toContain('another run, of `packages/dev/bench/native/limit` on 2026-01-02 on A:');
    expect(text).toContain('rustc 1.2.3, arkworks 0.5.0, on one core');
    expect(nativeSource(run, 'B')).toContain('on A, another processor than the rest');
  });

  it('the repository contains the results of a native run', () => {
    const { one, batched } = nativeLimit(readNativeRun(), 10);
    expect(batched).toBeGreaterThan(0);
    expect(batched).toBeLessThan(one);
  });
});
