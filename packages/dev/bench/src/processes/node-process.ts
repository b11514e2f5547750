import { trapdoorKey } from '@sotto/load-kit';
import { hashInvoke } from '@sotto/process-kit';
import { buildGenesis, startSandbox } from '@sotto/sandbox';
import { warmUp } from '@sotto/stark-hash';
import { EXTRA_LANES } from './world.js';

/**
 * The node, as a process of its own. It shares the machine with what is measured, so it leaves out
 * what would take a multiple of that time in JavaScript and is no part of the comparison: it takes
 * proofs to hold and signatures to be the account's, and hashes in WebAssembly.
 */

warmUp();
const genesis = buildGenesis({
  verificationKey: trapdoorKey,
  extraLanes: EXTRA_LANES,
  trustProofs: true,
});
const sandbox = await startSandbox({ genesis, hashInvoke, gateway: { trustSignatures: true } });
const { rpcUrl, aggregatorUrl, rewardsUrl, bridgeUrl } = sandbox;
process.stdout.write(
  `${JSON.stringify({ rpcUrl, controlUrl: `${rpcUrl}/control`, aggregatorUrl, rewardsUrl, bridgeUrl })}\n`,
);
process.once('SIGTERM', () => void sandbox.stop());
