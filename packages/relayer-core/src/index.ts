export { CallSimulator, type SimulatedCall, type SimulationResult } from './ports/call-simulator.port.js';
export { GasPriceSource } from './ports/gas-price-source.port.js';
export { PoolReader, type WithdrawalFacts } from './ports/pool-reader.port.js';
export { PriceSources, type PriceObservation, type PriceSource, type PricedAsset } from './ports/price-source.port.js';
export { ProofVerifier } from './ports/proof-verifier.port.js';
