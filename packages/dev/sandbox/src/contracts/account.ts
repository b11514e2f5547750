import { Revert, type ContractModel, type Entrypoint } from '../engine/contract.js';
import { PUBLIC_KEY, isSignedBy } from '../engine/signature.js';
import {
  executeFromOutside,
  isValidOutsideExecutionNonce,
  OUTSIDE_EXECUTION_INTERFACE,
} from './outside-execution.js';
import { Arguments, boolFelt, modelClassHash, noArguments, shortStringFelt } from './calldata.js';

const VALID = shortStringFelt('VALID');
/** Interface ids of SRC-5 (introspection), SRC-6 (account) and SNIP-9 (outside execution). */
const SUPPORTED_INTERFACES: ReadonlySet<bigint> = new Set([
  0x3f918d17e5ee77373b56385708f855659a07f75997f365cf87748628532a055n,
  0x2ceccef7f994940b3962a6c67e0ba4fcd37df7d131417c604f91e03caecc1cdn,
  OUTSIDE_EXECUTION_INTERFACE,
]);

const getPublicKey: Entrypoint = (context, calldata) => {
  noArguments(calldata);
  return [context.get(PUBLIC_KEY)];
};

const isValidSignature: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const messageHash = args.felt();
  const signature = args.span();
  args.end();
  return [isSignedBy(context.get(PUBLIC_KEY), messageHash, signature) ? VALID : 0n];
};

const supportsInterface: Entrypoint = (_context, calldata) => {
  const args = new Arguments(calldata);
  const interfaceId = args.felt();
  args.end();
  return [boolFelt(SUPPORTED_INTERFACES.has(interfaceId))];
};

const protocolOnly: Entrypoint = () => {
  throw new Revert('Account: invalid caller');
};

/**
 * Account with one Stark key, modelled on OpenZeppelin's account. For transactions, the engine
 * checks the signature and runs the multicall. Therefore `__validate__` and `__execute__` reject
 * all callers. Any account may run calls that the owner has signed (SNIP-9).
 */
export const accountModel: ContractModel = {
  name: 'Account',
  classHash: modelClassHash('Account'),
  entrypoints: {
    __validate__: protocolOnly,
    __execute__: protocolOnly,
    is_valid_signature: isValidSignature,
    isValidSignature,
    get_public_key: getPublicKey,
    getPublicKey,
    supports_interface: supportsInterface,
    execute_from_outside_v2: executeFromOutside,
    is_valid_outside_execution_nonce: isValidOutsideExecutionNonce,
  },
};
