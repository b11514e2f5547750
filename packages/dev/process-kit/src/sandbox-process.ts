import { trapdoorKey } from '@sotto/load-kit';
import { buildGenesis, startSandbox } from '@sotto/sandbox';
import { warmUp } from '@sotto/stark-hash';
import { hashInvoke } from './hash-invoke.js';

/**
 * Runs the sandbox as a separate process, with proofs under the trapdoor key. Variables:
 * - `NOTES_PAY_ONCE`: if unset, the pools pay a spent note again, so that a second inclusion
 *   becomes visible.
 * - `EXTRA_ACCOUNTS`: number of accounts in addition to the accounts of `sandboxWorld`.
 * - `TRUSTS`: if set, all proofs and signatures are accepted, for measurements on the same machine.
 * - `CLOCK_SHIFT_MS`: difference of the node's clock from the machine's clock, in ms.
 * - `BLOCK_MS`, `EMPTY_BLOCK_MS`: duration of a block with and without transactions, in ms.
 * - `L1_BLOCKS_BEHIND`: number of newest blocks that are not final on L1.
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
  // The newest blocks are not final on L1, as on the network, so they can be rolled back.
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
