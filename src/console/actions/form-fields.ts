import type { Context } from 'hono';

/** The text fields of a form; other kinds of fields are dropped. */
export async function fieldsOf(c: Context): Promise<Record<string, string | undefined>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
