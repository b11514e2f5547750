import { Felts, domainError, feltToBigInt, type Felt } from '@sotto/kernel';

/**
 * Error for proof facts that do not have the layout of a virtual execution. `details.at` is the
 * index of the first wrong felt. The caller sends the facts as the prover returned them.
 */
export class ProofFactsUnreadable extends domainError('PROOF_FACTS_UNREADABLE') {}

/**
 * Error for proof facts that belong to other actions, to another pool or to another class of the
 * pool. No transaction was sent. The caller proves the actions again.
 */
export class ProofFactsMismatch extends domainError('PROOF_FACTS_MISMATCH') {}

/**
 * Error for a proof of another network. `details.field` is the fact that differs. No transaction
 * was sent.
 */
export class ProofOfAnotherNetwork extends domainError('PROOF_OF_ANOTHER_NETWORK') {}

/**
 * Error for a proof whose base block the network does not accept yet. `details.acceptedFromBlock`
 * is the first block that accepts the proof. The caller repeats the request later.
 */
export class ProofTooYoung extends domainError('PROOF_TOO_YOUNG') {}

/**
 * Error for a proof that the pool would not accept in time any more. `details.lastBlock` is the
 * last block that accepts the proof. No transaction was sent. The caller proves the actions again.
 */
export class ProofExpired extends domainError('PROOF_EXPIRED') {}

/**
 * Error for a proof whose base block is not a block of the chain, for example after a rollback.
 * No transaction was sent. The caller proves the actions again.
 */
export class ProofBaseBlockUnknown extends domainError('PROOF_BASE_BLOCK_UNKNOWN') {}

/** Facts of a proven virtual execution, as the transaction contains them. */
export interface ProofFacts {
  readonly programHash: Felt;
  readonly baseBlock: { readonly number: number; readonly hash: Felt };
  /** Hash of the network's id and fee token. */
  readonly configHash: Felt;
  /** Hash of the message that binds the actions to the pool and its class. */
  readonly messageHash: Felt;
}

/**
 * Minimum age of a proof's base block, in blocks, when a transaction is sent. Source: Starknet's
 * gateway, which compares the base block with the head and refuses a younger one.
 */
export const MIN_BASE_BLOCK_AGE = 10;

const PROOF_VERSION = '0x50524f4f4630';
const PROGRAM_VARIANT = '0x5649525455414c5f534e4f53';
const OUTPUT_VERSION = '0x5649525455414c5f534e4f5330';
const U64_LIMIT = 2n ** 64n;
const ONE_MESSAGE = '0x1';

/** Fixed facts by their index: proof version, program variant, output version, message count. */
const FIXED: ReadonlyMap<number, string> = new Map([
  [0, PROOF_VERSION],
  [1, PROGRAM_VARIANT],
  [3, OUTPUT_VERSION],
  [7, ONE_MESSAGE],
]);
const PROGRAM_AT = 2;
const BASE_NUMBER_AT = 4;
const BASE_HASH_AT = 5;
const CONFIG_AT = 6;
const MESSAGE_AT = 8;
const FACT_COUNT = MESSAGE_AT + 1;

/** @throws ProofFactsUnreadable */
export function readProofFacts(facts: Felts): ProofFacts {
  if (facts.length !== FACT_COUNT)
    throw new ProofFactsUnreadable({ details: { expected: FACT_COUNT, given: facts.length } });
  for (const [at, expected] of FIXED)
    if (String(facts.feltAt(at)) !== expected)
      throw new ProofFactsUnreadable({ details: { at, expected } });
  const number = feltToBigInt(facts.feltAt(BASE_NUMBER_AT));
  if (number >= U64_LIMIT || number > BigInt(Number.MAX_SAFE_INTEGER))
    throw new ProofFactsUnreadable({ details: { at: BASE_NUMBER_AT } });
  return {
    programHash: facts.feltAt(PROGRAM_AT),
    baseBlock: { number: Number(number), hash: facts.feltAt(BASE_HASH_AT) },
    configHash: facts.feltAt(CONFIG_AT),
    messageHash: facts.feltAt(MESSAGE_AT),
  };
}

/** Hashes felts as Starknet's Poseidon does. */
export type PoseidonHash = (felts: Felts) => Felt;

/** Message by which the pool recognises its actions. */
export interface ActionMessage {
  readonly pool: Felt;
  /** Class that the pool has now. */
  readonly poolClass: Felt;
  /** Felts of the actions with their number. */
  readonly actionFelts: Felts;
}

/** Returns the hash of the message that the pool must have sent in the proven execution. */
export function messageHash(
  { pool, poolClass, actionFelts }: ActionMessage,
  poseidon: PoseidonHash,
): Felt {
  const head = [feltToBigInt(pool), 0n, BigInt(actionFelts.length + 1), feltToBigInt(poolClass)];
  return poseidon(Felts.join(Felts.of(head), actionFelts));
}

/** Returns the last block in which the pool accepts the proof. */
export function lastBlockOf({ baseBlock }: ProofFacts, validityBlocks: number): number {
  return baseBlock.number + validityBlocks;
}

/** Values with which the facts must agree. */
export interface FactExpectations {
  readonly messageHash: Felt;
  readonly configHash: Felt;
  /** Programs that the network accepts; null to leave this to the node. */
  readonly programHashes: readonly Felt[] | null;
  /** Height of the chain's head. */
  readonly headNumber: number;
  /** Hash of the chain's block at the height of the base block; null above the head. */
  readonly baseBlockHash: Felt | null;
  /** Number of blocks after the base block in which the pool accepts a proof. */
  readonly validityBlocks: number;
  /** Number of blocks that a transaction may need until it is included. */
  readonly marginBlocks: number;
}

/** Error of one fact that does not agree with the chain. */
export type FactsRejection =
  ProofFactsMismatch | ProofOfAnotherNetwork | ProofTooYoung | ProofExpired | ProofBaseBlockUnknown;

/** Returns the errors of all facts that do not agree. */
export function factsRejections(
  facts: ProofFacts,
  expected: FactExpectations,
): readonly FactsRejection[] {
  const { baseBlock, configHash, programHash } = facts;
  // The transaction is included in the block after the head at the earliest.
  const nextBlock = expected.headNumber + 1;
  const acceptedFromBlock = baseBlock.number + MIN_BASE_BLOCK_AGE + 1;
  const lastBlock = lastBlockOf(facts, expected.validityBlocks);
  const field =
    configHash !== expected.configHash
      ? 'config_hash'
      : expected.programHashes?.includes(programHash) === false
        ? 'program_hash'
        : null;
  return [
    facts.messageHash !== expected.messageHash && new ProofFactsMismatch(),
    field !== null && new ProofOfAnotherNetwork({ details: { field } }),
    nextBlock < acceptedFromBlock && new ProofTooYoung({ details: { acceptedFromBlock } }),
    nextBlock + expected.marginBlocks > lastBlock && new ProofExpired({ details: { lastBlock } }),
    baseBlock.number <= expected.headNumber &&
      baseBlock.hash !== expected.baseBlockHash &&
      new ProofBaseBlockUnknown(),
  ].filter((rejection) => rejection !== false);
}
