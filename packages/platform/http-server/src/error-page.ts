import { RETRIES, STATUS_BY_KIND, type ErrorEntry } from '@sotto/facts';
import { html, pageOf } from './page.js';

/** An error as the OpenAPI document and the page list it. */
export interface DocumentedError extends ErrorEntry {
  readonly code: string;
}

/**
 * Path of the page that lists every error. The `id`s of its sections are the codes and never
 * change.
 */
export const ERROR_PAGE = '/docs/errors';

/** Returns the link to a code's entry on the page, relative to the service. */
export const errorLink = (code: string): string => `${ERROR_PAGE}#${code}`;

/** Renders the page that is served at {@link ERROR_PAGE}. */
export function errorPage(title: string, errors: readonly DocumentedError[]): string {
  const byCode = errors.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  return pageOf({
    title: `${title}: errors`,
    body: `    <main>
      <p><a href="/docs">Interface</a></p>
      <h1>Errors</h1>
      <p>Every failure has a <code>code</code>; codes are stable, sentences are not. The value of <code>retry</code> names the treatment of the request by a program:</p>
      <dl>
${Object.entries(RETRIES)
  .map(
    ([retry, meaning]) =>
      `        <dt id="${retry}">${retry}</dt>\n        <dd>${html(meaning)}</dd>`,
  )
  .join('\n')}
      </dl>
${byCode.map(section).join('\n')}
    </main>`,
  });
}

const section = ({ code, kind, meaning, remedy, retry }: DocumentedError): string =>
  `      <section id="${code}">
        <h2><a href="#${code}">${code}</a></h2>
        <p class="facts">Status ${STATUS_BY_KIND[kind]}, retry: <a href="#${retry}">${retry}</a></p>
        <p>${html(meaning)}</p>
        <p>${html(remedy)}</p>
      </section>`;
