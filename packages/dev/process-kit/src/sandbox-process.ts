import { trapdoorKey } from '@sotto/load-kit';
import { buildGenesis, startSandbox } from '@sotto/sandbox';
import { warmUp } from '@sotto/stark-hash';
import { hashInvoke } from './hash-invoke.js';

/**
 * Runs the sandbox as a separate process, with proofs under the trapdoor key. Variables:
 * - `NOTES_PAY_ONCE`: if unset, the pools pay a spent note again, which reveals a second inclusion.
 * - `EXTRA_ACCOUNTS`: number of accounts in addition to the world's.
 * - `TRUSTS`: accepts all proofs and signatures, for measurements on the same machine.
 * - `CLOCK_SHIFT_MS`: shift of the node's clock relative to the machine's.
 * - `BLOCK_MS`, `EMPTY_BLOCK_MS`: duration of a block with and without transactions.
 * - `L1_BLOCKS_BEHIND`: number of newest blocks that are not final.
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
