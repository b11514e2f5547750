import { PUBLIC_INPUTS, type WithdrawalProof } from '../../src/index.js';

/** Decodes the proof in calldata with a length felt, as the pool does. */
export function proofIn(calldata: readonly string[]): WithdrawalProof {
  const felts = calldata.map(BigInt);
  const number = (start: number, count: number, bits: number): string =>
    String(
      felts
        .slice(start, start + count)
        .reduce((sum, felt, index) => sum + (felt << BigInt(bits * index)), 0n),
    );
  const coordinate = (index: number): string => number(1 + 4 * index, 4, 96);
  return {
    proof: {
      pi_a: [coordinate(0), coordinate(1), '1'],
      pi_b: [
        [coordinate(2), coordinate(3)],
        [coordinate(4), coordinate(5)],
        ['1', '0'],
      ],
      pi_c: [coordinate(6), coordinate(7), '1'],
      protocol: 'groth16',
      curve: 'bn128',
    },
    publicInputs: PUBLIC_INPUTS.map((_, index) => number(34 + 2 * index, 2, 128)),
  };
}
