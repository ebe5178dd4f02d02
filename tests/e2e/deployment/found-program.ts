import { connect } from 'node:net';
import { StackError } from '../../../ops/dev/stack/lifecycle.ts';
import { systemProgram } from '../../../ops/dev/stack/system-program.ts';

/** A proxy of the operating system, installed when that is possible; else why it cannot be tried. */
export function foundProgram(
  program: 'caddy' | 'haproxy',
  probe: string,
): { program: string } | { missing: string } {
  try {
    const wanted = { program, title: program, packages: { 'apt-get': [program] }, probe: [probe] };
    return { program: systemProgram(wanted, (line) => process.stderr.write(`${line}\n`)) };
  } catch (error) {
    if (error instanceof StackError && error.code === 'BINARY_MISSING') return { missing: error.message };
    throw error;
  }
}

/** Then an answer is whole, and a connection that is still open will bring no more. */
const SILENCE_MS = 2_000;

/** What comes back for bytes written by hand, until the other side closes or says nothing more. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    // A reset is one of the ways to close.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.write(Buffer.from(text, 'latin1'));
  });
}

const FORM = 'POST /api/auth/sign-out HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
const CHUNKED = `${FORM}Transfer-Encoding: chunked\r\n`;
const NEXT = 'GET /api/trpc/search.getFilterCatalog HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';

/** Bodies in chunks, some with a whole request where a loose reader would find one. */
export const CHUNKED_BODIES = {
  'without trailers': `${CHUNKED}Connection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'with an announced trailer': `${CHUNKED}Connection: close\r\nTrailer: X-Sum\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  'with a trailer': `${CHUNKED}Connection: close\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  'with a request hidden in a trailer': `${CHUNKED}\r\n0\r\nX:${NEXT}`,
  'with bare line feeds': `${CHUNKED}\r\n2\n{}\n0\n\n${NEXT}`,
  'with wrong bytes after a chunk': `${CHUNKED}\r\n2\r\n{}XX0\r\n\r\n${NEXT}`,
} as const;
