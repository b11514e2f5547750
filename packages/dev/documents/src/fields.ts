import { z } from 'zod';

/** Fields of a JSON schema that the rendered lists use. */
interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
}
const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    items: Schema.optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
  }),
);
const Content = z.record(z.string(), z.object({ schema: Schema.optional() }));
const Operation = z.object({
  summary: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: Schema.optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});

interface Row {
  readonly part: string;
  readonly field: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/**
 * Maximum depth of the listed fields. Objects below this depth are described only in the OpenAPI
 * document.
 */
const MAX_DEPTH = 4;

/**
 * Renders docs/reference/fields.md: the fields of each route's request and of its response with
 * status 200.
 * @param openApi OpenAPI document of the service
 */
export function renderFields(openApi: object): string {
  const { paths, components } = Document.parse(openApi);
  const sections = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => [
      `## ${method.toUpperCase()} ${path}`,
      '',
      `${operation.summary}.`,
      '',
      ...listOf(rowsOf(operation, components.schemas)),
      '',
    ]),
  );
  return [
    '# Fields of every route',
    '',
    '<!-- Generated from the OpenAPI document; regenerate with `pnpm --filter @sotto/api run docs:write`. -->',
    '',
    'Requests and answers with status 200. [openapi.json](openapi.json) has limits and examples too, and [errors.md](errors.md) all failures.',
    '',
    ...sections,
  ].join('\n');
}

function schemaIn(content: z.output<typeof Content> | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}

type Schemas = Readonly<Record<string, Schema>>;

function rowsOf(
  { parameters, requestBody, responses }: z.output<typeof Operation>,
  schemas: Schemas,
): readonly Row[] {
  return [
    ...parameters.map(({ name, in: part, required = false, description = '', schema = {} }) => ({
      part,
      field: name,
      type: typeOf(schema, schemas),
      isRequired: required,
      description,
    })),
    ...fieldsOf('body', schemaIn(requestBody?.content), schemas),
    ...fieldsOf('answer', schemaIn(responses['200']?.content), schemas),
  ];
}

/** Returns one row for each field of an object, including the fields of nested objects. */
function fieldsOf(
  part: string,
  schema: Schema | undefined,
  schemas: Schemas,
  prefix = '',
  depth = 0,
): readonly Row[] {
  if (schema === undefined || depth > MAX_DEPTH) return [];
  const { properties, required = [], items, anyOf, oneOf } = resolved(schema, schemas);
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) {
    const rows = alternatives.flatMap((each) => fieldsOf(part, each, schemas, prefix, depth));
    return [...new Map(rows.map((row) => [row.field, row])).values()];
  }
  if (items !== undefined) return fieldsOf(part, items, schemas, `${prefix}[]`, depth + 1);
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const field = prefix === '' ? name : `${prefix}.${name}`;
    const description = property.description ?? resolved(property, schemas).description ?? '';
    return [
      {
        part,
        field,
        type: typeOf(property, schemas),
        isRequired: required.includes(name),
        description,
      },
      ...fieldsOf(part, property, schemas, field, depth + 1),
    ];
  });
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, items, anyOf, oneOf, enum: values, const: only } = resolved(schema, schemas);
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined)
    return [...new Set(alternatives.map((each) => typeOf(each, schemas)))].join(' or ');
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (items !== undefined) return `list of ${typeOf(items, schemas)}`;
  return [type ?? 'any'].flat().join(' or ');
}

/**
 * Renders the rows as a list. The formatter would pad all cells of a table to the length of the
 * longest description.
 */
function listOf(rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return ['No fields.'];
  return rows.map(({ part, field, type, isRequired, description }) => {
    const text = description === '' ? '' : `: ${description.replaceAll('\n', ' ')}`;
    return `- ${part} \`${field}\` (${type}${isRequired ? '' : ', optional'})${text}`;
  });
}
