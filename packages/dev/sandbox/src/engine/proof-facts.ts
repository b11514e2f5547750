import { createHash } from 'node:crypto';
import { hash } from 'starknet';
import { shortStringToFelt, toHex } from './felt.js';

/**
 * Treatment of proofs. With `check`, a transaction with proof facts needs their proof, and both are
 * checked. With `none`, the node ignores proofs and does not check the facts; contracts still read
 * the facts.
 */
export type ProofMode = 'check' | 'none';

/** Rules for proofs, which the network's operator sets. */
export interface ProofSettings {
  readonly mode: ProofMode;
  /** Hashes of the virtual programs whose proofs are accepted. */
  readonly programHashes: readonly bigint[];
}

/** Program hash that Starknet's sequencer accepts. Source: starknet-devnet 0.8.1. */
export const VIRTUAL_PROGRAM_HASH =
  0x3e98c2d7703b03a7edb73ed7f075f97f1dcbaa8f717cdf6e1a57bf058265473n;

export const DEFAULT_PROOFS: ProofSettings = {
  mode: 'check',
  programHashes: [VIRTUAL_PROGRAM_HASH],
};

/** Cairo short strings at fixed positions of the facts. */
export const PROOF_VERSION = felt('PROOF0');
export const PROGRAM_VARIANT = felt('VIRTUAL_SNOS');
export const OUTPUT_VERSION = felt('VIRTUAL_SNOS0');
const CONFIG_VERSION = felt('StarknetOsConfig3');

/** Minimum age of a proof's base block, in blocks, when the transaction is included. */
export const MIN_BASE_BLOCK_AGE = 10;
/** Number of facts before the hashes of the messages. */
const HEAD_LENGTH = 7;
const WORD_BYTES = 32;

/** Facts of a virtual execution, except its messages. */
interface ProofFactsHead {
  readonly programHash: bigint;
  readonly baseBlockNumber: bigint;
  readonly baseBlockHash: bigint;
  /** Hash of the network's chain id and fee token. */
  readonly configHash: bigint;
}

/** Chain against which facts are checked. */
export interface FactsChain extends ProofSettings {
  readonly configHash: bigint;
  /** Number of the block that will include the transaction. */
  readonly blockNumber: number;
  /** Returns the hash of an accepted block; undefined if the block does not exist. */
  hashOf(blockNumber: number): bigint | undefined;
}

/**
 * Returns the substitute for a proof of these facts: the SHA-256 hash of the facts as base64 text,
 * with 32 bytes for each fact. The sandbox cannot verify Stwo proofs, so this value is the only
 * valid proof of the facts. Any caller can compute it.
 */
export function substituteProof(facts: readonly bigint[]): string {
  const sha256 = createHash('sha256');
  for (const fact of facts)
    sha256.update(Buffer.from(fact.toString(16).padStart(2 * WORD_BYTES, '0'), 'hex'));
  return sha256.digest('base64');
}

/** Returns the fact that binds a proof to a network. */
export function configHashOf(chainId: bigint, feeToken: bigint): bigint {
  return BigInt(hash.computePedersenHashOnElements([CONFIG_VERSION, chainId, feeToken].map(toHex)));
}

/**
 * Returns the reason why a block of the chain cannot include a transaction with these facts;
 * undefined if it can. The texts are those of the sequencer.
 */
export function findFactsProblem(facts: readonly bigint[], chain: FactsChain): string | undefined {
  if (facts.length === 0 || chain.mode === 'none') return undefined;
  const head = readHead(facts);
  const problem = typeof head === 'string' ? head : findHeadProblem(head, chain);
  return problem === undefined ? undefined : `Invalid proof facts: ${problem}`;
}

function readHead(facts: readonly bigint[]): ProofFactsHead | string {
  const [version, variant, programHash, output, number, baseBlockHash, configHash] = facts;
  if (facts.length < HEAD_LENGTH)
    return parseError(`SNOS proof facts is too small with ${facts.length} fields`);
  if (version !== PROOF_VERSION)
    return parseError(
      `Expected first field to be ${PROOF_VERSION} (PROOF_VERSION), but got ${version}`,
    );
  if (variant !== PROGRAM_VARIANT)
    return parseError(
      `Non-SNOS proofs are not currently supported. Expected second field to be ${PROGRAM_VARIANT} (VIRTUAL_SNOS), but got ${variant}`,
    );
  if (output !== OUTPUT_VERSION)
    return parseError(
      `Expected SNOS proof facts version to be ${OUTPUT_VERSION} (VIRTUAL_OS_OUTPUT_VERSION), but got ${output}`,
    );
  return {
    programHash: programHash ?? 0n,
    baseBlockNumber: number ?? 0n,
    baseBlockHash: baseBlockHash ?? 0n,
    configHash: configHash ?? 0n,
  };
}

function findHeadProblem(head: ProofFactsHead, chain: FactsChain): string | undefined {
  const { programHash, baseBlockNumber, baseBlockHash, configHash } = head;
  if (!chain.programHashes.includes(programHash))
    return `Virtual OS program hash ${programHash} is not allowed`;
  const newest = chain.blockNumber - MIN_BASE_BLOCK_AGE;
  if (baseBlockNumber > BigInt(newest))
    return `The proof block number ${baseBlockNumber} is too recent. The maximum allowed block number is ${newest}.`;
  const stored = chain.hashOf(Number(baseBlockNumber));
  if (stored !== baseBlockHash)
    return `Block hash mismatch for block ${baseBlockNumber}. Proof block hash: ${baseBlockHash}, stored block hash: ${stored ?? 0n}.`;
  return configHash === chain.configHash
    ? undefined
    : `Virtual OS config hash mismatch. Computed virtual OS config hash: ${chain.configHash}, expected virtual OS config hash: ${configHash}.`;
}

function parseError(text: string): string {
  return `ProofFacts parse error: ${text}`;
}

function felt(text: string): bigint {
  return shortStringToFelt(text) ?? 0n;
}
