import { parser } from '@prometheus-io/lezer-promql';

/** One metric in a query, with the conditions on the metric's labels. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly values: readonly string[] }[];
}

/** Variables of Grafana that a dashboard's PromQL query may contain in place of a duration. */
const VARIABLES = /\$__(?:rate_interval|interval|range)/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;

/**
 * Returns the selectors of a PromQL query.
 * @throws SyntaxError if the query does not parse
 */
export function selectorsOf(query: string): readonly Selector[] {
  const text = query.replaceAll(VARIABLES, '5m');
  const selectors: Selector[] = [];
  parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) throw new SyntaxError(`at ${node.from}: ${text}`);
      if (node.name !== 'VectorSelector') return;
      const identifier = node.node.getChild('Identifier');
      if (identifier === null) throw new SyntaxError(`a selector without a metric: ${text}`);
      const conditions = text.slice(identifier.to, node.to);
      const matchers = [...conditions.matchAll(MATCHER)].map(
        ([, label = '', operator = '', value = '']) => ({
          label,
          values: operator.endsWith('~') ? value.split('|') : [value],
        }),
      );
      selectors.push({ metric: text.slice(identifier.from, identifier.to), matchers });
    },
  });
  return selectors;
}

/** Returns the labels by which a query groups or joins. */
export function groupingLabelsOf(query: string): readonly string[] {
  const lists = query.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g);
  return [...lists]
    .flatMap(([, list = '']) => list.split(','))
    .map((label) => label.trim())
    .filter((label) => label !== '');
}
