import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { calibrationMs } from './calibration.js';

/** URL of the results file. The relative path is valid from both `src` and `dist`. */
const FILE = new URL('../../results/native.json', import.meta.url);

const Milliseconds = z.object({ median: z.number(), min: z.number(), max: z.number() });
const NativeRun = z.object({
  machine: z.object({ processor: z.string(), date: z.string() }),
  programs: z.record(z.string(), z.string()),
  /** Result of the calibration in WebAssembly on the machine of the native run, in ms. */
  calibrationMs: z.number(),
  milliseconds: z.object({
    poseidon: Milliseconds,
    proof: Milliseconds,
    proofInBatchOf: z.record(z.string(), Milliseconds),
    signature: Milliseconds,
    json: Milliseconds,
  }),
});
/** Output of `native/limit`, from a separate run. The output contains the machine of that run. */
export type NativeRun = z.output<typeof NativeRun>;

/** Batch size of the batched figure: number of proofs that are verified together. */
const BATCH = '16';

export function readNativeRun(): NativeRun {
  return NativeRun.parse(JSON.parse(readFileSync(FILE, 'utf8')));
}

/**
 * Builds and runs the native program, and stores its output together with the calibration of this
 * machine. Needs cargo.
 */
export function measureNative(): NativeRun {
  const manifest = fileURLToPath(new URL('../../native/limit/Cargo.toml', import.meta.url));
  const output = execFileSync('cargo', ['run', '--release', '--manifest-path', manifest], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const run = NativeRun.parse({ ...JSON.parse(output), calibrationMs: calibrationMs() });
  writeFileSync(FILE, `${JSON.stringify(run, null, 2)}\n`);
  return run;
}

/** Native limit, converted to the machine of the benchmark. */
export interface NativeLimit {
  /** Time per withdrawal in ms, if proofs are verified one by one. */
  readonly one: number;
  /** Time per withdrawal in ms, if proofs are verified in batches of sixteen. */
  readonly batched: number;
  /** Factor by which this machine is slower than the machine of the native run. */
  readonly factor: number;
}

/**
 * Converts the native run to a machine with this calibration. The two machines may differ, and one
 * machine may be slower today than on the day of the native run.
 */
export function nativeLimit(
  { milliseconds, calibrationMs: thenMs }: NativeRun,
  nowMs: number,
): NativeLimit {
  const { poseidon, proof, proofInBatchOf, signature, json } = milliseconds;
  const rest = poseidon.median + signature.median + json.median;
  const factor = nowMs / thenMs;
  return {
    one: factor * (rest + proof.median),
    batched: factor * (rest + (proofInBatchOf[BATCH] ?? proof).median),
    factor,
  };
}

/**
 * Describes how the native figures were measured, because they come from another run than the
 * report.
 */
export function nativeSource(
  { machine, programs, milliseconds, calibrationMs: thenMs }: NativeRun,
  processor: string,
): string {
  const { poseidon, proof, signature, json } = milliseconds;
  const steps = [
    `Poseidon of 2,024 felts ${poseidon.median.toFixed(2)}`,
    `proof ${proof.median.toFixed(2)}`,
    `transaction hash and signature ${signature.median.toFixed(2)}`,
    `calldata from and to JSON ${json.median.toFixed(2)}`,
  ].join(', ');
  const used = Object.entries(programs).map(([name, version]) =>
    version.startsWith(name) ? version : `${name} ${version}`,
  );
  return (
    `The native limit comes from another run, of \`packages/dev/bench/native/limit\` on ${machine.date} on ${machine.processor}` +
    `${machine.processor === processor ? '' : ', another processor than the rest of this page'}: ${used.join(', ')}, on one core. ` +
    `In milliseconds: ${steps}. It includes neither HTTP nor a store. ` +
    `One hash in WebAssembly needed ${thenMs.toFixed(2)} ms then. The figures above are converted by the same hash on this machine.`
  );
}
