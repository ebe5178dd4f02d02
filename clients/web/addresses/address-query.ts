/**
 * The query part of addresses, as HTML forms write it: names with one or more texts. The router's own format would
 * write numbers and lists as JSON, which a form without JavaScript cannot.
 */
export type AddressQuery = Readonly<Record<string, string | readonly string[]>>;

export function parseQuery(text: string): AddressQuery {
  const params = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

export function writeQuery(query: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
