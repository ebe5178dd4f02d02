import type { HttpLogger } from '../../../src/http/message.ts';

/** Prints the line that the roles print when they listen. */
export function sayListening(port: number): void {
  process.stdout.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
}

/** Errors are caused on purpose here. */
export const silentLogger: HttpLogger = { info() {}, warn() {}, error() {} };
