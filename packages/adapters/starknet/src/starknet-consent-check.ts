import { toFelt, type Felt } from '@sotto/kernel';
import {
  depositConsentTypedData,
  type ConsentCheck,
  type SignedConsent,
} from '@sotto/relayer-core';
import { typedData } from 'starknet';
import { NodeMalformedAnswer, RpcCode, isRefusal } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { shortStringFelt } from './selectors.js';
import { callView } from './views.js';
import { Returned } from './wire.js';

/** What SRC-6 accounts answer to a good signature, and what classes before it do. */
const VALID = BigInt(shortStringFelt('VALID'));
const LEGACY_VALID = 1n;

/** Calls the depositor's `is_valid_signature` over the SNIP-12 hash of the consent. */
export class StarknetConsentCheck implements ConsentCheck {
  readonly #legacyClasses: ReadonlySet<Felt>;

  /** @param legacyClasses whose accounts answer 1 and not 'VALID' */
  constructor(
    private readonly node: StarknetNode,
    legacyClasses: readonly Felt[] = [],
  ) {
    this.#legacyClasses = new Set(legacyClasses);
  }

  async isGiven({
    consent,
    depositor,
    depositorClass,
    signature,
  }: SignedConsent): Promise<boolean> {
    const hash = toFelt(typedData.getMessageHash(depositConsentTypedData(consent), depositor));
    const felts = Array.from({ length: signature.length }, (_, index) => signature.feltAt(index));
    const calldata = [hash, toFelt(BigInt(signature.length)), ...felts];
    try {
      const answer = await callView(this.node, {
        contract: depositor,
        entrypoint: 'is_valid_signature',
        calldata,
        result: Returned,
      });
      const expected = this.#legacyClasses.has(depositorClass) ? LEGACY_VALID : VALID;
      return answer.length === 1 && answer[0] === expected;
    } catch (error) {
      if (isOfTheAccount(error)) return false;
      throw error;
    }
  }
}

/**
 * It panics, has no such entry point, or returns more than an answer: the node did what it could.
 */
function isOfTheAccount(error: unknown): boolean {
  const refusals = [RpcCode.contractError, RpcCode.entrypointNotFound, RpcCode.contractNotFound];
  return error instanceof NodeMalformedAnswer || refusals.some((code) => isRefusal(error, code));
}
