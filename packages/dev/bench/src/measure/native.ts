import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** URL of the results file. The relative path is valid from both `src` and `dist`. */
const FILE = new URL('../../results/native.json', import.meta.url);

const Milliseconds = z.object({ median: z.number(), min: z.number(), max: z.number() });
const NativeRun = z.object({
  machine: z.object({ processor: z.string(), date: z.string() }),
  programs: z.record(z.string(), z.string()),
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
 * Returns the time per withdrawal in ms, if proofs are verified one by one or in batches of
 * sixteen.
 */
export function nativeLimit({ milliseconds }: NativeRun): {
  readonly one: number;
  readonly batched: number;
} {
  const { poseidon, proof, proofInBatchOf, signature, json } = milliseconds;
  const rest = poseidon.median + signature.median + json.median;
  return {
    one: rest + proof.median,
    batched: rest + (proofInBatchOf[BATCH] ?? proof).median,
  };
}

/**
 * Describes how the native figures were measured, because they come from another run than the
 * report.
 */
export function nativeSource(
  { machine, programs, milliseconds }: NativeRun,
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
    `In milliseconds: ${steps}. It includes neither HTTP nor a store.`
  );
}
