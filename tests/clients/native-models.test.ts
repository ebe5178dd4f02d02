import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { renderNativeModels } from '../../ops/codegen/api/native-models.ts';
import { readProcedures } from '../../ops/codegen/api/procedures.ts';
import { readResponseModels } from '../../ops/codegen/api/response-schemas.ts';
import { publicProcedure, router } from '../../src/api/base.ts';
import { noInput } from '../../src/wire/text.ts';
import { temporaryDirectory } from '../support/platform/stack.ts';
import { openGrammar } from './grammar.ts';

const { models } = readResponseModels(readProcedures());
let files: Map<string, string>;
beforeAll(async () => {
  files = await renderNativeModels(models);
});
const textsOf = (folder: string) => [...files].filter(([path]) => path.startsWith(`clients/${folder}/`));

/** Swift and Kotlin of a router with one procedure that answers with `output`. */
async function rendered(output: z.ZodType): Promise<{ swift: string; kotlin: string }> {
  const own = router({
    one: router({
      get: publicProcedure
        .input(noInput)
        .output(output)
        .query(() => null),
    }),
  });
  const made = await renderNativeModels(readResponseModels(readProcedures(own)).models);
  return { swift: made.get('clients/ios/One.swift') ?? '', kotlin: made.get('clients/android/One.kt') ?? '' };
}

describe('how types are sent over the wire', () => {
  test('enums, instants and ids are strings, counts are integers, money is a double, null is an optional', async () => {
    const { swift, kotlin } = await rendered(
      z.object({
        status: z.enum(['A', 'B']),
        literal: z.literal('x'),
        at: z.iso.datetime(),
        id: z.guid(),
        count: z.int(),
        price: z.number(),
        yes: z.boolean(),
        always: z.literal(true),
        phase: z.enum(['C']).nullable(),
        maybe: z.string().optional(),
        bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        words: z.array(z.enum(['D'])),
        byName: z.record(z.string(), z.int()),
      }),
    );
    const swiftTypes = Object.fromEntries(
      [...swift.matchAll(/public let (\w+): (.+)$/gm)].map(([, name, type]) => [name, type]),
    );
    expect(swiftTypes).toEqual({
      status: 'String',
      literal: 'String',
      at: 'String',
      id: 'String',
      count: 'Int',
      price: 'Double',
      yes: 'Bool',
      always: 'Bool',
      phase: 'String?',
      maybe: 'String?',
      bbox: '[Double]',
      words: '[String]',
      byName: '[String: Int]',
    });
    const kotlinTypes = Object.fromEntries(
      [...kotlin.matchAll(/val (\w+): (.+?)(?: = null)?,?$/gm)].map(([, name, type]) => [name, type]),
    );
    expect(kotlinTypes).toEqual({
      status: 'String',
      literal: 'String',
      at: 'String',
      id: 'String',
      count: 'Long',
      price: 'Double',
      yes: 'Boolean',
      always: 'Boolean',
      phase: 'String?',
      maybe: 'String?',
      bbox: 'List<Double>',
      words: 'List<String>',
      byName: 'Map<String, Long>',
    });
  });

  test('every object has a type of its own, named after its place, even when two shapes are equal', async () => {
    const place = z.object({ name: z.string() });
    const { swift } = await rendered(
      z.object({ home: place, offices: z.array(z.object({ name: z.string() })), kind: z.string() }),
    );
    expect([...swift.matchAll(/struct (\w+)/g)].map(([, name]) => name)).toEqual(
      ['OneGetOffice', 'OneGetHome', 'OneGetOutput'].toSorted(),
    );
  });

  test('variants become one type with the fields of all of them', async () => {
    const { kotlin } = await rendered(
      z.object({
        one: z.union([z.object({ a: z.string(), b: z.int() }), z.object({ a: z.string(), c: z.string() })]),
      }),
    );
    expect(kotlin).toContain(
      'data class OneGetOne (\n    val a: String,\n    val b: Long? = null,\n    val c: String? = null\n)',
    );
  });

  test.each([
    ['an answer that is not an object', z.array(z.string()), /answer with an object/],
    ['text or number', z.object({ a: z.union([z.string(), z.int()]) }), /OneGetA: .*one shape or null/],
    ['anything', z.object({ a: z.unknown() }), /OneGetA: clients cannot be given a type/],
    ['a date that is not text', z.object({ a: z.date() }), /Date/],
  ])('%s is rejected by name', async (_what, output, message) => {
    await expect(rendered(output)).rejects.toThrow(message);
  });
});

describe('the generated files', () => {
  test('hold every model once, in both languages, and accept unknown enum values', () => {
    for (const [folder, pattern] of [
      ['ios', /^public struct (\w+)/gm],
      ['android', /^data class (\w+)/gm],
    ] as const) {
      const names = textsOf(folder).flatMap(([, text]) =>
        [...text.matchAll(pattern)].map(([, name]) => name),
      );
      expect(names.toSorted()).toEqual(models.map(({ name }) => name).toSorted());
    }
    for (const [path, text] of files) {
      expect(text, path).toMatch(/^\/\/ Generated by `npm run generate`/);
      expect(text.replaceAll('enum CodingKeys', ''), path).not.toMatch(/\benum\b/);
      expect(text.split('\n').length, path).toBeLessThan(1_500);
    }
  });

  test.each([
    ['swift', 'ios', 'public struct Broken: Codable { let a: }'],
    ['kotlin', 'android', 'data class Broken ( val a: )'],
  ] as const)('are %s', async (language, folder, broken) => {
    const faultsIn = await openGrammar(language);
    for (const [path, text] of textsOf(folder)) expect(faultsIn(text), path).toEqual([]);
    expect(faultsIn(broken)).not.toEqual([]);
    const [, text = ''] = textsOf(folder)[0] ?? [];
    expect(faultsIn(text.replace('{', '').replace('(', ''))).not.toEqual([]);
  });
});

/** The annotations of kotlinx.serialization, as far as the compiler needs them. */
const ANNOTATIONS = `package kotlinx.serialization
@Target(AnnotationTarget.CLASS) annotation class Serializable
@Target(AnnotationTarget.PROPERTY) annotation class SerialName(val value: String)
`;
const USE = `import app.proscenium.models.*
fun nameOf(me: Me): String? = me.agent?.officeName
val status: (StagingJob) -> String = { it.status }
`;
const hasCompiler = spawnSync('kotlinc', ['-version']).error === undefined;

const why = hasCompiler ? '' : ' (skipped: there is no kotlinc)';
test.skipIf(!hasCompiler)(`the Kotlin files compile${why}`, () => {
  const folder = temporaryDirectory();
  mkdirSync(folder, { recursive: true });
  const sources = [...textsOf('android'), ['Annotations.kt', ANNOTATIONS] as const, ['Use.kt', USE] as const];
  for (const [path, text] of sources) writeFileSync(join(folder, basename(path)), text);
  const compiled = spawnSync('kotlinc', [folder, '-nowarn', '-d', join(folder, 'classes')], {
    encoding: 'utf8',
  });
  const errors = compiled.stderr.split('\n').filter((line) => line.includes('error:'));
  expect(errors).toEqual([]);
  expect(compiled.status).toBe(0);
});
