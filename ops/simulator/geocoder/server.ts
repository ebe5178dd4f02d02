import {
  type ServiceAnswer,
  type ServiceSimulator,
  type SimulatorAddress,
  startServiceSimulator,
} from '../outside/server.ts';
import { nominatimAnswer, photonAnswer } from './answers.ts';

/** Speaks Photon's search (`/api`) and Nominatim's (`/search`), of some addresses in a few towns. */
export const startGeocoderSimulator = (address: SimulatorAddress = {}): Promise<ServiceSimulator> =>
  startServiceSimulator({ answer: answerTo, otherForm: { features: [{ geometry: null }] } }, address);

function answerTo({ pathname, searchParams }: URL): ServiceAnswer {
  if (pathname === '/api') return photonAnswer(searchParams);
  if (pathname === '/search') return nominatimAnswer(searchParams);
  return { status: 404, body: { code: 404, message: 'Not found' } };
}
