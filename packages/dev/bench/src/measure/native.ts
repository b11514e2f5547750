import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The same file from src and from dist. */
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
/** What `native/limit` printed: of another run than the report, and of the machine it names. */
export type NativeRun = z.output<typeof NativeRun>;

/** So many proofs wait together at most when the sum with batches is taken. */
const BATCH = '16';

export function readNativeRun(): NativeRun {
  return NativeRun.parse(JSON.parse(readFileSync(FILE, 'utf8')));
}

/** Of one withdrawal, in milliseconds: each proof by itself, or sixteen together. */
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

/** Where the figures are from, for a reader who must not take them for the report's own. */
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
    `The native limit is of another run, of \`packages/dev/bench/native/limit\` on ${machine.date} on ${machine.processor}` +
    `${machine.processor === processor ? '' : ', another processor than the rest of this page'}: ${used.join(', ')}, on one core, in milliseconds: ` +
    `${steps}. It answers no request and keeps nothing.`
  );
}
