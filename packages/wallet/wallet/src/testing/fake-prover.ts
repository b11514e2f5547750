import type { ProveOptions, Prover, WithdrawalRequest } from '../prover.js';

const HALF = 1n << 128n;

/** Statement that a fake proof contains. */
export interface FakeStatement {
  readonly nullifierHash: bigint;
  readonly recipient: bigint;
  readonly relayer: bigint;
  readonly fee: bigint;
}

/** Fake prover. The calldata that it returns is only the statement in 0x hex, without a proof. */
export class FakeProver implements Prover {
  /** Number of proofs that were created. */
  proofs = 0;

  async prove(request: WithdrawalRequest, options: ProveOptions = {}): Promise<readonly string[]> {
    options.signal?.throwIfAborted();
    options.onProgress?.({ step: 'proof', fraction: 0 });
    options.onProgress?.({ step: 'calldata', fraction: 1 });
    this.proofs += 1;
    const { nullifierHash } = request.note;
    return [
      nullifierHash % HALF,
      nullifierHash / HALF,
      request.recipient,
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
