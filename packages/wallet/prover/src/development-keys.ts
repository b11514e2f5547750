import type { ProverArtefacts } from './artefacts.js';

/**
 * Development keys in keys/, as bundler assets or as files. The setup's secrets are public: any
 * reader can forge proofs for these keys.
 */
export const developmentArtefacts: ProverArtefacts = {
  wasm: {
    source: new URL('../keys/withdraw.wasm', import.meta.url),
    sha256: 'f31f2256b89129a21e6b17f2e775c35f007e69f61ccc8774d27aa948fc088146',
    bytes: 1_981_741,
  },
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
