import { json, type Route } from '../http/message.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { VERSION } from '../version.ts';

/** `/healthz` and `/readyz` of the API host (docs/contract.md#operations-server), also on its ops server. */
export function healthRoutes(readiness: Readiness): Route[] {
  const noStore = [['cache-control', 'no-store']] as const;
  return [
    {
      methods: ['GET'],
      path: '/healthz',
      isUngated: true,
      handler: async () => json(200, { status: 'ok', version: VERSION }, noStore),
    },
    {
      methods: ['GET'],
      path: '/readyz',
      isUngated: true,
      handler: async () => {
        const report = await readiness();
        return json(report.ready ? 200 : 503, report, noStore);
      },
    },
  ];
}
