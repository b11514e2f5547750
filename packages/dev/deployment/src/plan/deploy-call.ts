import { toFelt } from '@sotto/kernel';
import { hash } from 'starknet';
import type { ContractCall } from '../node/chain-node.js';
import type { Artefact } from '../node/sender.js';
import type { PlannedContract } from './plan.js';

/**
 * OpenZeppelin's universal deployer 2.0, at the same address on every public network and on devnet.
 */
export const UNIVERSAL_DEPLOYER =
  0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n;
const DEPLOYED_BY_NOBODY = 0n;

/**
 * A contract with the address that {@link deployCall} gives it for any sender: class, salt and
 * constructor calldata alone decide.
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

/** The call that deploys a contract whose class is declared. */
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
