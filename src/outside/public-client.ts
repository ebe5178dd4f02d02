import { loadedOnce } from '../loaded-once.ts';
import { type AddressRule, publicLookup } from './public-address.ts';

/** Longest wait for a connection, in milliseconds. */
const CONNECT_MS = 10_000;

/** HTTP to addresses that other people name, with its library loaded by the first use. Connections lead to public hosts only. */
export function publicClient(rule: AddressRule, answerMs: number) {
  return loadedOnce(async () => {
    const { Agent, request } = await import('undici');
    const connect = { timeout: Math.min(answerMs, CONNECT_MS), lookup: publicLookup(rule) };
    return { request, agent: new Agent({ connect, pipelining: 1, connections: 8 }) };
  });
}
