export { forgeUnderDevelopmentKey, type SetupKey } from './development-key.js';
export { OpenLoad } from './open-load.js';
export { forgedCalldata, trapdoorKey, type PublicSignals } from './trapdoor.js';
