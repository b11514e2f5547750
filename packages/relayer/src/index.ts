export { BridgeDisabled, PrivateSwapDisabled } from './errors.js';
export { loadConfig } from './environment/load-config.js';
export type { Settings, SwapSettings } from './environment/settings.js';
export { VARIABLES } from './environment/variables.js';
