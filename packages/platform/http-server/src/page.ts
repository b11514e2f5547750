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
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
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

/**
 * Styles of this package's pages. The renderer sets widths of tables and paths that exceed a
 * phone's screen, so some styles override the renderer's styles for narrow screens.
 */
export const PAGE_STYLE = `:root {
  --ground: #fff;
  --ink: #3b4151;
  --link: #1f5f99;
  --target: #fdf6d8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #1c2022;
    --ink: #e4e6e6;
    --link: #8cc4ff;
    --target: #3d3a22;
  }
}
html {
  background: var(--ground);
}
body {
  margin: 0;
}
.text {
  max-width: 44rem;
  margin: 0 auto;
  padding: 1rem;
  font: 1rem/1.5 sans-serif;
  color: var(--ink);
  overflow-wrap: anywhere;
}
.links {
  margin: 0;
  padding: 1rem 20px 0;
  font: 1rem/1.5 sans-serif;
}
.links a,
.text a {
  color: var(--link);
}
.text section {
  scroll-margin-top: 1rem;
}
.text section:target {
  background: var(--target);
  box-shadow: 0 0 0 0.5rem var(--target);
}
.text h2 {
  margin: 2rem 0 0.25rem;
  font-size: 1.1rem;
}
.text .facts {
  font-size: 0.9rem;
}
.text dt {
  font-weight: bold;
}
.text dd {
  margin: 0 0 0.5rem 1.5rem;
}
@media (max-width: 640px) {
  .swagger-ui .wrapper,
  .swagger-ui .scheme-container,
  .swagger-ui .opblock .opblock-section-header {
    padding-left: 12px;
    padding-right: 12px;
  }
  .swagger-ui .opblock .opblock-summary {
    flex-wrap: wrap;
  }
  .swagger-ui .opblock .opblock-summary-path {
    max-width: 100%;
    overflow-wrap: anywhere;
  }
  .swagger-ui thead,
  .swagger-ui .response-col_links {
    display: none;
  }
  .swagger-ui table,
  .swagger-ui tbody,
  .swagger-ui tr,
  .swagger-ui td:not(.response-col_links) {
    display: block;
    width: auto;
    max-width: 100%;
  }
  .swagger-ui .opblock-body pre.microlight,
  .swagger-ui .markdown,
  .swagger-ui .renderedMarkdown {
    overflow-wrap: anywhere;
  }
}
`;
