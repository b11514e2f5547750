import type { JSX } from 'preact';
import { fieldsOf, resolved, typeOf, type OpenApi, type Schema } from './document.js';
import { Line } from './prose.js';

/** Depth of nested objects that the page shows, as schemas may contain themselves. */
const DEEPEST = 5;

/** List of the fields of an object or of an array's elements, with nested fields. */
export function Fields({
  schema,
  document,
  depth = 0,
}: {
  readonly schema: Schema;
  readonly document: OpenApi;
  readonly depth?: number;
}): JSX.Element | null {
  const fields = fieldsOf(schema, document);
  if (fields.length === 0 || depth > DEEPEST) return null;
  return (
    <ul class="fields">
      {fields.map(({ name, schema: field, isRequired }) => {
        const { description } = resolved(field, document);
        return (
          <li key={name}>
            <code>{name}</code>{' '}
            <span class="quiet small">
              {typeOf(field)}
              {isRequired ? '' : ', optional'}
            </span>
            {description === undefined ? null : (
              <>
                {' '}
                <Line text={description} />
              </>
            )}
            <Fields schema={field} document={document} depth={depth + 1} />
          </li>
        );
      })}
    </ul>
  );
}
