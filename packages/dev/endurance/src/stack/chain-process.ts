import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { buildGenesis, startSandbox, type SandboxOptions } from '@sotto/sandbox';
import { invokeHash, poseidonOf } from '@sotto/stark-hash';

type InvokeHasher = NonNullable<SandboxOptions['hashInvoke']>;

/**
 * The service's own hash. starknet.js would check it as well, but takes longer for a withdrawal
 * than all else here together.
 */
const hashInvoke: InvokeHasher = (
  { sender, calldata, nonce, tip, bounds: { l1Gas, l1DataGas, l2Gas } },
  chainId,
) => {
  const bound = ({
    maxAmount,
    maxPricePerUnit,
  }: typeof l1Gas): { maxAmount: bigint; maxPriceFri: bigint } => ({
    maxAmount,
    maxPriceFri: maxPricePerUnit,
  });
  return invokeHash({
    sender: toFelt(sender),
    calldataHash: poseidonOf(calldata),
    chainId: toFelt(chainId),
    nonce,
    bounds: { l1Gas: bound(l1Gas), l2Gas: bound(l2Gas), l1DataGas: bound(l1DataGas), tipFri: tip },
  });
};

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
