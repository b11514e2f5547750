/** Title and content of a documentation page. */
interface Page {
  readonly title: string;
  /** Content of the page as HTML. */
  readonly body: string;
}

/** Renders a documentation page with its styles. */
export const pageOf = ({ title, body }: Page): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${html(title)}</title>
    <link rel="icon" href="/docs/icon.svg" />
    <link rel="stylesheet" href="/docs/page.css" />
  </head>
  <body>
${body}
  </body>
</html>
`;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Converts a text to HTML. Text between backticks becomes code. */
export const html = (text: string): string =>
  text
    .replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? character)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Icon of this package's pages. */
export const PAGE_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#1c3d5a" />
  <path d="M21.5 10.6c-1-1.6-3-2.6-5.4-2.6-3.3 0-5.6 1.7-5.6 4.2 0 5.9 11.4 2.4 11.4 8 0 2.6-2.5 4.3-5.9 4.3-2.7 0-4.9-1.1-6-3" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" />
</svg>
`;

/** Styles of this package's pages, with the colours and fonts of the built pages. */
export const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --ground: #fbfaf7;
  --ink: #1d242b;
  --quiet: #57616b;
  --accent: #1b5e8c;
  --target: #fdf3d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12171c;
    --ink: #e6e9ec;
    --quiet: #a3adb7;
    --accent: #7db8e4;
    --target: #3a3620;
  }
}
html {
  background: var(--ground);
  color: var(--ink);
}
body {
  margin: 0;
}
main {
  max-width: 44rem;
  margin: 0 auto;
  padding: 1rem 1.25rem 3rem;
  font:
    1rem/1.55 system-ui,
    -apple-system,
    'Segoe UI',
    Roboto,
    'Noto Sans',
    sans-serif;
  overflow-wrap: anywhere;
}
a {
  color: var(--accent);
  text-underline-offset: 0.15em;
}
:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}
h1 {
  line-height: 1.2;
}
section {
  scroll-margin-top: 1rem;
}
section:target {
  background: var(--target);
  box-shadow: 0 0 0 0.5rem var(--target);
}
h2 {
  margin: 2rem 0 0.25rem;
  font-size: 1.1rem;
}
.facts {
  color: var(--quiet);
  font-size: 0.9rem;
}
dt {
  font-weight: bold;
}
dd {
  margin: 0 0 0.5rem 1.5rem;
}
`;
