import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { needsToken, type OpenApi, type Operation, type Reply } from './document.js';
import { Fields } from './fields.js';
import type { Known } from './prefill.js';
import { Line, Prose } from './prose.js';
import { TryForm } from './try-form.js';

interface OperationProps {
  readonly operation: Operation;
  readonly document: OpenApi;
  readonly known: Signal<Known>;
}

/** Entry of an operation. The content is created when the user opens the entry. */
export function OperationEntry({ operation, document, known }: OperationProps): JSX.Element {
  const { operationId: id, method, path, summary } = operation;
  const isOpen = useSignal(false);
  const entry = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const follow = (): void => {
      if (location.hash !== `#${id}` || entry.current === null) return;
      entry.current.open = true;
      entry.current.scrollIntoView();
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return (
    <details
      ref={entry}
      class="operation"
      id={id}
      onToggle={({ currentTarget }) => (isOpen.value ||= currentTarget.open)}
    >
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{' '}
        <span class="quiet">{summary}</span>
      </summary>
      {isOpen.value ? <Content operation={operation} document={document} known={known} /> : null}
    </details>
  );
}

function Content({ operation, document, known }: OperationProps): JSX.Element {
  const { operationId: id, description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return (
    <div class="content">
      <p class="small">
        <a href={`#${id}`}>Link to {id}</a>
      </p>
      {description === undefined ? null : <Prose text={description} />}
      {needsToken(operation) ? <p>This operation needs a token of the operator.</p> : null}
      <h3>Try it</h3>
      <TryForm operation={operation} known={known} />
      {body === undefined ? null : (
        <>
          <h3>Body</h3>
          <Fields schema={body} document={document} />
        </>
      )}
      <h3>Replies</h3>
      {Object.entries(responses).map(([status, reply]) => (
        <ReplyEntry key={status} status={status} reply={reply} document={document} />
      ))}
    </div>
  );
}

function ReplyEntry({
  status,
  reply: { description, headers = {}, content = {} },
  document,
}: {
  readonly status: string;
  readonly reply: Reply;
  readonly document: OpenApi;
}): JSX.Element {
  const isFailure = Number(status) >= 400;
  const [media] = Object.values(content);
  const [example] = Object.values(media?.examples ?? {});
  return (
    <details>
      <summary>
        {status}{' '}
        <span class="quiet">{isFailure ? codesIn(description) : <Line text={description} />}</span>
      </summary>
      {isFailure ? <Prose text={description} /> : null}
      {Object.entries(headers).map(([name, header]) => (
        <p key={name} class="small">
          Header <code>{name}</code>: <Line text={header.description ?? ''} />
        </p>
      ))}
      {media?.schema === undefined ? null : <Fields schema={media.schema} document={document} />}
      {example === undefined ? null : (
        <pre tabIndex={0} aria-label={`Example of ${status}`}>
          {typeof example.value === 'string'
            ? example.value
            : JSON.stringify(example.value, null, 2)}
        </pre>
      )}
    </details>
  );
}

/** Returns the error codes of a reply, such as `POOL_NOT_SUPPORTED, RATE_LIMITED`. */
const codesIn = (description: string): string =>
  [...description.matchAll(/^`([A-Z0-9_]+)`:/gm)].map(([, code]) => code).join(', ');
