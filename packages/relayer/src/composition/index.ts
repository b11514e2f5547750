export { PrivateSwaps } from './bindings.js';
export { AppContainer, AppModule, assemble, createContainer, every } from './container.js';
export { relayerModules, sharedModules } from './relayer-modules.js';
