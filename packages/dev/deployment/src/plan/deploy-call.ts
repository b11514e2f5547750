import { toFelt } from '@sotto/kernel';
import { hash } from 'starknet';
import type { ContractCall } from '../node/chain-node.js';
import type { Artefact } from '../node/sender.js';
import type { PlannedContract } from './plan.js';

/**
 * Address of OpenZeppelin's universal deployer 2.0, the same on every public network and on devnet.
 */
export const UNIVERSAL_DEPLOYER =
  0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n;
const DEPLOYED_BY_NOBODY = 0n;

/**
 * Plans a contract and computes its address, which is the same for any sender of {@link
 * deployCall}. The address depends only on class, salt and constructor calldata.
 */
export function planContract<Class extends Artefact>(
  contract: Omit<PlannedContract<Class>, 'address'>,
): PlannedContract<Class> {
  const { contractClass, salt, constructorCalldata } = contract;
  const calldata = constructorCalldata.map(toFelt);
  const address = BigInt(
    hash.calculateContractAddressFromHash(
      salt,
      contractClass.classHash,
      calldata,
      DEPLOYED_BY_NOBODY,
    ),
  );
  return { ...contract, address };
}

/** Builds the call that deploys a contract whose class has been declared. */
export function deployCall({
  contractClass,
  salt,
  constructorCalldata,
}: PlannedContract<Artefact>): ContractCall {
  const notFromZero = 0n;
  return {
    contract: UNIVERSAL_DEPLOYER,
    entrypoint: 'deploy_contract',
    calldata: [
      BigInt(contractClass.classHash),
      salt,
      notFromZero,
      BigInt(constructorCalldata.length),
      ...constructorCalldata,
    ],
  };
}
