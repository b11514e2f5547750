import { isValidElement, type ComponentType } from 'preact';

interface Element {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/**
 * Yields the elements and texts of a page in order. All components of the page must be stateless.
 */
function* rendered(node: unknown): Generator<Element | string> {
  if (typeof node === 'string' || typeof node === 'number') yield String(node);
  if (Array.isArray(node)) for (const child of node) yield* rendered(child);
  if (!isValidElement(node)) return;
  const { type, props } = node;
  if (typeof type === 'string') {
    yield { type, props: { ...props } };
    yield* rendered(props.children);
  } else yield* rendered(called(type, props));
}

/** Calls a component with its properties and returns its output. */
const called = (component: ComponentType, props: object): unknown =>
  // CAST: the console has no component that is a class.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  (component as (given: object) => unknown)(props);

/** Returns the text content of a page. */
export const textOf = (page: unknown): string =>
  [...rendered(page)]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Presses each button of a page, in order. */
export function* pressed(page: unknown): Generator<Element> {
  for (const part of rendered(page))
    if (typeof part !== 'string' && part.type === 'button') {
      const { onClick } = part.props;
      if (typeof onClick !== 'function') throw new Error('a button does nothing');
      onClick();
      yield part;
    }
}
