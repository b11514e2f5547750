/*
 * The node without its network interface: chain and gateway. Some tests run many chains in one
 * process, advance them manually and count the paid fees.
 */
export { Chain } from './chain.js';
export { SandboxClock } from './clock.js';
export { Revert, type ContractModel } from './contract.js';
export { balanceKey, balanceOf, type GasPrices } from './fee.js';
export { selectorOf } from './felt.js';
export { Gateway, type GatewaySettings } from './gateway.js';
export type { Genesis } from './genesis.js';
export { Mempool } from './mempool.js';
export { configHashOf, substituteProof, VIRTUAL_PROGRAM_HASH } from './proof-facts.js';
export { SpecError } from './spec-error.js';
export { InvokeTransaction, type InvokeFields } from './transaction.js';
export { ChainView } from './view.js';
