/** Part of JSON Schema that the page displays. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly in: 'query' | 'path' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<
    Record<string, { readonly summary: string; readonly value: unknown }>
  >;
}

type Content = Readonly<Record<string, Media>>;

export interface Reply {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Content;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Reply>>;
}

/** An operation with its method and path. */
export interface Operation extends OperationObject {
  readonly method: string;
  readonly path: string;
}

/** Part of an OpenAPI 3.1 document that the page displays. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Returns the operations of a tag, in the document's sequence. */
export const operationsOf = ({ paths }: OpenApi, tag: string): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
      .filter(({ tags }) => tags.includes(tag)),
  );

/** True if the operation rejects a request without a token. */
export const needsToken = ({ security = [] }: Operation): boolean => security.length > 0;

const REFERENCE = '#/components/schemas/';

/** Returns the name of the schema to which a reference points. Null if there is no reference. */
const nameOf = ({ $ref }: Schema): string | null =>
  $ref?.startsWith(REFERENCE) === true ? $ref.slice(REFERENCE.length) : null;

/** Returns the schema to which a reference points, with its other members, or the schema itself. */
export function resolved(schema: Schema, { components }: OpenApi): Schema {
  const name = nameOf(schema);
  return name === null ? schema : { ...components.schemas[name], ...schema };
}

/** Returns the type of a value as text: `string`, `array of Pool`, `"a" or "b"`. */
export function typeOf(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].join(' or ');
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' with ');
  const types = [schema.type ?? 'any value'].flat();
  return types
    .map((type) => (type === 'array' && schema.items ? `array of ${typeOf(schema.items)}` : type))
    .join(' or ');
}

/** A named part of an object, with the depth at which the object contains it. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Returns the fields of an object, of the elements of an array, or of a union's objects. */
export function fieldsOf(schema: Schema, document: OpenApi): readonly Field[] {
  const found = resolved(schema, document);
  if (found.items !== undefined) return fieldsOf(found.items, document);
  const { properties = {}, required = [], anyOf = [], oneOf = [], allOf = [] } = found;
  const own = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }));
  const others = [...anyOf, ...oneOf, ...allOf].flatMap((part) => fieldsOf(part, document));
  return [...own, ...others.filter(({ name }) => !Object.hasOwn(properties, name))];
}
