import type { HttpLogger } from '../../../src/http/message.ts';

/** Says what the roles say when they listen. */
export function sayListening(port: number): void {
  process.stdout.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
}

/** Errors are asked for on purpose here. */
export const silentLogger: HttpLogger = { info() {}, warn() {}, error() {} };
