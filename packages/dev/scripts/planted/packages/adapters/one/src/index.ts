import { two } from '../../two/src/index.js';
import { snark } from '../../../wallet/prover/src/index.js';

export const one = [two, snark];
