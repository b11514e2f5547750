import { Felts, type Felt } from '@sotto/kernel';

/** Call of a user's account (SNIP-9) that runs before the actions in the same transaction. */
export interface OutsideExecution {
  readonly account: Felt;
  /** Calldata of `execute_from_outside_v2`. */
  readonly calldata: Felts;
}

/** STRK that the pool charges the sender of the transaction. */
export interface PoolFee {
  /** STRK token. */
  readonly token: Felt;
  /** Amount above 0, in fri. The transaction approves exactly this amount to the pool. */
  readonly amountFri: bigint;
}

/**
 * Content of a transaction with private actions, in addition to its envelope. The calls run in this
 * order: outside execution, approval of the pool's fee, `apply_actions`.
 */
export interface PrivateActionPayload {
  /** Calldata of `apply_actions`. */
  readonly calldata: Felts;
  /** Field `proof_facts` of the transaction. */
  readonly facts: Felts;
  /** Field `proof` of the transaction, decoded; empty for a transaction without the field. */
  readonly proof: Uint8Array;
  readonly poolFee: PoolFee | null;
  readonly outsideExecution: OutsideExecution | null;
}

const WORD_BYTES = 32;
/** Number of bytes in one felt of the proof: every value of 31 bytes is a felt. */
const PROOF_BYTES_PER_FELT = 31;
const LAYOUT = 1n;
/** Felts at the end: account, length, token, amount, number of facts, bytes of proof, layout. */
const TAIL_FELTS = 7;

/**
 * Packs a payload into one sequence of felts, which the ledger stores as the calldata of the
 * attempt. So actions, facts and proof are stored, replaced and erased together.
 */
export function packPayload({
  calldata,
  facts,
  proof,
  poolFee,
  outsideExecution: outside,
}: PrivateActionPayload): Felts {
  const none = Felts.of([]);
  return Felts.join(
    calldata,
    facts,
    proofFelts(proof),
    outside?.calldata ?? none,
    Felts.of([
      BigInt(outside?.account ?? 0),
      BigInt(outside?.calldata.length ?? 0),
      BigInt(poolFee?.token ?? 0),
      poolFee?.amountFri ?? 0n,
      BigInt(facts.length),
      BigInt(proof.length),
      LAYOUT,
    ]),
  );
}

/** Unpacks the result of {@link packPayload}; null for felts in any other layout. */
export function unpackPayload(packed: Felts): PrivateActionPayload | null {
  const end = packed.length - TAIL_FELTS;
  if (end < 0 || packed.at(packed.length - 1) !== LAYOUT) return null;
  const numberAt = (index: number): number => Number(packed.at(end + index));
  const [outsideLength, factCount, proofLength] = [numberAt(1), numberAt(4), numberAt(5)];
  const outsideAt = end - outsideLength;
  const proofAt = outsideAt - Math.ceil(proofLength / PROOF_BYTES_PER_FELT);
  const factsAt = proofAt - factCount;
  if (!(factsAt >= 0)) return null;
  const amountFri = packed.at(end + 3);
  return {
    calldata: packed.slice(0, factsAt),
    facts: packed.slice(factsAt, proofAt),
    proof: proofBytes(packed.slice(proofAt, outsideAt), proofLength),
    poolFee: amountFri === 0n ? null : { token: packed.feltAt(end + 2), amountFri },
    outsideExecution:
      outsideLength === 0
        ? null
        : { account: packed.feltAt(end), calldata: packed.slice(outsideAt, end) },
  };
}

function proofFelts(proof: Uint8Array): Felts {
  const count = Math.ceil(proof.length / PROOF_BYTES_PER_FELT);
  const words = Buffer.alloc(count * WORD_BYTES);
  for (let index = 0; index < count; index += 1) {
    const part = proof.subarray(index * PROOF_BYTES_PER_FELT, (index + 1) * PROOF_BYTES_PER_FELT);
    words.set(part, index * WORD_BYTES + 1);
  }
  return Felts.fromBytes(words);
}

function proofBytes(felts: Felts, length: number): Uint8Array {
  const words = felts.toBytes();
  const bytes = new Uint8Array(felts.length * PROOF_BYTES_PER_FELT);
  for (let index = 0; index < felts.length; index += 1)
    bytes.set(
      words.subarray(index * WORD_BYTES + 1, (index + 1) * WORD_BYTES),
      index * PROOF_BYTES_PER_FELT,
    );
  return bytes.slice(0, length);
}
