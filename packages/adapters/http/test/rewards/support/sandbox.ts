import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { toFelt } from '@sotto/kernel';
import {
  buildGenesis,
  sandboxWorld,
  startSandbox,
  type Sandbox,
  type SandboxLendingPool,
} from '@sotto/sandbox';
import type { LendingPool } from '@sotto/staking-core';
import { z } from 'zod';

const require = createRequire(import.meta.url);
const Vector = z.object({ verificationKey: z.unknown() });
const vector = Vector.parse(
  JSON.parse(readFileSync(require.resolve('@sotto/prover/vectors/withdrawal.json'), 'utf8')),
);

const lendingPool = ({ address, asset }: SandboxLendingPool): LendingPool => ({
  pool: toFelt(address),
  asset: toFelt(asset),
});
export const PRIME = lendingPool(sandboxWorld.lendingPools.prime);
export const PARTNER = lendingPool(sandboxWorld.lendingPools.partner_xbtc);

/** Starts a sandbox whose chain does not advance. */
export async function startRewards(): Promise<Sandbox> {
  return startSandbox({
    genesis: buildGenesis({ verificationKey: vector.verificationKey }),
    cadence: 'manual',
  });
}
