import { expect, test } from 'vitest';
import { inertServices, readProcedures } from '../../../ops/generate/procedures.ts';
import { createCallerFactory, type RequestContext, type SessionUser } from '../../../src/trpc/base.ts';
import { createAppRouter } from '../../../src/trpc/routers/app.ts';

/** That `meta.who`, which API.md is written from, is what the guards do. */
const user = (role: SessionUser['role']): SessionUser => ({
  id: 'u',
  role,
  email: 'a@b.c',
  name: 'A',
  locale: 'en',
});
const CALLERS = { nobody: null, customer: user('customer'), agent: user('agent') } as const;
const REFUSED: Record<string, Partial<Record<keyof typeof CALLERS, string>>> = {
  public: {},
  session: { nobody: 'UNAUTHORIZED' },
  agent: { nobody: 'UNAUTHORIZED', customer: 'AGENT_REQUIRED' },
};

async function refusalTo(path: string, caller: SessionUser | null): Promise<string | undefined> {
  const context = { user: caller, responseHeaders: new Headers() } as RequestContext;
  const call: unknown = path
    .split('.')
    .reduce<unknown>(
      (found, name) => Reflect.get(found as object, name),
      createCallerFactory(createAppRouter(inertServices()))(context),
    );
  const error = await Promise.resolve()
    .then(() => (call as (input: unknown) => unknown)({ not: 'an input' }))
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  const code: unknown = Reflect.get((error as { cause?: object } | undefined)?.cause ?? {}, 'code');
  return code === 'UNAUTHORIZED' || code === 'AGENT_REQUIRED' ? code : undefined;
}

test.each(readProcedures().map(({ path, who }) => [path, who] as const))(
  '%s is for: %s',
  async (path, who) => {
    for (const [name, caller] of Object.entries(CALLERS)) {
      expect(await refusalTo(path, caller), name).toBe(REFUSED[who]?.[name as keyof typeof CALLERS]);
    }
  },
);
