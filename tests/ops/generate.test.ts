import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initTRPC } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { QUERIES } from '../../clients/typescript/procedure-kinds.ts';
import { generateFiles, run, staleFiles } from '../../ops/cli/generate.ts';
import { ENUMERATIONS } from '../../ops/codegen/api/enumerations.ts';
import { readProcedures } from '../../ops/codegen/api/procedures.ts';
import { readResponseModels } from '../../ops/codegen/api/response-schemas.ts';
import { describeShape } from '../../ops/codegen/api/shape-texts.ts';
import { agentProcedure, publicProcedure, router } from '../../src/api/base.ts';
import { COMMON_ERRORS } from '../../src/api/procedure-meta.ts';
import { AUTH_CODES } from '../../src/auth/auth-codes.ts';
import { PUBLIC_ERRORS } from '../../src/errors/public-errors.ts';
import { NAMED_MODELS } from '../../src/wire/response-models.ts';
import { noInput } from '../../src/wire/text.ts';
import { temporaryDirectory } from '../support/platform/stack.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('generated files', () => {
  test('the committed files match the router and the schemas; otherwise: npm run generate', async () => {
    expect(staleFiles(ROOT, await generateFiles())).toEqual([]);
  });

  test('generating twice gives the same files, and the second run writes nothing', async () => {
    expect(await generateFiles()).toEqual(await generateFiles());
    const root = temporaryDirectory();
    expect(await run({ check: true, root })).toBe(1);
    expect(await run({ check: false, root })).toBe(0);
    expect(await run({ check: true, root })).toBe(0);
  });

  test('a file that was changed, is missing, or belongs to a removed router is stale and is repaired', async () => {
    const root = temporaryDirectory();
    await run({ check: false, root });
    writeFileSync(join(root, 'clients/ios/Users.swift'), 'changed by hand');
    rmSync(join(root, 'docs/api.md'));
    writeFileSync(join(root, 'clients/android/Gone.kt'), '');
    expect(staleFiles(root, await generateFiles())).toEqual([
      'clients/android/Gone.kt',
      'clients/ios/Users.swift',
      'docs/api.md',
    ]);
    expect(await run({ check: true, root })).toBe(1);
    expect(await run({ check: false, root })).toBe(0);
    expect(await run({ check: true, root })).toBe(0);
  });
});

describe('completeness', () => {
  const procedures = readProcedures();

  test('every procedure has its model, its line in the client’s table and its section of docs/api.md', async () => {
    const { models, byProcedure } = readResponseModels(procedures);
    const files = await generateFiles();
    expect(procedures.length).toBeGreaterThan(10);
    for (const { path, kind, who } of procedures) {
      const model = models.find(({ name }) => name === byProcedure.get(path));
      expect(model?.answers, path).toContain(path);
      expect(files.get('clients/typescript/procedure-kinds.ts')).toContain(`'${path}': '${kind}'`);
      const [router = '', name = ''] = path.split('.');
      expect([path, QUERIES[router]?.split(' ').includes(name) ?? false]).toEqual([path, kind === 'query']);
      const words = { public: 'anyone', session: 'signed in', agent: 'agents' }[who];
      expect(files.get('docs/api.md')).toContain(`#### ${path}\n\n${kind}, ${words}\n`);
    }
  });

  test('the section of every procedure in docs/api.md lists its own errors, sorted, and no others', async () => {
    const page = (await generateFiles()).get('docs/api.md') ?? '';
    const parts = new Map(page.split('\n#### ').map((part) => [part.split('\n')[0], part]));
    for (const { path, errors } of procedures) {
      const [, said] = parts.get(path)?.match(/^refuses (.*)$/m) ?? [];
      expect(said, path).toBe(errors.length === 0 ? undefined : errors.toSorted().join(', '));
    }
    expect(parts.get('ai.rejectStagedVariant')).toContain(
      '\nrefuses NOT_FOUND, NOT_PENDING_REVIEW, NOT_YET_DURABLE\n',
    );
    expect(parts.get('users.getMe')).not.toContain('refuses');
  });

  test('errors are sorted and unique, and are listed with the permission', () => {
    const own = router({
      a: agentProcedure
        .meta({ errors: ['NOT_FOUND', 'CONFLICT', 'NOT_FOUND'] })
        .input(noInput)
        .output(z.object({}))
        .query(() => ({})),
    });
    expect(readProcedures(own)).toMatchObject([
      { path: 'a', who: 'agent', errors: ['CONFLICT', 'NOT_FOUND'] },
    ]);
  });

  test('the errors that any call can return are named in the introduction', async () => {
    const [introduction = ''] = ((await generateFiles()).get('docs/api.md') ?? '').split('| procedure |');
    for (const code of COMMON_ERRORS) expect(introduction).toContain(`\`${code}\``);
  });

  test('every error and every enum value is in docs/api.md', async () => {
    const page = (await generateFiles()).get('docs/api.md') ?? '';
    for (const [code, { message }] of [...Object.entries(PUBLIC_ERRORS), ...Object.entries(AUTH_CODES)]) {
      expect(page).toContain(`| \`${code}\` |`);
      expect(page).toContain(message);
    }
    for (const [name, words] of Object.entries(ENUMERATIONS)) {
      expect(page).toContain(`| ${name} | \`${words[0]}\``);
    }
    for (const name of Object.keys(NAMED_MODELS)) expect(page).toContain(`### ${name}\n`);
  });

  test.each([
    [
      'no output',
      router({ a: router({ b: publicProcedure.query(() => 1) }) }),
      /a\.b: declare its \.output\(\)/,
    ],
    [
      'no input',
      router({ a: publicProcedure.output(z.object({})).query(() => ({})) }),
      /a: declare its \.input\(\)/,
    ],
    [
      'two inputs',
      router({
        a: publicProcedure
          .input(z.object({ b: z.int() }))
          .input(z.object({ c: z.int() }))
          .output(z.object({}))
          .query(() => ({})),
      }),
      /a: declare one \.input\(\)/,
    ],
    [
      'no guard',
      initTRPC.create().router({
        a: initTRPC
          .create()
          .procedure.output(z.object({}))
          .query(() => ({})),
      }),
      /base\.ts/,
    ],
  ])('a procedure with %s is rejected by name', (_what, own, message) => {
    expect(() => readProcedures(own as never)).toThrow(message);
  });

  test('two places that would get the same name are rejected', () => {
    const inner = z.object({ x: z.int() });
    const own = router({
      a: router({
        get: publicProcedure
          .input(noInput)
          .output(z.object({ item: inner, items: z.array(inner.clone()) }))
          .query(() => null as never),
      }),
    });
    expect(() => readResponseModels(readProcedures(own))).toThrow(/AGetItem/);
  });
});

test.each([
  [z.object({ a: z.string().min(1).max(5), b: z.int().optional() }), '{ a: string 1..5; b?: int }'],
  [z.object({ limit: z.int().min(1).max(100).default(50) }), '{ limit?: int 1..100 = 50 }'],
  [z.array(z.enum(['x', 'y'])).max(3), "('x' | 'y')[..3]"],
  [z.array(z.object({ at: z.iso.datetime().nullable() })), '{ at: instant | null }[]'],
  [z.tuple([z.number(), z.int()]), '[number, int]'],
  [z.record(z.string(), z.boolean()), '{ [key]: boolean }'],
  [z.object({ id: z.guid(), n: z.number().min(0).lt(10) }), '{ id: uuid; n: number 0..<10 }'],
  [z.object({}), '{}'],
])('shapes in the notation of docs/api.md (%#)', (schema, words) => {
  expect(describeShape(z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as never)).toBe(words);
});
