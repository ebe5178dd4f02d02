/**
 * A request whose answer is in memory already (`Route.ready`). It is checked and completed like any other, but
 * answered inside the library's handler: no body is read and nothing is waited for. Only what the socket of a slow
 * client does not take stays open; that ends after `responseTimeoutMs` without progress.
 */
import { STATUS_CODES } from 'node:http';
import { completed } from './complete-answer.ts';
import type { ExchangeOptions, ExchangeReport } from './exchange.ts';
import type { ReadyAnswer, Route } from './message.ts';
import { requestFault } from './request-guard.ts';
import { announcedLength } from './request-head.ts';
import { type EncodedHeader, encodedHeaders } from './response-headers.ts';
import type { UwsResponse } from './uws.ts';

const CLIENT_LEFT_STATUS = 499;

type Options = Pick<ExchangeOptions, 'id' | 'head' | 'match' | 'limits' | 'crossOrigin' | 'isClosing'>;
type Report = Omit<ExchangeReport, 'seconds'>;

/**
 * Answers the request at once; null when it needs more than what is in memory. Must be called inside the
 * uWebSockets.js handler. The promise is that of an answer which the socket did not take whole.
 */
export function answerReady(res: UwsResponse, options: Options): Report | Promise<Report> | null {
  const { head, match, limits, isClosing } = options;
  if (match.kind !== 'found' || match.route.ready === undefined || head.method !== 'GET') return null;
  if (isClosing() || announcedLength(head.headers) > 0 || requestFault(head) !== null) return null;
  const { route } = match;
  const answer = match.route.ready(head);
  if (answer === null) return null;
  const { status, body } = answer;
  const report = { method: head.method, route: route.path, status };
  const headers = headersOf(answer, route, options);
  let isSent = false;
  res.cork(() => {
    res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
    for (const [name, value] of headers) res.writeHeader(name, value);
    res.writeHeader('x-request-id', options.id);
    isSent = res.tryEnd(body, body.length)[1];
  });
  if (isSent) return report;
  return restSent(res, body, route.responseTimeoutMs ?? limits.responseTimeoutMs).then((isWhole) =>
    isWhole ? report : { ...report, status: CLIENT_LEFT_STATUS },
  );
}

/** Sends what the socket has not taken yet, as it takes it. False when the client left, or stopped reading. */
function restSent(res: UwsResponse, body: Uint8Array, stallMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Closing calls `onAborted`.
    const watchdog = setTimeout(() => res.close(), stallMs);
    const over = (isWhole: boolean): void => {
      clearTimeout(watchdog);
      resolve(isWhole);
    };
    res.onAborted(() => over(false));
    res.onWritable((offset) => {
      watchdog.refresh();
      let taken = true;
      res.cork(() => {
        const [ok, isSent] = res.tryEnd(body.subarray(offset), body.length);
        taken = ok;
        if (isSent) over(true);
      });
      return taken;
    });
  });
}

/** The headers of an answer are the same each time, unless they depend on the page that asks. */
const known = new WeakMap<ReadyAnswer, readonly EncodedHeader[]>();

function headersOf(answer: ReadyAnswer, route: Route, { crossOrigin, head }: Options) {
  const found = crossOrigin === null ? known.get(answer) : undefined;
  if (found !== undefined) return found;
  const origin = crossOrigin?.headersFor(head.headers) ?? [];
  const whole = { ...answer, headers: [...answer.headers, ...origin] };
  const headers = encodedHeaders(completed(whole, { varies: route.varies ?? [], path: head.path }));
  if (crossOrigin === null) known.set(answer, headers);
  return headers;
}
