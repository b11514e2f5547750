export { deploymentBlocks, notRecipients, verifiersOf } from './contracts.js';
export {
  convertedTokens,
  leveragedVaults,
  purchaseContract,
  purchasedWith,
} from './keeper-contracts.js';
export { NetworkProfile, soundFields, type NetworkProfileFile } from './network-profile.js';
export { isPublishedSetup, isSampleKey } from './published-secrets.js';
export { EXAMPLE_PROFILE, renderNetworkProfiles } from './render-network-profiles.js';
export { repeatedAddresses } from './repeated-addresses.js';
export {
  cycleGas,
  guardedDepositTokens,
  notePools,
  poolsToDeploy,
  privacyPools,
  privateActionGas,
  profilePools,
  relayedPools,
  servedPools,
  swapCycleGas,
  swapOutputPool,
  swapTokens,
} from './served-pools.js';
export { Address, ChainId, EntrypointName, PrivateKey, feltOrNull } from './values.js';
