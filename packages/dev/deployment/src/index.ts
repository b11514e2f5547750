export { DevnetControls, type DevnetGasPrices } from './devnet/devnet-controls.js';
export { Devnet, DevnetMissing, type DevnetOptions } from './devnet/devnet.js';
export { findDevnet } from './devnet/find-devnet.js';
export type { ContractCall } from './node/chain-node.js';
export type { KeyedAccount } from './node/sender.js';
export {
  deployStack,
  MainnetRefused,
  type DeployStackOptions,
  type StackDeployment,
} from './stack/deploy-stack.js';
export type {
  DeployedStack,
  StackExchange,
  StackLendingPool,
  StackPool,
  StackToken,
} from './stack/deployed-stack.js';
export { networkProfile } from './stack/network-profile.js';
export type { VerifierChoice } from './stack/stack-contracts.js';
export { verifierFromEnvironment } from './stack/verifier-choice.js';
export type { Funding } from './stack/stack-set-ups.js';
