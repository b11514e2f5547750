import { readFileSync } from 'node:fs';
import { NamedTokens, type NamedToken } from '@sotto/settings';
import type { Command } from 'commander';
import type * as z from 'zod';
import { causeSuffix } from './cause.js';
import { CannotRun, EXIT, type Environment } from './terminal.js';

export interface ServiceOptions {
  readonly url?: string;
  readonly json?: true;
}

/** Adds the options of a command that queries a running service. */
export const queriesService = (command: Command): Command =>
  command
    .option('--url <URL>', 'where the service is; default: SOTTO_URL')
    .option('--json', 'the result as JSON')
    .addHelpText(
      'after',
      '\nThe token is read from OPERATOR_API_TOKEN, or from the file that OPERATOR_API_TOKEN_FILE names. Without it, the one token of OPERATOR_API_TOKENS is used.',
    );

/**
 * Error for a service, or a proxy in front of it, that is temporarily unavailable. The request may
 * be repeated.
 */
export class ServiceAway extends CannotRun {
  override readonly name = 'ServiceAway';
}

/**
 * HTTP statuses that a starting or busy service returns, or a proxy whose backend is unavailable.
 */
const AWAY: readonly number[] = [408, 429, 500, 502, 503, 504];

/** URL of a running service, with the authorization header for its operator's routes. */
export interface OperatedService {
  readonly baseUrl: string;
  readonly headers: { readonly authorization: string };
}

/** @throws CannotRun if the URL or the API token is missing */
export function operatedService({ url }: ServiceOptions, env: Environment): OperatedService {
  const baseUrl = url ?? env['SOTTO_URL'];
  if (baseUrl === undefined || !URL.canParse(baseUrl))
    throw new CannotRun(
      'where is the service? Set SOTTO_URL, or give --url, such as http://127.0.0.1:3000',
    );
  const headers = { authorization: `Bearer ${tokenIn(env)}` };
  return { baseUrl, headers };
}

/** Returns the URL of a path of the service, below the path prefix of a proxy. */
export function addressOf(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  return url;
}

/**
 * Returns the operator's API token, or the only API token in the service's environment. If there
 * are several tokens it throws, because the caller's name would be ambiguous.
 */
function tokenIn(env: Environment): string {
  const own = textIn(env, 'OPERATOR_API_TOKEN');
  if (own !== null) return own;
  const [only, ...others] = tokensOfService(env);
  if (only !== undefined && others.length === 0) return only.token.reveal();
  throw new CannotRun(
    'no operator’s token: set OPERATOR_API_TOKEN, or OPERATOR_API_TOKEN_FILE to a file that holds it',
  );
}

function tokensOfService(env: Environment): readonly NamedToken[] {
  const text = textIn(env, 'OPERATOR_API_TOKENS');
  if (text === null) return [];
  const tokens = NamedTokens.safeParse(text);
  if (!tokens.success) throw new CannotRun('OPERATOR_API_TOKENS: must be {"name": "token"}');
  return tokens.data;
}

/**
 * Returns the value of a variable, or the content of the file in the variable `…_FILE`. Null if
 * neither variable is set.
 */
function textIn(env: Environment, name: string): string | null {
  const [text, file] = [env[name], env[`${name}_FILE`]];
  if (text !== undefined && text !== '') return text;
  if (file === undefined || file === '') return null;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new CannotRun(`${name}_FILE: cannot be read`);
  }
}

/** Fields of a route's definition that a request needs. */
interface RequestedRoute<S extends z.ZodType> {
  readonly method: string;
  readonly path: string;
  readonly replies: { readonly 200: { readonly schema: S } };
}

interface Question {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
}

/**
 * Sends the request and returns the body of a successful response, validated against its route.
 * @throws CannotRun with the error code, or with the reason why the service is unreachable
 */
export async function request<S extends z.ZodType>(
  { baseUrl, headers }: OperatedService,
  { method, path, replies }: RequestedRoute<S>,
  { query = {}, body }: Question = {},
): Promise<z.output<S>> {
  const url = addressOf(baseUrl, path);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new ServiceAway(`the service can not be reached${causeSuffix(cause)}`);
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw rejection(response.status, answer);
  const read = replies[200].schema.safeParse(answer);
  if (!read.success)
    throw new CannotRun('this release of `sotto` does not understand the answer of the service');
  return read.data;
}

const ANSWER_MS = 15_000;

/** Converts a rejection of the service to an error of the command. */
export function rejection(status: number, body: unknown): CannotRun {
  const code = codeIn(body);
  const message = `the service refuses with ${status}${code === null ? '' : ` ${code}`}`;
  if (AWAY.includes(status)) return new ServiceAway(message);
  return new CannotRun(message, status === 404 ? EXIT.fault : EXIT.notRun);
}

function codeIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('code' in body && typeof body.code === 'string') return body.code;
  return 'error' in body ? codeIn(body.error) : null;
}
