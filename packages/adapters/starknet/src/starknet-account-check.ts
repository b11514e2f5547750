import { toFelt, type Felt } from '@sotto/kernel';
import type { AccountCheck, AccountProblem } from '@sotto/submission-core';
import { AccountKey, AccountKeyUnusable, type SigningAccount } from './account-key.js';
import { hasNoEntrypoint } from './no-entrypoint.js';
import { isRefusal, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { selectorOf, shortStringFelt } from './selectors.js';
import { callView } from './views.js';
import { LATEST, Returned, WireFelt } from './wire.js';

/**
 * What is signed for the check: the hash of no transaction and of no message, so a node may keep
 * the signature.
 */
const CHECKED_HASH = selectorOf('sotto checks whether it holds the key of this account');

const VALID = BigInt(shortStringFelt('VALID'));

/**
 * Asks an account's own `is_valid_signature` (SRC-6) about a signature by the key that is held
 * here.
 */
export class StarknetAccountCheck implements AccountCheck {
  readonly #keys: ReadonlyMap<Felt, AccountKey>;

  /** @throws AccountKeyUnusable naming the account whose key is invalid */
  constructor(
    private readonly node: StarknetNode,
    accounts: readonly SigningAccount[],
  ) {
    this.#keys = new Map(accounts.map((account) => [account.address, new AccountKey(account)]));
  }

  async problemOf(account: Felt): Promise<AccountProblem | null> {
    const key = this.#keys.get(account);
    if (key === undefined)
      throw new AccountKeyUnusable({ message: 'no key is held for the account' });
    const signature = key.sign(CHECKED_HASH);
    const [deployed, answer] = await Promise.allSettled([
      this.node.call({
        method: 'starknet_getClassHashAt',
        params: { block_id: LATEST, contract_address: account },
        result: WireFelt,
      }),
      callView(this.node, {
        contract: account,
        entrypoint: 'is_valid_signature',
        calldata: [CHECKED_HASH, toFelt(BigInt(signature.length)), ...signature],
        result: Returned,
      }),
    ]);
    if (deployed.status === 'rejected') {
      if (isRefusal(deployed.reason, RpcCode.contractNotFound)) return 'NOT_DEPLOYED';
      throw deployed.reason;
    }
    return answer.status === 'fulfilled' ? judged(answer.value) : problemBehind(answer.reason);
  }
}

function judged(answer: readonly bigint[]): AccountProblem | null {
  return answer.length === 1 && answer[0] === VALID ? null : 'WRONG_KEY';
}

/** @throws the error when it says nothing of the account */
function problemBehind(error: unknown): AccountProblem {
  if (hasNoEntrypoint(error)) return 'NO_ACCOUNT_CLASS';
  if (!isRefusal(error, RpcCode.contractError)) throw error;
  return 'WRONG_KEY';
}
