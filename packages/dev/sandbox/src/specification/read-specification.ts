import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

type Node = { readonly [key: string]: unknown };

interface SpecErrorEntry {
  readonly code: number;
  readonly message: string;
  /**
   * Type of the error's data: the text `string` or a schema; undefined if the error has no data.
   */
  readonly data?: unknown;
}

/** Machine-readable specification of JSON-RPC, against which replies are checked. */
export interface Specification {
  readonly methods: ReadonlySet<string>;
  /** Returns the reason why a result violates the specification; undefined if it conforms. */
  findResultProblem(method: string, result: unknown): string | undefined;
  /**
   * Returns the reason why a notification's parameters violate the specification; undefined if they
   * conform.
   */
  findNotificationProblem(method: string, params: unknown): string | undefined;
  /**
   * Returns the reason why an error object violates the specification of its method; undefined if
   * it conforms.
   */
  findErrorProblem(method: string, error: unknown): string | undefined;
}

/**
 * Ids of the specification's files. References between the files use the path `api/…` of the first
 * file, relative to the other files.
 */
const FILES: Readonly<Record<string, string>> = {
  'starknet_api_openrpc.json': 'http://specification/api/starknet_api_openrpc.json',
  'starknet_trace_api_openrpc.json': 'http://specification/starknet_trace_api_openrpc.json',
  'starknet_write_api.json': 'http://specification/starknet_write_api.json',
  'starknet_ws_api.json': 'http://specification/starknet_ws_api.json',
};

/** Reads the OpenRPC files of the specification from a folder. */
export function readSpecification(folder: string): Specification {
  const ajv = new Ajv({ strict: false, allErrors: false });
  const documents = new Map(
    Object.entries(FILES).map(([file, id]) => [id, toSchema(readJson(join(folder, file)))]),
  );
  for (const [id, document] of documents) ajv.addSchema(document, id);

  const results = new Map<string, ValidateFunction>();
  const notifications = new Map<string, ValidateFunction>();
  const errors = new Map<
    string,
    readonly { entry: SpecErrorEntry; checkData: ValidateFunction | undefined }[]
  >();
  for (const [id, document] of documents) {
    list(document['methods']).forEach((method, index) => {
      const name = String(method['name']);
      if (method['result'] === undefined) {
        notifications.set(name, ajv.compile(paramsOf(method, `${id}#/methods/${index}`)));
        return;
      }
      results.set(name, ajv.compile({ $ref: `${id}#/methods/${index}/result/schema` }));
      const pointers = list(method['errors']).map(
        (error) => new URL(String(error['$ref']), id).href,
      );
      errors.set(
        name,
        pointers.map((pointer) => ({
          entry: errorAt(documents, pointer),
          checkData: compileData(ajv, documents, pointer),
        })),
      );
    });
  }
  return {
    methods: new Set(results.keys()),
    findResultProblem: (method, result) => {
      const validate = results.get(method);
      if (validate === undefined) return 'the specification has no such method';
      return validate(result) ? undefined : ajv.errorsText(validate.errors);
    },
    findNotificationProblem: (method, params) => {
      const validate = notifications.get(method);
      if (validate === undefined) return 'the specification has no such notification';
      return validate(params) ? undefined : ajv.errorsText(validate.errors);
    },
    findErrorProblem: (method, error) => {
      const { code, message, data, ...rest } = object(error);
      if (Object.keys(rest).length > 0) return 'an error has code, message and data';
      const known = errors.get(method)?.find(({ entry }) => entry.code === code);
      if (known === undefined) return `${String(code)} is no error of this method`;
      if (message !== known.entry.message)
        return `the message of ${String(code)} is "${known.entry.message}"`;
      if (known.entry.data === undefined)
        return data === undefined ? undefined : `${String(code)} has no data`;
      if (known.entry.data === 'string')
        return typeof data === 'string' ? undefined : `the data of ${String(code)} are a string`;
      if (known.checkData === undefined) return 'the data schema could not be read';
      return known.checkData(data) ? undefined : ajv.errorsText(known.checkData.errors);
    },
  };
}

/**
 * Converts an OpenRPC document to plain JSON Schema. The document differs from JSON Schema in three
 * points:
 * - some schemas are wrapped in a `schema` member,
 * - some `required` members are a single name instead of a list,
 * - some `oneOf` members have two alternatives that both match a closed block, because a closed
 *   block also has all fields that a pre-confirmed block requires.
 */
function toSchema(value: unknown): Node {
  return object(simplify(value, ''));
}

function simplify(value: unknown, parent: string): unknown {
  if (Array.isArray(value)) return value.map((item) => simplify(item, parent));
  if (typeof value !== 'object' || value === null) return value;
  const node = object(value);
  const wrapped = node['schema'];
  const isNamed = node['name'] !== undefined && (parent === 'params' || parent === 'result');
  const isWrapper = wrapped !== undefined && !isNamed && parent !== 'properties';
  if (isWrapper) return simplify(wrapped, parent);
  const entries = Object.entries(node).map(([key, member]) => {
    if (key === 'required' && typeof member === 'string') return [key, [member]];
    if (key === 'required' && typeof member === 'boolean') return ['isRequired', member];
    return [key === 'oneOf' ? 'anyOf' : key, simplify(member, key)];
  });
  return Object.fromEntries(entries);
}

/** Returns a schema for all parameters of a notification, by name. */
function paramsOf(method: Node, pointer: string): Node {
  const names = list(method['params']).map(({ name }) => String(name));
  return {
    type: 'object',
    required: names,
    additionalProperties: false,
    properties: Object.fromEntries(
      names.map((name, index) => [name, { $ref: `${pointer}/params/${index}/schema` }]),
    ),
  };
}

function errorAt(documents: ReadonlyMap<string, Node>, pointer: string): SpecErrorEntry {
  const [id = '', path = ''] = pointer.split('#');
  const found = path
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => object(node)[key], documents.get(id));
  const { code, message, data } = object(found);
  return { code: Number(code), message: String(message), data };
}

function compileData(
  ajv: Ajv,
  documents: ReadonlyMap<string, Node>,
  pointer: string,
): ValidateFunction | undefined {
  const { data } = errorAt(documents, pointer);
  return typeof data === 'object' ? ajv.compile({ $ref: `${pointer}/data` }) : undefined;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function object(value: unknown): Node {
  if (typeof value !== 'object' || value === null)
    throw new TypeError('expected an object in the specification');
  return Object.fromEntries(Object.entries(value));
}

function list(value: unknown): Node[] {
  return Array.isArray(value) ? value.map(object) : [];
}
