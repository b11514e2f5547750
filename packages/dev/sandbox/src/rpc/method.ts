import { z } from 'zod';
import type { Chain } from '../engine/chain.js';
import type { Gateway } from '../engine/gateway.js';
import type { InvokeTransaction } from '../engine/transaction.js';
import type { ChainView } from '../engine/view.js';
import type { Json } from '../json.js';

/** What the methods work on. */
export interface MethodContext {
  readonly chain: Chain;
  readonly gateway: Gateway;
  /** What the node says it knows at this moment. */
  view(): ChainView;
  /** Receives every delivered transaction, whatever its outcome. */
  readonly onDelivery: (transaction: InvokeTransaction) => void;
}

/** The parameters do not fit the method. */
export class InvalidParams extends Error {}

/** One RPC method, from raw parameters to its result. */
export type Method = (params: unknown, context: MethodContext) => Json;

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * A method with named parameters, in the order in which they come when sent by position.
 * @throws InvalidParams when they do not parse; parameters that the method does not have are an
 *   error too
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
