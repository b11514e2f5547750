import { toFelt, type Felt } from '@sotto/kernel';
import type { AccountCheck, AccountProblem } from '@sotto/submission-core';
import { CHECKED_HASH, type AccountKeys } from './keys/account-keys.js';
import { hasNoEntrypoint } from './no-entrypoint.js';
import { isRejection, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { shortStringFelt } from './selectors.js';
import { callView } from './views.js';
import { LATEST, Returned, WireFelt } from './wire.js';

const VALID = BigInt(shortStringFelt('VALID'));

/**
 * Checks that this service has the right key of an account. Calls the account's own
 * `is_valid_signature` (SRC-6) with a signature made by that key.
 */
export class StarknetAccountCheck implements AccountCheck {
  constructor(
    private readonly node: StarknetNode,
    private readonly keys: AccountKeys,
  ) {}

  async problemOf(account: Felt): Promise<AccountProblem | null> {
    const signature = await this.keys.signCheck(account);
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
      if (isRejection(deployed.reason, RpcCode.contractNotFound)) return 'NOT_DEPLOYED';
      throw deployed.reason;
    }
    return answer.status === 'fulfilled' ? judged(answer.value) : problemBehind(answer.reason);
  }
}

function judged(answer: readonly bigint[]): AccountProblem | null {
  return answer.length === 1 && answer[0] === VALID ? null : 'WRONG_KEY';
}

/** @throws the error `error` itself if the failure was not caused by the account */
function problemBehind(error: unknown): AccountProblem {
  if (hasNoEntrypoint(error)) return 'NO_ACCOUNT_CLASS';
  if (!isRejection(error, RpcCode.contractError)) throw error;
  return 'WRONG_KEY';
}
