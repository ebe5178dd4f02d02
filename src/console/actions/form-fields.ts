import type { Context } from 'hono';

/** Text fields of a form; whatever else was sent is not there. */
export async function fieldsOf(c: Context): Promise<Record<string, string | undefined>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
