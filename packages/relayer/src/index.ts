export { InvalidConfiguration } from '@sotto/settings';
export { BridgeDisabled, PrivateSwapDisabled } from './errors.js';
export { loadConfig } from './environment/load-config.js';
export type { Settings, SwapSettings } from './environment/settings.js';
export { unknownSettings } from './environment/unknown-settings.js';
export { VARIABLES } from './environment/variables.js';
export { createRelayer, type Relayer } from './relayer/create-relayer.js';
export { OPTIONS, type AccountOption, type RelayerOptions } from './relayer/options.js';
export type { UseCases } from './composition/use-cases.module.js';
