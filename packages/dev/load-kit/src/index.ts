export { OpenLoad } from './open-load.js';
export { forgedCalldata, trapdoorKey, type PublicSignals } from './trapdoor.js';
