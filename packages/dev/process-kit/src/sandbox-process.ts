import { trapdoorKey } from '@sotto/load-kit';
import { buildGenesis, startSandbox } from '@sotto/sandbox';
import { warmUp } from '@sotto/stark-hash';
import { hashInvoke } from './hash-invoke.js';

/**
 * The sandbox as a process of its own, whose proofs hold under the trapdoor key. Variables:
 * - `NOTES_PAY_ONCE`: else its pools pay again for a note that was paid before, so that a second
 *   inclusion would be seen;
 * - `EXTRA_ACCOUNTS`: so many accounts beside the world's own;
 * - `TRUSTS`: takes proofs to hold and signatures to be the account's, for measurements, which it
 *   shares the machine with;
 * - `CLOCK_SHIFT_MS`: how far the node's clock is ahead of the machine's, or behind it;
 * - `BLOCK_MS`, `EMPTY_BLOCK_MS`: how long a block with and without transactions takes;
 * - `L1_BLOCKS_BEHIND`: so many of the newest blocks are not final.
 */
const { NOTES_PAY_ONCE, EXTRA_ACCOUNTS, TRUSTS, CLOCK_SHIFT_MS, BLOCK_MS, EMPTY_BLOCK_MS } =
  process.env;
const { L1_BLOCKS_BEHIND } = process.env;
const trusts = TRUSTS === '1';
warmUp();
const sandbox = await startSandbox({
  genesis: buildGenesis({
    verificationKey: trapdoorKey,
    enforceNullifier: NOTES_PAY_ONCE === '1',
    extraLanes: Number(EXTRA_ACCOUNTS ?? 0),
    trustProofs: trusts,
  }),
  gateway: { trustSignatures: trusts },
  hashInvoke,
  clockShiftMs: Number(CLOCK_SHIFT_MS ?? 0),
  // As on the network, the newest blocks are not final: they can be rolled back.
  cadence: {
    l1BlocksBehind: Number(L1_BLOCKS_BEHIND ?? 20),
    ...(BLOCK_MS === undefined ? {} : { blockMs: Number(BLOCK_MS) }),
    ...(EMPTY_BLOCK_MS === undefined ? {} : { emptyBlockMs: Number(EMPTY_BLOCK_MS) }),
  },
});
const { rpcUrl, wsUrl, aggregatorUrl, rewardsUrl, bridgeUrl } = sandbox;
process.stdout.write(
  `${JSON.stringify({ rpcUrl, wsUrl, controlUrl: `${rpcUrl}/control`, aggregatorUrl, rewardsUrl, bridgeUrl })}\n`,
);
process.once('SIGTERM', () => void sandbox.stop());
