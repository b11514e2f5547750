import { z } from 'zod';
import type { Chain } from '../engine/chain.js';
import type { Gateway } from '../engine/gateway.js';
import type { InvokeTransaction } from '../engine/transaction.js';
import type { ChainView } from '../engine/view.js';
import type { Json } from '../json.js';

/** Objects and callbacks that the RPC methods use. */
export interface MethodContext {
  readonly chain: Chain;
  readonly gateway: Gateway;
  /** Returns the node's current view of the chain. */
  view(): ChainView;
  /** Called with every delivered transaction, even if the node rejects it. */
  readonly onDelivery: (transaction: InvokeTransaction) => void;
}

/** Error of a request whose parameters do not match the method. */
export class InvalidParams extends Error {}

/** RPC method: a function from unparsed parameters to a result. */
export type Method = (params: unknown, context: MethodContext) => Json;

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * Defines a method from the schemas of its parameters, in the order of positional parameters.
 * @throws InvalidParams if a parameter is invalid or unknown
 */
export function defineMethod<const S extends Shape>(
  shape: S | ((context: MethodContext) => S),
  handle: (params: z.output<z.ZodObject<S>>, context: MethodContext) => Json,
): Method {
  const schemas = new WeakMap<MethodContext, z.ZodObject<S>>();
  const schemaFor = (context: MethodContext): z.ZodObject<S> => {
    const known = schemas.get(context);
    if (known !== undefined) return known;
    const schema = z.strictObject(typeof shape === 'function' ? shape(context) : shape);
    schemas.set(context, schema);
    return schema;
  };
  return (raw, context) => {
    const schema = schemaFor(context);
    const parsed = schema.safeParse(byName(raw, Object.keys(schema.shape)));
    if (!parsed.success) throw new InvalidParams(z.prettifyError(parsed.error));
    return handle(parsed.data, context);
  };
}

function byName(raw: unknown, names: readonly string[]): unknown {
  if (raw === undefined) return {};
  if (!Array.isArray(raw)) return raw;
  if (raw.length > names.length)
    throw new InvalidParams(`expected at most ${names.length} parameters`);
  const values: readonly unknown[] = raw;
  return Object.fromEntries(values.map((value, index) => [names[index], value]));
}
