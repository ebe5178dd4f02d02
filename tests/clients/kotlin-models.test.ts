import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/platform/stack.ts';

const MODELS = fileURLToPath(new URL('../../clients/android/', import.meta.url));
/** The annotations of kotlinx.serialization, as far as the compiler needs them. */
const ANNOTATIONS = `package kotlinx.serialization
@Target(AnnotationTarget.CLASS) annotation class Serializable
@Target(AnnotationTarget.PROPERTY) annotation class SerialName(val value: String)
`;
const USE = `import app.proscenium.models.*
fun nameOf(me: Me): String? = me.agent?.officeName
val status: (StagingJob) -> String = { it.status }
`;

/** The compiler takes 18 s on two idle cores. */
const TIME_LIMIT_MS = 300_000;

/** The errors that the Kotlin compiler reports, each with its file. The test's process stays free meanwhile. */
async function errorsOf(sources: Iterable<readonly [name: string, text: string]>): Promise<string[]> {
  const folder = temporaryDirectory();
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of sources) writeFileSync(join(folder, name), text);
  const args = [folder, '-nowarn', '-d', join(folder, 'classes')];
  const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const child = execFile('kotlinc', args, (_error, _stdout, output) =>
      resolve({ code: child.exitCode, stderr: output }),
    );
  });
  const errors = stderr.split('\n').filter((line) => line.includes('error:'));
  if (code !== 0 && errors.length === 0) throw new Error(`kotlinc ended with ${code}: ${stderr}`);
  return errors.map((line) => line.replace(`${folder}/`, ''));
}

const hasCompiler = spawnSync('sh', ['-c', 'command -v kotlinc']).status === 0;
const why = hasCompiler ? '' : ' (skipped: no kotlinc, which is in the Debian package kotlin)';

test.skipIf(!hasCompiler)(
  `the generated Kotlin models compile${why}`,
  { timeout: TIME_LIMIT_MS },
  async () => {
    const models = readdirSync(MODELS).map(
      (name) => [name, readFileSync(join(MODELS, name), 'utf8')] as const,
    );
    expect(models.length).toBeGreaterThan(10);
    expect(await errorsOf([...models, ['Annotations.kt', ANNOTATIONS], ['Use.kt', USE]])).toEqual([]);
  },
);
