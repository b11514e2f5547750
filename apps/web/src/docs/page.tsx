import { batch, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Pools } from '../service.js';
import { Top } from '../top.js';
import { operationsOf, type OpenApi } from './document.js';
import { OperationEntry } from './operation.js';
import type { Known } from './prefill.js';
import { Prose } from './prose.js';

const NOTHING: Known = { pools: null, submission: null, proof: null, transfer: null };

/** Returns the JSON at this path of the service. @throws Error if it can't be read */
async function json<T>(path: string): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${path} answers ${String(response.status)}`);
  return response.json();
}

/** Page with every operation of the interface, which it reads from the OpenAPI document. */
export function Page(): JSX.Element {
  const read = useSignal<OpenApi | null>(null);
  const known = useSignal(NOTHING);
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    const pools = json<Pools>('/api/relayer/pools').catch(() => null);
    Promise.all([json<OpenApi>('/openapi.json'), pools]).then(
      ([document, list]) =>
        batch(() => {
          known.value = { ...known.value, pools: list };
          read.value = document;
        }),
      () => (problem.value = 'The OpenAPI document can’t be read now. Load the page again.'),
    );
  }, []);
  const document = read.value;
  return (
    <>
      <Top>
        <li>
          <a href="/">This service</a>
        </li>
      </Top>
      <main id="content">
        <section class="lead" aria-labelledby="title">
          <h1 id="title">Interface</h1>
          {document === null ? (
            <p class="quiet">{problem.value ?? 'Reading …'}</p>
          ) : (
            <>
              <Prose text={document.info.description} />
              <nav aria-label="Groups">
                <ul class="groups">
                  {document.tags.map(({ name }) => (
                    <li key={name}>
                      <a href={`#tag-${name}`}>{name}</a>
                    </li>
                  ))}
                </ul>
              </nav>
            </>
          )}
        </section>
        {document?.tags.map(({ name, description }) => (
          <section key={name} aria-labelledby={`tag-${name}`}>
            <h2 id={`tag-${name}`}>{name}</h2>
            <Prose text={description} />
            {operationsOf(document, name).map((operation) => (
              <OperationEntry
                key={operation.operationId}
                operation={operation}
                document={document}
                known={known}
              />
            ))}
          </section>
        ))}
      </main>
      <footer class="quiet small">
        <p>
          This page sends requests to this service alone. It sets no cookie and stores nothing about
          you.
        </p>
      </footer>
    </>
  );
}
