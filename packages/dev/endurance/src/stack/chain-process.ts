import { trapdoorKey } from '@sotto/load-kit';
import { hashInvoke } from '@sotto/process-kit';
import { buildGenesis, startSandbox } from '@sotto/sandbox';

/**
 * The chain as a process of its own. Its pools pay again for a note that was paid before, so that a
 * second inclusion would be seen, unless `NOTES_PAY_ONCE` is set. `EXTRA_ACCOUNTS` are so many
 * accounts beside the world's own.
 */
const sandbox = await startSandbox({
  genesis: buildGenesis({
    verificationKey: trapdoorKey,
    enforceNullifier: process.env['NOTES_PAY_ONCE'] === '1',
    extraLanes: Number(process.env['EXTRA_ACCOUNTS'] ?? 0),
  }),
  hashInvoke,
  // As on the network, the newest blocks are not final: they can be rolled back.
  cadence: { l1BlocksBehind: 20 },
});
const { rpcUrl, aggregatorUrl, rewardsUrl, bridgeUrl } = sandbox;
process.stdout.write(
  `${JSON.stringify({ rpcUrl, controlUrl: `${rpcUrl}/control`, aggregatorUrl, rewardsUrl, bridgeUrl })}\n`,
);
process.once('SIGTERM', () => void sandbox.stop());
