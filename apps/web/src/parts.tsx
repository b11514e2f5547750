import type { ComponentChildren, JSX } from 'preact';
import type { Failure } from './service.js';

export const Waiting = (): JSX.Element => <p class="quiet">Reading …</p>;

/** Notice that some data of the page is missing, with the reason. */
export function Unread({
  what,
  failure,
}: {
  readonly what: string;
  readonly failure: Failure;
}): JSX.Element {
  return (
    <div class="notice">
      <p>
        {what} can’t be read now: {failure.message.replace(/\.$/, '')}.{' '}
        {failure.code === null ? null : (
          <>
            The service calls it <a href={`/docs/errors#${failure.code}`}>{failure.code}</a>.
          </>
        )}{' '}
        The page tries again automatically.
      </p>
    </div>
  );
}

/** Entry of a list of facts, with its name. */
export function Fact({
  name,
  isWide = false,
  children,
}: {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={isWide ? 'wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
