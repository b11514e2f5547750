export { invokeHash, type InvokeBound, type InvokeFields } from './invoke-hash.js';
export { poseidon, poseidonOf, warmUp } from './poseidon.js';
