import {
  type ServiceAnswer,
  type ServiceSimulator,
  type SimulatorAddress,
  startServiceSimulator,
} from '../outside/server.ts';
import { isochroneAnswer, matrixAnswer, tableAnswer } from './answers.ts';

/** Speaks OSRM's table service and Valhalla's matrix and isochrone services. */
export const startRouterSimulator = (address: SimulatorAddress = {}): Promise<ServiceSimulator> =>
  startServiceSimulator(
    { answer: answerTo, otherForm: { code: 'Ok', durations: 'soon', features: [{}] } },
    address,
  );

function answerTo(url: URL, body: unknown): ServiceAnswer {
  const table = url.pathname.startsWith('/table/') ? tableAnswer(url.pathname, url.searchParams) : null;
  if (table !== null) return table;
  if (url.pathname === '/sources_to_targets') return matrixAnswer(body as Parameters<typeof matrixAnswer>[0]);
  if (url.pathname === '/isochrone') return isochroneAnswer(body as Parameters<typeof isochroneAnswer>[0]);
  return { status: 404, body: { error_code: 106, error: 'Try any of: /sources_to_targets /isochrone' } };
}
