import type { IncomingMessage, ServerResponse } from 'node:http';
import * as control from './control-routes.ts';
import { createPrediction } from './create-prediction.ts';
import { HttpProblem, notFound, problem, sendJson } from './http-answers.ts';
import { listPredictions } from './list-predictions.ts';
import { cancelPrediction, getFile, getPrediction, getWebhookSecret } from './prediction-routes.ts';
import type { Exchange, SimulatorContext } from './simulator-context.ts';

interface Route {
  method: string;
  path: RegExp;
  handle(exchange: Exchange): Promise<void>;
}

const createForModel = (exchange: Exchange) =>
  createPrediction(exchange, { model: `${exchange.params[0]}/${exchange.params[1]}` });

const ROUTES: Route[] = [
  { method: 'POST', path: /^\/v1\/models\/([^/]+)\/([^/]+)\/predictions$/, handle: createForModel },
  {
    method: 'POST',
    path: /^\/v1\/predictions$/,
    handle: (exchange) => createPrediction(exchange, 'version'),
  },
  { method: 'GET', path: /^\/v1\/predictions$/, handle: listPredictions },
  { method: 'GET', path: /^\/v1\/predictions\/([^/]+)$/, handle: getPrediction },
  { method: 'POST', path: /^\/v1\/predictions\/([^/]+)\/cancel$/, handle: cancelPrediction },
  { method: 'GET', path: /^\/v1\/webhooks\/default\/secret$/, handle: getWebhookSecret },
  { method: 'GET', path: /^\/files\/([^/]+)\/([^/]+)$/, handle: (exchange) => getFile(exchange, false) },
  {
    method: 'GET',
    path: /^\/files\/([^/]+)\/elsewhere\/([^/]+)$/,
    handle: (exchange) => getFile(exchange, true),
  },
  { method: 'GET', path: /^\/__control\/ledger$/, handle: control.getLedger },
  { method: 'GET', path: /^\/__control\/faults$/, handle: control.listFaults },
  { method: 'POST', path: /^\/__control\/faults$/, handle: control.addFault },
  { method: 'DELETE', path: /^\/__control\/faults$/, handle: control.clearFaults },
  { method: 'GET', path: /^\/__control\/settings$/, handle: control.getSettings },
  { method: 'POST', path: /^\/__control\/settings$/, handle: control.changeSettings },
  { method: 'POST', path: /^\/__control\/release$/, handle: control.release },
  { method: 'POST', path: /^\/__control\/predictions\/([^/]+)\/finish$/, handle: control.finish },
];

/** Answers one request. An error becomes a JSON answer, or a closed socket when the answer has begun. */
export async function route(
  message: { req: IncomingMessage; res: ServerResponse },
  context: SimulatorContext,
  log: (line: string) => void,
): Promise<void> {
  const { req, res } = message;
  try {
    const url = parseTarget(req.url);
    const { handle, params } = findRoute(url.pathname, req.method ?? 'GET');
    await handle({ req, res, url, params, context });
  } catch (error) {
    if (!(error instanceof HttpProblem)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log(`${req.method} ${req.url?.split('?')[0]}: ${text}`);
    }
    if (res.headersSent || res.destroyed) res.destroy();
    else sendJson(res, error instanceof HttpProblem ? error : internalError());
  }
}

function internalError(): HttpProblem {
  return new HttpProblem(500, { detail: 'Internal server error' });
}

function parseTarget(target = '/'): URL {
  const address = `http://simulator${target}`;
  if (!target.startsWith('/') || !URL.canParse(address))
    throw problem(400, 'Bad request', 'Invalid request target.');
  return new URL(address);
}

function findRoute(pathname: string, method: string): { handle: Route['handle']; params: string[] } {
  const here = ROUTES.filter((candidate) => candidate.path.test(pathname));
  if (here.length === 0) throw notFound();
  const wanted = method === 'HEAD' && pathname.startsWith('/files/') ? 'GET' : method;
  const found = here.find((candidate) => candidate.method === wanted);
  if (!found) {
    const allow = here.map((candidate) => candidate.method).join(', ');
    throw new HttpProblem(405, { detail: `Method "${method}" not allowed.`, status: 405 }, { allow });
  }
  return { handle: found.handle, params: (found.path.exec(pathname) ?? []).slice(1).map(decode) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw problem(400, 'Bad request', 'Malformed percent-encoding in the path.');
  }
}
