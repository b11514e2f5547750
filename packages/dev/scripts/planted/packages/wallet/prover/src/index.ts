import { groth16 } from 'snarkjs';

export const snark = groth16;
