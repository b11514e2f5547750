import { randomBytes } from 'node:crypto';
import { VARIABLES } from '@sotto/relayer';
import { readVariables } from '@sotto/settings';
import { DevError } from '../dev-error.js';

/** Environment variables of a process, set by its caller. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Bearer token for protected routes of the service. */
interface Token {
  readonly value: string;
  /** True if the caller provided the bearer token, false if it was generated for this run. */
  readonly isGiven: boolean;
}

/** Bearer tokens for the protected routes. */
export interface Tokens {
  readonly curator: Token;
  readonly operator: Token;
}

const TOKEN_BYTES = 32;
const { CURATOR_API_TOKENS, OPERATOR_API_TOKENS } = VARIABLES;

/**
 * Returns the caller's bearer tokens for the service. If the caller has set several tokens for a
 * role, returns the first token. Missing tokens are generated.
 * @throws DevError if a bearer token is unreadable
 */
export function tokensOf(given: Environment): Tokens {
  const { values, problems } = readVariables({ CURATOR_API_TOKENS, OPERATOR_API_TOKENS }, [], {
    env: given,
  });
  if (values === null || problems.length > 0) throw new DevError(problems.join('\n'));
  return {
    curator: token(values.CURATOR_API_TOKENS?.[0]?.token),
    operator: token(values.OPERATOR_API_TOKENS?.[0]?.token),
  };
}

function token(given: { reveal(): string } | undefined): Token {
  return given === undefined
    ? { value: randomBytes(TOKEN_BYTES).toString('hex'), isGiven: false }
    : { value: given.reveal(), isGiven: true };
}
