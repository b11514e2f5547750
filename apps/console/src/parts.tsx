import type { ComponentChildren, JSX } from 'preact';
import type { Action } from './actions.js';
import type { Failure } from './service.js';
import type { Session } from './session.js';
import { age, ageMs, failureSaid, short, timeOf, type Said } from './words.js';

export function Chip({ said: { tone, text } }: { readonly said: Said }): JSX.Element {
  return <span class={`chip ${tone}`}>{text}</span>;
}

/** Notice that some data of the page is missing or outdated, with the reason. */
export function Unread({
  what,
  failure,
}: {
  readonly what: string;
  readonly failure: Failure | null;
}): JSX.Element | null {
  if (failure === null) return null;
  return (
    <p class="notice bad">
      {what} could not be read. {failureSaid(failure)}.
    </p>
  );
}

/** Age of a time that the service reported. The displayed age is updated continually. */
export function Age({
  session,
  at,
}: {
  readonly session: Session;
  readonly at: number;
}): JSX.Element {
  const ms = ageMs(at * 1_000, session.status.value, session.nowMs.value);
  return (
    <time class="number" dateTime={new Date(at * 1_000).toISOString()} title={timeOf(at)}>
      {age(ms)}
    </time>
  );
}

export function Hash({ value }: { readonly value: string | null }): JSX.Element {
  return value === null ? (
    <span class="quiet">–</span>
  ) : (
    <code title={value} translate={false}>
      {short(value)}
    </code>
  );
}

export interface Column<T> {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly cell: (row: T) => ComponentChildren;
}

/**
 * Table that becomes one card per row on a phone. ARIA roles make it a table for assistive
 * technology in both layouts. The first cell of a row is the header of the row.
 */
export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
  empty,
}: {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly empty: string;
}): JSX.Element {
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  return (
    <table class="rows" role="table">
      <caption class="hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, isNumber }) => (
            <th key={name} scope="col" role="columnheader" class={isNumber ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ name, isNumber, cell }, place) =>
              place === 0 ? (
                <th key={name} scope="row" role="rowheader">
                  {cell(row)}
                </th>
              ) : (
                <td key={name} role="cell" data-name={name} class={isNumber ? 'number' : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Section of a view with a heading. */
export function Part({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const id = `part-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
  return (
    <section aria-labelledby={id}>
      <div class="heading">
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <p class="quiet small">{note}</p>}
      </div>
      {children}
    </section>
  );
}

/** Value with its name. */
export function Figure({
  name,
  value,
  unit,
  tone,
}: {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly unit?: string;
  readonly tone?: Said['tone'];
}): JSX.Element {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class={tone}>
        <span class="number">{value}</span>
        {unit === undefined ? null : <span class="unit"> {unit}</span>}
      </dd>
    </div>
  );
}

/** Button that opens the dialog of an action, in which the operator enters the reason. */
export function ActionButton({
  session,
  action,
}: {
  readonly session: Session;
  readonly action: Action;
}): JSX.Element {
  return (
    <button
      type="button"
      class="plain small"
      aria-label={action.title}
      onClick={() => (session.action.value = action)}
    >
      {action.verb}
    </button>
  );
}
