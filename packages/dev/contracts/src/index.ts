export {
  constructorCalldata,
  contractNames,
  type ConstructorParameters,
  type ContractName,
  type RateCurve,
} from './constructors.js';
export { loadContract, type ContractArtefact } from './load-contract.js';
