import { randomBytes } from 'node:crypto';
import { VARIABLES } from '@sotto/relayer';
import { readVariables } from '@sotto/settings';
import { DevError } from '../dev-error.js';

/** Settings of a process, as its caller has set them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A bearer token of the service. */
interface Token {
  readonly value: string;
  /** By the caller, and not made for this run. */
  readonly isGiven: boolean;
}

/** What opens the routes that are not for everybody. */
export interface Tokens {
  readonly curator: Token;
  readonly operator: Token;
}

const TOKEN_BYTES = 32;
const { CURATOR_API_TOKENS, OPERATOR_API_TOKENS } = VARIABLES;

/**
 * The tokens that the caller gives the service, of several the first; new ones where it gives none.
 * @throws DevError when one can't be read
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
