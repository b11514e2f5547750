import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { buildGenesis, startSandbox, type InvokeHasher } from '@sotto/sandbox';
import { invokeHash, poseidon, warmUp } from '@sotto/stark-hash';
import { EXTRA_LANES } from './world.js';

/**
 * The node, as a process of its own. It shares the machine with what is measured, so it leaves out
 * what would take a multiple of that time in JavaScript and is no part of the comparison: it takes
 * proofs to hold and signatures to be the account's, and hashes in WebAssembly.
 */

const WORD_HEX_DIGITS = 64;

const hashInvoke: InvokeHasher = ({ sender, calldata, nonce, bounds, tip }, chainId) => {
  const bound = ({
    maxAmount,
    maxPricePerUnit,
  }: typeof bounds.l2Gas): { maxAmount: bigint; maxPriceFri: bigint } => ({
    maxAmount,
    maxPriceFri: maxPricePerUnit,
  });
  return invokeHash({
    sender: toFelt(sender),
    calldataHash: poseidon(words(calldata)),
    chainId: toFelt(chainId),
    nonce,
    bounds: {
      l1Gas: bound(bounds.l1Gas),
      l2Gas: bound(bounds.l2Gas),
      l1DataGas: bound(bounds.l1DataGas),
      tipFri: tip,
    },
  });
};

/** The request's schema has seen to it that they are felts. */
function words(felts: readonly bigint[]): Uint8Array {
  return Buffer.from(
    felts.map((felt) => felt.toString(16).padStart(WORD_HEX_DIGITS, '0')).join(''),
    'hex',
  );
}

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
