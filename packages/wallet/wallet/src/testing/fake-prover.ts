import type { ProveOptions, Prover, WithdrawalRequest } from '../prover.js';

const HALF = 1n << 128n;

/** Statement that a fake proof contains. */
export interface FakeStatement {
  readonly nullifierHash: bigint;
  readonly recipient: bigint;
  readonly relayer: bigint;
  readonly fee: bigint;
}

/** Fault of a prover. */
export type FakeProverFault =
  | 'rejects'
  /** A file of the prover can't be fetched now. */
  | 'offline'
  /** The prover never answers. */
  | 'hangs'
  /** The prover ignores the signal, and answers after five seconds. */
  | 'late'
  /** The answer is not a list of felts. */
  | 'malformed'
  /** The proof pays another recipient. */
  | 'another-statement';

const LATE_MS = 5_000;

/** Fake prover, whose calldata is the statement in 0x hex, without a proof. */
export class FakeProver implements Prover {
  /** Number of proofs that were created. */
  proofs = 0;
  /** @default no fault */
  fault: FakeProverFault | undefined;

  async prove(request: WithdrawalRequest, options: ProveOptions = {}): Promise<readonly string[]> {
    options.signal?.throwIfAborted();
    options.onProgress?.({ step: 'proof', fraction: 0 });
    options.onProgress?.({ step: 'calldata', fraction: 1 });
    if (this.fault === 'offline')
      throw Object.assign(new Error('no network'), { code: 'ARTEFACT_UNAVAILABLE' });
    if (this.fault === 'rejects') throw new Error('the prover has no memory');
    if (this.fault === 'hangs') return new Promise(() => undefined);
    if (this.fault === 'late') await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    if (this.fault === 'late') options.onProgress?.({ step: 'calldata', fraction: 1 });
    this.proofs += 1;
    if (this.fault === 'malformed') return JSON.parse('["0x1", 2, "three"]');
    const { nullifierHash } = request.note;
    return [
      nullifierHash % HALF,
      nullifierHash / HALF,
      this.fault === 'another-statement' ? request.recipient + 1n : request.recipient,
      request.relayer,
      request.feeAmount,
    ].map((felt) => `0x${felt.toString(16)}`);
  }
}

/** @throws RangeError if the calldata was not created by a {@link FakeProver} */
export function readFakeProof(calldata: readonly string[]): FakeStatement {
  const [low, high, recipient, relayer, fee, ...rest] = calldata.map(BigInt);
  if (
    low === undefined ||
    high === undefined ||
    recipient === undefined ||
    relayer === undefined ||
    fee === undefined ||
    rest.length > 0
  )
    throw new RangeError('not a proof of the fake prover');
  return { nullifierHash: low + high * HALF, recipient, relayer, fee };
}
