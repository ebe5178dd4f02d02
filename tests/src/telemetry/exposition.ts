/** The series of a process at /metrics as names, types and labels; and the series that an expression uses. */
export interface ShownMetric {
  type: string;
  labels: Set<string>;
}

/** Every series name of the text, a histogram under its three names, with the labels of its series. */
export function readExposition(text: string): Map<string, ShownMetric> {
  const types = new Map<string, string>();
  const shown = new Map<string, ShownMetric>();
  for (const line of text.split('\n')) {
    const declared = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (declared) types.set(declared[1] ?? '', declared[2] ?? '');
    const series = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line);
    if (!series) continue;
    const [, name = '', labels = ''] = series;
    const family = name.replace(/_(?:bucket|sum|count)$/, '');
    const type = types.get(name) ?? types.get(family) ?? 'untyped';
    const metric = shown.get(name) ?? { type, labels: new Set() };
    for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) metric.labels.add(label);
    shown.set(name, metric);
  }
  return shown;
}

/** Merges both, as Prometheus does when it scrapes several processes. */
export function mergeExpositions(all: readonly Map<string, ShownMetric>[]): Map<string, ShownMetric> {
  const merged = new Map<string, ShownMetric>();
  for (const [name, { type, labels }] of all.flatMap((one) => [...one])) {
    const known = merged.get(name)?.labels ?? [];
    merged.set(name, { type, labels: new Set([...known, ...labels]) });
  }
  return merged;
}

export interface AskedSeries {
  name: string;
  /** Labels of its matchers and of the groupings of the whole expression. */
  labels: string[];
  /** The function applied to its range; null without a range. */
  rangeFunction: string | null;
}

/** Names that Prometheus itself provides. */
const OWN_SERIES = new Set(['up', 'ALERTS']);

/** Our series that an expression uses. Our expressions are simple enough for a regular expression. */
export function askedSeries(expr: string): AskedSeries[] {
  const groupings = [...expr.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const selector = /(?:(\w+)\()?\b([a-z]\w*_\w+|up|ALERTS)(\{[^}]*\})?(\[[^\]]+\])?/g;
  return [...expr.matchAll(selector)]
    .map(([, before = '', name = '', matchers = '', range]) => ({
      name,
      labels: [
        ...groupings,
        ...[...matchers.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label = '']) => label),
      ],
      rangeFunction: range === undefined ? null : before,
    }))
    .filter(({ name }) => !OWN_SERIES.has(name) && !FUNCTIONS.has(name) && !groupings.includes(name));
}

/** Functions whose names look like metric names. */
const FUNCTIONS = new Set(['histogram_quantile', 'label_replace']);
