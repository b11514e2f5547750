import type { ComponentChildren, JSX } from 'preact';
import iconUrl from './icon.svg';

/** Head of a page: a link to the content, the name, and the links to other pages as list items. */
export function Top({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="name" href="/">
          <img src={iconUrl} alt="" />
          Sotto
        </a>
        <nav aria-label="Pages">
          <ul>
            {children}
            <li>
              <a href="/docs/errors">Errors</a>
            </li>
            <li>
              <a href="/openapi.json">OpenAPI</a>
            </li>
          </ul>
        </nav>
      </header>
    </>
  );
}
