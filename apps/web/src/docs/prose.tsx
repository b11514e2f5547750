import type { JSX } from 'preact';

/** Renders paragraphs of the OpenAPI document. Text between backticks becomes code. */
export const Prose = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {text.split('\n\n').map((paragraph) => (
      <p key={paragraph}>
        <Line text={paragraph} />
      </p>
    ))}
  </>
);

/** Renders one paragraph without its element. */
export const Line = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {text
      .split('`')
      .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}
  </>
);
