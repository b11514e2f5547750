import { NONCE_REFUSED, type SendAnswer } from '@sotto/submission-core';
import { z } from 'zod';
import { proofFactsFault } from './proof-facts-fault.js';
import type { RawAnswer } from './rpc/node-client.js';
import { WireFelt } from './wire.js';

const Accepted = z.object({ transaction_hash: WireFelt });

type Rejection = Extract<SendAnswer, { kind: 'refused' }>;

const refused = (code: string, cause: Rejection['cause']): Rejection => ({
  kind: 'refused',
  code,
  cause,
});
const unclear = (code: string): SendAnswer => ({ kind: 'unclear', code });

/**
 * Codes of the specification that are conclusive regardless of the text. Codes 55, 58 and 61
 * concern the signing account (signature, class, supported transaction version), not the call; but
 * code 55 also reports proof facts that contradict the chain, which concern the call.
 */
const CONCLUSIVE: ReadonlyMap<number, Rejection> = new Map([
  [53, refused('INSUFFICIENT_RESOURCES_FOR_VALIDATE', 'price')],
  [54, refused('INSUFFICIENT_ACCOUNT_BALANCE', 'funds')],
  [56, refused('COMPILATION_FAILED', 'call')],
  [57, refused('CONTRACT_CLASS_SIZE_IS_TOO_LARGE', 'call')],
  [58, refused('NON_ACCOUNT', 'account')],
  [60, refused('COMPILED_CLASS_HASH_MISMATCH', 'call')],
  [61, refused('UNSUPPORTED_TX_VERSION', 'account')],
  [62, refused('UNSUPPORTED_CONTRACT_CLASS_VERSION', 'call')],
  [65, refused('FEE_BELOW_MINIMUM', 'price')],
  [69, refused('INVALID_PROOF', 'call')],
]);
const VALIDATION_FAILURE = 55;
const DUPLICATE_TRANSACTION = 59;
const UNEXPECTED_ERROR = 63;

/** Error codes that are inconclusive but have a name for the log. */
const INCONCLUSIVE: ReadonlyMap<number, string> = new Map([
  [52, NONCE_REFUSED],
  [64, 'REPLACEMENT_TRANSACTION_UNDERPRICED'],
]);

/** Gateway rejections that nodes forward under code 63. */
const GATEWAY: ReadonlyMap<string, Rejection['cause']> = new Map([
  ['MAX_GAS_AMOUNT_TOO_HIGH', 'call'],
  ['CALLDATA_TOO_LONG', 'call'],
  ['GAS_PRICE_TOO_LOW', 'price'],
]);

/**
 * Matches a gateway code where nodes write it: at the very beginning of the text, alone or in the
 * debug format of the error. Text at any other position may come from a contract or a user.
 */
const GATEWAY_CODE =
  /^(?:StarknetError \{ code: (?:Unknown|Known)\(")?(?:Stark(?:net)?ErrorCode\.)?([A-Z]+(?:_[A-Z]+)+)(?![A-Za-z0-9_])/;

/** Pattern of the account's balance check, which some nodes report as a failed validation. */
const UNPAYABLE_BOUNDS = /resources? bounds.*exceed balance/is;

/** Maximum length of a text that is searched, in characters. Longer texts are inconclusive. */
const MAX_TEXT = 20_000;

/**
 * Classifies the response to one send by its code. The text can only make a response less
 * conclusive, or name the cause of a conclusive response. Conclusive codes are exactly: 53, 54, 55
 * unless its text mentions the nonce or a proof that is too recent for the node, 56–58, 60–62, 65,
 * 69, and 63 with one of three gateway codes.
 */
export function classifySendAnswer(answer: RawAnswer): SendAnswer {
  if (answer.kind === 'failed') return unclear(answer.code);
  if (answer.kind === 'result')
    return Accepted.safeParse(answer.result).success
      ? { kind: 'taken' }
      : unclear('NODE_MALFORMED_ANSWER');
  const { code, message, data } = answer.error;
  if (code === DUPLICATE_TRANSACTION) return { kind: 'taken' };
  if (code === VALIDATION_FAILURE) return classifyValidationFailure(message, data);
  if (code === UNEXPECTED_ERROR) return classifyGatewayRejection(data);
  return CONCLUSIVE.get(code) ?? unclear(INCONCLUSIVE.get(code) ?? 'UNKNOWN_RPC_ERROR');
}

function classifyValidationFailure(message: string, data: unknown): SendAnswer {
  const texts = [message, ...textsIn(data)];
  if (texts.some((text) => text.length > MAX_TEXT || speaksOfNonce(text)))
    return unclear('VALIDATION_FAILURE');
  if (texts.some((text) => UNPAYABLE_BOUNDS.test(text)))
    return refused('INSUFFICIENT_ACCOUNT_BALANCE', 'funds');
  // Nodes check proof facts before the account validates, and report both with the same code.
  for (const text of texts) {
    const fault = proofFactsFault(text);
    if (fault !== null)
      return fault.isTransient
        ? unclear('PROOF_FACTS_TOO_RECENT')
        : refused('INVALID_PROOF_FACTS', 'call');
  }
  return refused('VALIDATION_FAILURE', 'account');
}

function classifyGatewayRejection(data: unknown): SendAnswer {
  if (typeof data !== 'string' || data.length > MAX_TEXT || speaksOfNonce(data))
    return unclear('UNEXPECTED_ERROR');
  const code = GATEWAY_CODE.exec(data)?.[1];
  const cause = code === undefined ? undefined : GATEWAY.get(code);
  return code === undefined || cause === undefined
    ? unclear('UNEXPECTED_ERROR')
    : refused(code, cause);
}

/** Returns true if the text contains "nonce" in any spelling, or as the hex of a short string. */
function speaksOfNonce(text: string): boolean {
  const letters = text.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /nonce/i.test(letters) || /[46]e[46]f[46]e[46]3[46]5/i.test(text);
}

/**
 * Returns a text unchanged. Returns any other value as JSON text, which includes its nested texts
 * and keys.
 */
function textsIn(data: unknown): readonly string[] {
  if (data === undefined || data === null) return [];
  return [typeof data === 'string' ? data : JSON.stringify(data)];
}
