import { toFelt } from '@sotto/kernel';
import { ec, hash } from 'starknet';
import type { Artefact, KeyedAccount } from '../node/sender.js';
import { planContract } from '../plan/deploy-call.js';
import type { PlannedContract } from '../plan/plan.js';
import { ACCOUNTS, type AccountName } from './description.js';
import { mapValues } from './map-values.js';

/** The stack's accounts, and which of them have to be deployed. */
export interface StackAccounts<Class extends Artefact> {
  readonly accounts: Readonly<Record<AccountName, KeyedAccount>>;
  readonly contracts: readonly PlannedContract<Class>[];
}

/**
 * Accounts of one class whose constructor takes the public key. Their keys follow from the
 * deployer's, one way: only a holder of that key has them all.
 */
export function planAccounts<Class extends Artefact>(
  deployerKey: bigint,
  classHash: string,
  salt: bigint,
): StackAccounts<Class> {
  const contracts: PlannedContract<Class>[] = [];
  const accounts = mapValues(ACCOUNTS, ({ signs }, name) => {
    const keys = keysOf(deployerKey, name);
    const constructorCalldata = [keys.publicKey];
    const contract = planContract<Class>({
      name: `account ${name}`,
      contractClass: { classHash },
      salt,
      constructorCalldata,
    });
    if (signs) contracts.push(contract);
    return { ...keys, address: contract.address };
  });
  return { accounts, contracts };
}

function keysOf(
  deployerKey: bigint,
  name: AccountName,
): Pick<KeyedAccount, 'privateKey' | 'publicKey'> {
  // A Starknet Keccak has 250 bits, so it is below the curve's order.
  const privateKey = hash.starknetKeccak(
    `sotto deployment account ${name} of ${toFelt(deployerKey)}`,
  );
  return { privateKey, publicKey: BigInt(ec.starkCurve.getStarkKey(toFelt(privateKey))) };
}
