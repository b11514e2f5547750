export {
  BridgeMalformed,
  BridgeTimedOut,
  BridgeUnauthorized,
  BridgeUnavailable,
} from './errors.js';
export { HttpBridgeProtocol } from './http-bridge-protocol.js';
export { OneClickBridgeProtocol, type OneClickSettings } from './one-click-bridge-protocol.js';
