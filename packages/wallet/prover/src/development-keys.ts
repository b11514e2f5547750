import type { ProverArtefacts } from './artefacts.js';

/**
 * Development keys in keys/, as bundler assets or as files. The setup's secrets are public: any
 * reader can forge proofs for these keys. The prover computes the witness of their circuit itself.
 */
export const developmentArtefacts: ProverArtefacts = {
  zkey: {
    source: new URL('../keys/withdraw.zkey', import.meta.url),
    sha256: '1ba4ff7183e6dcbfa833b8ed0764e45721f2256cee2d9185a5febf6ea099c849',
    bytes: 1_711_461,
  },
  verificationKey: {
    source: new URL('../keys/verification_key.json', import.meta.url),
    sha256: 'bdf1c2d66fb6fa40f603eb3d1b7f32fd561abd47c39e9bc668beb7b2c218a5a7',
    bytes: 4_336,
  },
};
