import fc from 'fast-check';
import { expect } from 'vitest';
import { MAX_OUTPUT_BYTES } from '../../../../src/images/decoding/picture-bounds.ts';
import { downloadOutput } from '../../../../src/provider/output-download.ts';
import { defineTarget } from '../target.ts';
import { hostileText } from '../values/hostile-values.ts';
import { httpAnswers } from '../values/http-answers.ts';
import type { ProviderWorld } from '../worlds/provider-world.ts';

interface FuzzInput {
  readonly url: string;
  readonly answers: readonly Buffer[];
}

const places = ({ port, elsewhere }: ProviderWorld) =>
  fc.oneof(
    {
      arbitrary: fc.constantFrom(`http://127.0.0.1:${port}/out.webp`, `http://127.0.0.1:${port}/`),
      weight: 4,
    },
    {
      arbitrary: fc.constantFrom(
        `http://127.0.0.1:${elsewhere.port}/`,
        `http://127.0.0.1:${port}@127.0.0.1:${elsewhere.port}/`,
        `//127.0.0.1:${elsewhere.port}/x`,
        `http://0x7f000001:${elsewhere.port}/`,
        `http://[::ffff:7f00:1]:${elsewhere.port}/`,
        `http://localhost:${elsewhere.port}/`,
        '/next',
        'file:///etc/passwd',
        'ftp://x/',
        'http://',
        '',
        'data:image/webp;base64,AAAA',
        'data:,AAAA',
        'data:;base64',
        `data:${';a=b'.repeat(5_000)},`,
        'data:x;base64,%',
      ),
      weight: 3,
    },
    { arbitrary: hostileText, weight: 1 },
  );

/** Addresses of outputs and their redirects: only the allowed host gets requests. */
export const providerOutputs = defineTarget<ProviderWorld, FuzzInput>({
  name: 'provider-outputs',
  about: 'addresses of outputs, redirects and bodies of downloads, over a socket',
  runs: 200,
  mustSee: ['bytes', 'failed'],
  input(world) {
    const redirect = fc
      .tuple(fc.constantFrom(301, 302, 307, 308), places(world))
      .map(
        ([code, to]) =>
          `HTTP/1.1 ${code} Moved\r\nlocation: ${to.replace(/[^\x20-\x7e]/g, '%')}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
    const answers = fc.oneof(
      redirect.map((text) => Buffer.from(text)),
      httpAnswers(fc.constant('{}')),
    );
    return fc.record({ url: places(world), answers: fc.array(answers, { minLength: 1, maxLength: 5 }) });
  },
  async feed({ url, answers }, world) {
    world.answerWith(answers);
    world.elsewhere.heard.length = 0;
    const { signal } = new AbortController();
    const allowedHosts = [`127.0.0.1:${world.port}`, '*.replicate.delivery'];
    const download = await downloadOutput(url, { allowedHosts, apiToken: world.token, signal });
    expect(world.elsewhere.heard, 'another host was asked').toEqual([]);
    if (download.kind === 'bytes') expect(download.bytes.length).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
    if (download.kind === 'failed') expect(download.why.length).toBeLessThan(60);
    return download.kind;
  },
});
