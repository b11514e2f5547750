import type { Felt } from '@sotto/kernel';
import type { IdleFunds } from './idle-funds.js';

/**
 * The ledger key of a vault's deployment number `generation`, counted from 0:
 * `chain|vault|idle|generation`.
 */
export function deploymentKey(chainId: Felt, vault: Felt, generation: number): string {
  return `${chainId}|${vault}|idle|${generation}`;
}

/**
 * What a deployment was asked for: `idle|amount|block`. It stands in the ledger's row, so that each
 * caller that meets the deployment, after a restart or in another process, knows its amount;
 * calldata is wiped, and not theirs to read.
 */
export function deploymentFingerprint({ idleSats, blockNumber }: IdleFunds): string {
  return `idle|${idleSats}|${blockNumber}`;
}

/**
 * The same for a deployment that was read back from the chain, where its block is not known: never
 * equal to that of a request.
 */
export function shownFingerprint(amountSats: bigint): string {
  return `idle|${amountSats}|unknown`;
}

const FINGERPRINT = /^idle\|([0-9]{1,78})\|(?:[0-9]+|unknown)$/;

/**
 * The amount in a {@link deploymentFingerprint} or a {@link shownFingerprint}.
 * @throws Error for any other text
 */
export function deployedSats(fingerprint: string): bigint {
  const [, amount] = FINGERPRINT.exec(fingerprint) ?? [];
  if (amount === undefined) throw new Error('the submission is no deployment of a vault');
  return BigInt(amount);
}
