import type { ErrorCode } from '@sotto/facts';

/** Codes of the HTTP boundary, by the property of a route that makes these codes possible. */
export const BOUNDARY_CODES = {
  input: ['INVALID_REQUEST'],
  body: ['INVALID_JSON', 'UNSUPPORTED_CONTENT_TYPE', 'BODY_TOO_LARGE'],
  felts: ['INVALID_FELT'],
  limited: ['RATE_LIMITED'],
  inFlight: ['TOO_MANY_IN_FLIGHT', 'OVERLOADED'],
  curator: ['CURATOR_UNAUTHORIZED', 'CURATOR_DISABLED'],
  operator: ['OPERATOR_UNAUTHORIZED', 'OPERATOR_DISABLED'],
  always: ['INTERNAL'],
  rpc: ['BODY_TOO_LARGE'],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;

type BoundaryCode<Key extends keyof typeof BOUNDARY_CODES> = (typeof BOUNDARY_CODES)[Key][number];

/** Properties of a route that determine which boundary codes the route can return. */
interface Shape {
  readonly body?: unknown;
  readonly felts?: true;
  readonly limitedAs: 'reads' | 'quotes' | 'submissions' | null;
  readonly credential?: 'curator' | 'operator';
  readonly errors: readonly ErrorCode[];
  readonly rpc?: { readonly errors: readonly ErrorCode[] };
}

/** Union of all error codes that a failure of the route can have. */
export type CodeOf<D extends Shape> =
  | D['errors'][number]
  | (D extends { readonly rpc: object } ? BoundaryCode<'rpc'> : BoundaryCode<'input' | 'always'>)
  | (D extends { readonly rpc: object }
      ? never
      : D extends { readonly body: object }
        ? BoundaryCode<'body'>
        : never)
  | (D extends { readonly felts: true } ? BoundaryCode<'felts'> : never)
  | (D['limitedAs'] extends null ? never : BoundaryCode<'limited'>)
  | (D['limitedAs'] extends 'submissions' ? BoundaryCode<'inFlight'> : never)
  | (D extends { readonly credential: infer C extends 'curator' | 'operator' }
      ? BoundaryCode<C>
      : never);

/**
 * Returns the codes of `CodeOf` as values, in the sequence in which documents list them. A JSON-RPC
 * endpoint has only the codes of errors whose HTTP status is not 200.
 */
export function codesOf({
  body,
  felts,
  errors,
  limitedAs,
  credential,
  rpc,
}: Shape): readonly ErrorCode[] {
  const ofBody = body === undefined ? [] : BOUNDARY_CODES.body;
  return [
    ...(rpc === undefined ? [...BOUNDARY_CODES.input, ...ofBody] : BOUNDARY_CODES.rpc),
    ...(felts === true ? BOUNDARY_CODES.felts : []),
    ...(limitedAs === null ? [] : BOUNDARY_CODES.limited),
    ...(limitedAs === 'submissions' ? BOUNDARY_CODES.inFlight : []),
    ...(credential === undefined ? [] : BOUNDARY_CODES[credential]),
    ...errors,
    ...(rpc === undefined ? BOUNDARY_CODES.always : []),
  ];
}

/** Returns all codes that the route's errors can have, including those in error objects. */
export function declaredCodesOf(definition: Shape): readonly ErrorCode[] {
  const { rpc } = definition;
  if (rpc === undefined) return codesOf(definition);
  const { input, body, felts, always } = BOUNDARY_CODES;
  return [...codesOf(definition), ...input, ...body, ...felts, ...always, ...rpc.errors];
}
