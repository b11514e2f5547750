import type { Operation } from './document.js';
import { parametersOf } from './prefill.js';

/** Values of an operation's form. */
export interface Filled {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Token of an operator or curator. Empty if there is none. */
  readonly token: string;
}

/** Builds the path and the options of the request. Empty parameters are omitted. */
export function requestOf(
  operation: Operation,
  { parameters, body, token }: Filled,
): { readonly path: string; readonly init: RequestInit } {
  const query = new URLSearchParams();
  const headers = new Headers();
  let { path } = operation;
  for (const { in: place, name } of parametersOf(operation)) {
    const value = parameters[name] ?? '';
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (place === 'query') query.set(name, value);
    else headers.set(name, value);
  }
  if (token !== '') headers.set('authorization', `Bearer ${token}`);
  const hasBody = body !== null && body !== '';
  if (hasBody) headers.set('content-type', 'application/json');
  return {
    path: query.size === 0 ? path : `${path}?${String(query)}`,
    init: { method: operation.method, headers, ...(hasBody ? { body } : {}) },
  };
}

/** A response of the service, of which the text may still grow. */
export interface Received {
  readonly status: number;
  readonly ms: number;
  readonly location: string | null;
  readonly text: string;
}

/**
 * Sends a request and reports the response each time that more of it has arrived.
 * @throws Error if no response arrives
 */
export async function send(
  { path, init }: ReturnType<typeof requestOf>,
  onReceived: (received: Received) => void,
): Promise<Received> {
  const startedMs = performance.now();
  const response = await fetch(path, init);
  const ms = Math.round(performance.now() - startedMs);
  const { status, headers } = response;
  const received = (text: string): Received => ({
    status,
    ms,
    location: headers.get('location'),
    text,
  });
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  const decoder = new TextDecoder();
  let text = '';
  onReceived(received(text));
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true });
    if (!isJson) onReceived(received(text));
  }
  const last = received(isJson ? pretty(text) : text);
  onReceived(last);
  return last;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
