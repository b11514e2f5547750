#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { buildGenesis } from './contracts/genesis.js';
import { startSandbox } from './sandbox.js';

/**
 * Runs the sandbox as a separate process. Each option may also be set in the environment, for
 * example `--block-ms 500` as SANDBOX_BLOCK_MS=500. The command line has priority.
 */

const Delay = z.coerce.number().int().min(0).max(86_400_000).optional();

const Port = z.coerce.number().int().min(0).max(65_535).default(0);

const Settings = z.object({
  'verification-key': z.string('expected the path of the verification key (JSON)').min(1),
  host: z.string().default('127.0.0.1'),
  port: Port,
  'aggregator-port': Port,
  'bridge-port': Port,
  'rewards-port': Port,
  cadence: z.enum(['auto', 'manual']).default('auto'),
  'block-ms': Delay,
  'l1-ms': Delay,
  'latency-ms': Delay,
  'empty-blocks': z.coerce.number().int().min(0).max(1_000).default(12),
  proofs: z.enum(['check', 'none']).default('check'),
});
type Settings = z.output<typeof Settings>;

const names = Object.keys(Settings.shape);
const { values } = parseArgs({
  options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
});
const given = names.map((name) => [
  name,
  values[name] ?? process.env[`SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`],
]);
const settings = Settings.safeParse(Object.fromEntries(given));

if (settings.success) await main(settings.data);
else {
  process.stderr.write(`${z.prettifyError(settings.error)}\n`);
  process.exitCode = 2;
}

async function main({ host, port, cadence, ...rest }: Settings): Promise<void> {
  const verificationKey: unknown = JSON.parse(readFileSync(rest['verification-key'], 'utf8'));
  const blockMs = rest['block-ms'];
  const l1Ms = rest['l1-ms'];
  const delays = { ...(blockMs !== undefined && { blockMs }), ...(l1Ms !== undefined && { l1Ms }) };
  const sandbox = await startSandbox({
    genesis: buildGenesis({ verificationKey, emptyBlocks: rest['empty-blocks'] }),
    proofs: { mode: rest.proofs },
    host,
    port,
    aggregatorPort: rest['aggregator-port'],
    bridgePort: rest['bridge-port'],
    rewardsPort: rest['rewards-port'],
    cadence: cadence === 'manual' ? 'manual' : delays,
    latencyMs: rest['latency-ms'],
  });
  const { rpcUrl, wsUrl, aggregatorUrl, bridgeUrl, oneClickUrl, solverControlUrl, rewardsUrl } =
    sandbox;
  const addresses = {
    rpcUrl,
    wsUrl,
    controlUrl: `${rpcUrl}/control`,
    aggregatorUrl,
    bridgeUrl,
    oneClickUrl,
    solverControlUrl,
    rewardsUrl,
  };
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
  const stop = (): void => {
    void sandbox.stop();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}
