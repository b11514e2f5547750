import { UpstreamTimedOut } from '@sotto/http-client';
import { isSharedFailure, toFelt, type Felt } from '@sotto/kernel';
import {
  DepositSignatureUnchecked,
  depositConsentTypedData,
  type ConsentCheck,
  type SignedConsent,
} from '@sotto/relayer-core';
import { typedData } from 'starknet';
import { HEAD } from './block-head.js';
import { NodeMalformedAnswer, RpcCode, isRejection } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import type { UntrustedNode } from './rpc/untrusted-node.js';
import { shortStringFelt } from './selectors.js';
import { callView, viewCall } from './views.js';
import { Returned, WireFelt } from './wire.js';

/**
 * Value that SRC-6 accounts return for a valid signature. Accounts of older classes return {@link
 * LEGACY_VALID}.
 */
const VALID = BigInt(shortStringFelt('VALID'));
const LEGACY_VALID = 1n;

/**
 * Calls the depositor's `is_valid_signature` with the SNIP-12 hash of the consent. If the account's
 * class is unknown, the call uses the client for untrusted contracts.
 */
export class StarknetConsentCheck implements ConsentCheck {
  readonly #legacyClasses: ReadonlySet<Felt>;

  /** @param legacyClasses classes whose accounts return 1 instead of 'VALID' */
  constructor(
    private readonly node: StarknetNode,
    private readonly untrusted: UntrustedNode,
    legacyClasses: readonly Felt[] = [],
  ) {
    this.#legacyClasses = new Set(legacyClasses);
  }

  async isGiven(signed: SignedConsent): Promise<boolean> {
    const { consent, depositor, depositorClass, signature } = signed;
    const hash = toFelt(typedData.getMessageHash(depositConsentTypedData(consent), depositor));
    const felts = Array.from({ length: signature.length }, (_, index) => signature.feltAt(index));
    const view = {
      contract: depositor,
      entrypoint: 'is_valid_signature',
      calldata: [hash, toFelt(BigInt(signature.length)), ...felts],
      result: Returned,
    };
    try {
      const answer = signed.isKnownClass
        ? await callView(this.node, { ...view, block: await this.#blockWithClass(signed) })
        : await this.untrusted.call(viewCall(view));
      const expected = this.#legacyClasses.has(depositorClass) ? LEGACY_VALID : VALID;
      return answer.length === 1 && answer[0] === expected;
    } catch (error) {
      if (isOfTheAccount(error)) return false;
      if (!signed.isKnownClass && error instanceof UpstreamTimedOut)
        throw new DepositSignatureUnchecked({ cause: error });
      throw error;
    }
  }

  /**
   * Returns the hash of the newest block, after checking that the account has the class
   * `depositorClass` in that block. An account can change its class between two blocks, but not
   * within a block that is identified by its hash.
   * @throws DepositSignatureUnchecked if the account has another class in that block
   */
  async #blockWithClass({ depositor, depositorClass }: SignedConsent): Promise<Felt> {
    const { block_hash: blockHash } = await this.node.call(HEAD);
    const classHash = await this.node.call({
      method: 'starknet_getClassHashAt',
      params: { block_id: { block_hash: blockHash }, contract_address: depositor },
      result: WireFelt,
    });
    if (classHash !== depositorClass) throw new DepositSignatureUnchecked();
    return blockHash;
  }
}

/**
 * Returns true if the account caused the failure: it panics, lacks the entry point, or returns too
 * much data. If a response to several reads was too large, the failure is no evidence about the
 * account.
 */
function isOfTheAccount(error: unknown): boolean {
  const rejections = [RpcCode.contractError, RpcCode.entrypointNotFound, RpcCode.contractNotFound];
  const isUnreadable = error instanceof NodeMalformedAnswer && !isSharedFailure(error);
  return isUnreadable || rejections.some((code) => isRejection(error, code));
}
