import { useSignal, type Signal } from '@preact/signals';
import type { JSX, TargetedSubmitEvent } from 'preact';
import { needsToken, type Operation, type Parameter } from './document.js';
import { parametersOf, prefillOf, type Known } from './prefill.js';
import { Line } from './prose.js';
import { requestOf, send, type Received } from './send.js';

interface TryProps {
  readonly operation: Operation;
  readonly known: Signal<Known>;
}

/** Form that sends the operation's request to this service, and shows the response. */
export function TryForm({ operation, known }: TryProps): JSX.Element {
  const prefill = prefillOf(operation, known.value);
  const typed = useSignal<Readonly<Record<string, string>>>({});
  const typedBody = useSignal<string | null>(null);
  const token = useSignal('');
  const received = useSignal<Received | string | null>(null);
  const isSending = useSignal(false);
  const { operationId: id, method, requestBody } = operation;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    const filled = {
      parameters: { ...prefill.parameters, ...typed.value },
      body: typedBody.value ?? prefill.body,
      token: token.value,
    };
    send(requestOf(operation, filled), (part) => (received.value = part))
      .then(
        (last) => (known.value = learned(known.value, filled.body, last)),
        () => (received.value = 'The service does not answer.'),
      )
      .finally(() => (isSending.value = false));
  };
  return (
    <form onSubmit={submit}>
      {prefill.note === null ? null : <p class="small">{prefill.note}</p>}
      {needsToken(operation) ? (
        <label>
          Token
          <input
            type="password"
            required
            autocomplete="off"
            value={token}
            onInput={({ currentTarget }) => (token.value = currentTarget.value)}
          />
        </label>
      ) : null}
      {parametersOf(operation).map((parameter) => (
        <ParameterField
          key={parameter.name}
          id={`${id}-${parameter.name}`}
          parameter={parameter}
          value={typed.value[parameter.name] ?? prefill.parameters[parameter.name] ?? ''}
          onValue={(value) => (typed.value = { ...typed.value, [parameter.name]: value })}
        />
      ))}
      {prefill.body === null ? null : (
        <label>
          Body, as JSON
          <textarea
            rows={Math.min(14, (typedBody.value ?? prefill.body).split('\n').length + 1)}
            spellcheck={false}
            required={requestBody?.required === true}
            value={typedBody.value ?? prefill.body}
            onInput={({ currentTarget }) => (typedBody.value = currentTarget.value)}
          />
        </label>
      )}
      <button type="submit" aria-disabled={isSending}>
        Send {method} request
      </button>
      <Output received={received.value} />
    </form>
  );
}

function ParameterField({
  id,
  parameter: { name, in: place, required = false, description, schema },
  value,
  onValue,
}: {
  readonly id: string;
  readonly parameter: Parameter;
  readonly value: string;
  readonly onValue: (value: string) => void;
}): JSX.Element {
  const about = `${id}-about`;
  const choices = schema.enum?.map(String);
  const shared = {
    id,
    value,
    'aria-describedby': about,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onValue(currentTarget.value),
  };
  return (
    <div class="parameter">
      <label for={id}>
        <code>{name}</code>{' '}
        <span class="quiet small">
          {place}
          {required ? '' : ', optional'}
        </span>
      </label>
      {choices === undefined ? (
        <input {...shared} required={required} spellcheck={false} autocomplete="off" />
      ) : (
        <select {...shared} required={required}>
          <option value="">not sent</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
      <p id={about} class="quiet small">
        <Line text={description ?? schema.description ?? ''} />
      </p>
    </div>
  );
}

function Output({ received }: { readonly received: Received | string | null }): JSX.Element {
  if (received === null || typeof received === 'string')
    return (
      <p class="output" role="status">
        {received}
      </p>
    );
  const { status, ms, location, text } = received;
  return (
    <>
      <p class="output" role="status">
        <span class={status < 400 ? 'good' : 'bad'}>Status {status}</span>
        <span class="quiet">
          , after {ms} ms{location === null ? '' : `, Location: ${location}`}
        </span>
      </p>
      {text === '' ? null : (
        <pre tabIndex={0} aria-label="Response">
          {text}
        </pre>
      )}
    </>
  );
}

const SUBMISSION = /\/api\/relayer\/submissions\/([\w-]+)$/;

/** Adds the values of a successful response that other operations need. */
function learned(known: Known, body: string | null, { status, location, text }: Received): Known {
  if (status >= 300) return known;
  const [, submission] = SUBMISSION.exec(location ?? '') ?? [];
  const [, transfer] = /"transaction_id": "([^"]+)"/.exec(text) ?? [];
  return {
    ...known,
    ...(submission === undefined ? {} : { submission }),
    ...(submission !== undefined && body?.includes('"calldata"') === true ? { proof: body } : {}),
    ...(transfer === undefined ? {} : { transfer }),
  };
}
