export { forgeUnderDevelopmentKey, type SetupKey } from './development-key.js';
export {
  BATCH,
  filledCalldata,
  NOTES,
  nullifierOf,
  recipientOf,
  ROOT,
  type FilledWithdrawal,
} from './filled-pool.js';
export { OpenLoad } from './open-load.js';
export { forgedCalldata, trapdoorKey, type PublicSignals } from './trapdoor.js';
