import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buildGenesis, startSandbox, type AggregatorSettings, type Sandbox } from '@sotto/sandbox';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const Vector = z.object({ verificationKey: z.unknown() });
const vector = Vector.parse(
  JSON.parse(readFileSync(require.resolve('@sotto/prover/vectors/withdrawal.json'), 'utf8')),
);

/** Starts a sandbox whose chain does not advance. */
export async function startMarket(aggregator: Partial<AggregatorSettings> = {}): Promise<Sandbox> {
  return startSandbox({
    genesis: buildGenesis({ verificationKey: vector.verificationKey }),
    cadence: 'manual',
    aggregator,
  });
}
